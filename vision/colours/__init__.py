"""Colours of stickers in, the appearance of the six colours in that light out."""
