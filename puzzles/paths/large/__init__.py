"""Cubes with more than three layers: reduced to a 3 × 3 × 3 through cosets, then solved."""
