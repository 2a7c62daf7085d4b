"""A cube state and a light in, a camera's picture out."""
