"""The laws of the cube as a search: which legal cube the colours of the stickers fit best."""
