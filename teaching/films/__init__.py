"""A solve, turn by turn, in; an animated picture as SVG or as a page, in one file, out."""
