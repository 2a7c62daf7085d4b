"""The puzzle on pages: a state and turns in; layers that rotate, on a canvas, out."""
