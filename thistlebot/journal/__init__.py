"""Data that must survive the program, even a crash; lists and statistics of past runs; bundles."""
