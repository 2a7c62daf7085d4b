"""The pieces of the cube and the facelets that they show.

Names, order and facelet lists are Kociemba's: the first facelet of a corner lies on U or D and
the others follow clockwise; the first facelet of an edge lies on U or D, or on F or B in the
middle layer.
"""

from cube.facelets import facelet_index

CORNERS = ("URF", "UFL", "ULB", "UBR", "DFR", "DLF", "DBL", "DRB")
EDGES = ("UR", "UF", "UL", "UB", "DR", "DF", "DL", "DB", "FR", "FL", "BL", "BR")

_CORNER_NAMES = (
    "U9 R1 F3",
    "U7 F1 L3",
    "U1 L1 B3",
    "U3 B1 R3",
    "D3 F9 R7",
    "D1 L9 F7",
    "D7 B9 L7",
    "D9 R9 B7",
)
_EDGE_NAMES = (
    "U6 R2",
    "U8 F2",
    "U4 L2",
    "U2 B2",
    "D6 R8",
    "D2 F8",
    "D4 L8",
    "D8 B8",
    "F6 R4",
    "F4 L6",
    "B6 L4",
    "B4 R6",
)

CORNER_FACELETS: tuple[tuple[int, ...], ...] = tuple(
    tuple(map(facelet_index, names.split())) for names in _CORNER_NAMES
)
"""For each corner place its three facelet indices, clockwise from the one on U or D."""

EDGE_FACELETS: tuple[tuple[int, ...], ...] = tuple(
    tuple(map(facelet_index, names.split())) for names in _EDGE_NAMES
)
"""For each edge place its two facelet indices, the reference one first."""

CENTRE_FACELETS: tuple[int, ...] = tuple(9 * face + 4 for face in range(6))
