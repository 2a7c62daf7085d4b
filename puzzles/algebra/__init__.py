"""A word of moves as people type it in; what it is as an element of a puzzle's group out."""
