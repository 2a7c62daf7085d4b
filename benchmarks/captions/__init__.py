"""The captions of `learn` in, those that are false of the cube out."""
