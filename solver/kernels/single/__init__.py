"""The compiled search in single turns."""
