"""Cube state in, move sequence out: coordinates, cosets, tables and search."""
