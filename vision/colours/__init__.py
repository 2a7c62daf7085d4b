"""Colours of stickers in, what the six colours look like in that light out."""
