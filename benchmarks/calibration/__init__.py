"""How well calibration does: colours of places, angles of corners."""
