"""The solver's answers, compared with those of other programs."""
