"""The command line: one module a group of verbs, options declared once."""
