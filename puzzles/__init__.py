"""Twisty puzzles of any kind as groups: what turns cannot change, and paths between states."""
