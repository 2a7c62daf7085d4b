"""Texts of moves in, single moves out; what a single move is, the puzzle says."""
