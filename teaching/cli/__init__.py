"""Verbs for the mathematics: puzzles, words of moves, methods of solving and laws."""
