"""Measurements of the tests: mutants, past bugs, many runs; all sentences; the list of commands."""
