"""Frames of a hand-held cube in, the useful looks at its faces out, until the cube is sure."""
