"""A machine shared by several people: its worker, the panel in a browser, the exhibition."""
