"""The captions of `learn` in, the false ones out."""
