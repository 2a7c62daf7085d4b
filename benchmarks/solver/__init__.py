"""The solver's answers, beside those of other programs."""
