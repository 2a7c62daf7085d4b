"""A film in, a page that is played in a browser out."""
