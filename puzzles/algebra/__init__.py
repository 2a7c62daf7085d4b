"""A word of moves as typed in, its element of the puzzle's group out."""
