"""Labelled pictures and conditions in, how well they are read out."""
