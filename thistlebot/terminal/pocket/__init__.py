"""Reading and solving 2×2×2 cubes with a person."""
