"""A picture of a known cube in, the camera's position out."""
