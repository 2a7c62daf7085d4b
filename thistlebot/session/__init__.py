"""A machine and a cube in, events out: the solve session and its parts."""
