"""The machine shared by several viewers: commands in, one view and the session's events out."""
