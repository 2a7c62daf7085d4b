"""The page History, and the replay of one run."""
