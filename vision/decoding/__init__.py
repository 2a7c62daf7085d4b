"""Colours of stickers in, the likeliest legal cube and how sure it is out."""
