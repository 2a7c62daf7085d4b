"""A picture of a known cube in, where the camera stood out."""
