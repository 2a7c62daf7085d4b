"""The machine shared by several watchers: commands in, one view and the session's events out."""
