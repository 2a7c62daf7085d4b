"""Two states of a puzzle in, a short way of turns from one to the other out."""
