"""Readings of pictures that are known: colours, faces, mistakes, pictures without a cube."""
