"""The command line: one module for each group of verbs, with shared options in one place."""
