"""A film in, an SVG document that runs by itself out."""
