"""Turns a solve into pictures: stills in an SVG file, or a page that plays it, in one file."""
