"""Tests, measured: mutants, bugs of the past, many runs; every sentence; the list of commands."""
