"""Rigs with a motor on each face: a rig file in, programs that turn faces out."""
