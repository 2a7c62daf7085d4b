"""Exercises with pieces that one moves: operations in, the invariants that they change out."""
