"""Data that must outlive the program, even after a crash; lists and sums of past runs; bundles."""
