"""Ways to read a cube: a rig's cameras, earlier pictures, files of colours."""
