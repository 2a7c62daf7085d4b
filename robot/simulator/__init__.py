"""The firmware's binary and a script in, step edges, packets and measurements out."""
