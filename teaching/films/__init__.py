"""Turns a solve into an animated picture: an SVG file, or a page in one file."""
