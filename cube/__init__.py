"""The cube as mathematics: facelets, cubies, moves, notation, invariants."""
