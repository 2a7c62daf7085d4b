"""A machine that several people share: its worker, the panel in a browser, the exhibition."""
