"""How long the ways between states of puzzles are, checked in space."""
