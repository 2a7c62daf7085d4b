"""The tables of the searches along G0>G2>G4: distances, and moves of the coordinates."""
