"""A rig file and a sequence of moves in, a timed rig program out."""
