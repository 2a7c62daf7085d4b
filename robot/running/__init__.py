"""A rig program in, turned faces out, with recovery from faults."""
