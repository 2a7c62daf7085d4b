"""Twisty puzzles of any kind as groups: invariants, and paths between states."""
