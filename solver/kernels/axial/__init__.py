"""The compiled search in axial turns: opposite faces turn together."""
