"""A puzzle in, its invariants, orbits, orders and ways between states out."""
