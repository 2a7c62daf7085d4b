"""Readings of pictures with known content: colours, faces, mistakes, pictures without a cube."""
