"""A machine and what a person says in, what was measured and the files that keep it out."""
