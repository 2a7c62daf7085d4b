"""A puzzle's name in, its pieces, turns and pictures out."""
