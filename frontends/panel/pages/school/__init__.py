"""The page School: worksheets, methods, words and puzzles."""
