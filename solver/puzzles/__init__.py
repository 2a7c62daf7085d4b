"""Other puzzles than the 3×3×3 cube, behind one interface, and methods that solve any of them."""
