"""A rig program in, turned faces out, whatever happens on the way."""
