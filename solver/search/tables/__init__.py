"""What the searches along G0>G2>G4 look up: distances, and how turns move the coordinates."""
