"""The effect of motors and machines on a virtual cube, including lost steps."""
