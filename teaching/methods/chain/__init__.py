"""Thistlethwaite's chain of subgroups as methods, in the words of S3."""
