"""Frames of a cube in a hand in, the looks at its faces that count out, until the cube is sure."""
