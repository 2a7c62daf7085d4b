"""Colours of stickers in, the likeliest legal cube and its confidence out."""
