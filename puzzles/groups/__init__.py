"""A puzzle in, its invariants, orbits, orders and paths between states out."""
