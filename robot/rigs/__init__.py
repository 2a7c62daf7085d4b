"""A rig file in, a mechanism out; moves in, a timed rig program out. One folder per kind of rig."""
