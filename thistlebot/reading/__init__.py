"""Ways to look at a cube: a rig's cameras, pictures of earlier, files of colours."""
