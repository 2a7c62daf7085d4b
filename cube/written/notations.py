"""S4's notation of facelets, which other programs share: the order of its faces, its colours."""

S4_ORDER = "ULFRBD"
"""The order of the faces in S4's 3x3x3 strings."""

S4_COLOURS = {"U": "y", "L": "b", "F": "r", "R": "g", "B": "o", "D": "w"}
"""S4's colour letters: yellow, blue, red, green, orange, white."""
