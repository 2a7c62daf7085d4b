"""What NiceGUI lacks, around our own ES modules: cube, net, camera."""
