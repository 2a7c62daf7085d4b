"""Two states of a puzzle in, a short path of turns between them out."""
