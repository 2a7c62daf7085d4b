"""A rig file in, a mechanism out; moves in, a timed rig program out. A folder for each kind."""
