"""Words, moves and paths of puzzles, as people type and read them."""
