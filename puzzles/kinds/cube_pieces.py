"""The 3×3×3 cube as 54 slots of stickers: its places, its states as arrangements and back."""

import numpy as np

from cube.moves import FACES
from cube.pieces import CORNER_FACELETS, CORNERS, EDGE_FACELETS, EDGES
from cube.state import CubeState
from puzzles.kinds.pieces import Arrangement, Place

CUBE_PLACES = (
    *(Place(name, "corners", slots) for name, slots in zip(CORNERS, CORNER_FACELETS, strict=True)),
    *(Place(name, "edges", slots) for name, slots in zip(EDGES, EDGE_FACELETS, strict=True)),
)
CUBE_COLOURS = tuple(face for face in FACES for _ in range(9))


def cube_arrangement(state: CubeState) -> Arrangement:
    """Where the sticker in each of the 54 slots comes from."""
    return np.array(state.facelet_places())


def cube_state(arrangement: Arrangement) -> CubeState:
    """The state that an arrangement of 54 slots is."""
    found: list[tuple[int, ...]] = []
    for places in (CORNER_FACELETS, EDGE_FACELETS):
        home = {slots[0]: piece for piece, slots in enumerate(places)}
        shown = [[int(arrangement[slot]) for slot in place] for place in places]
        turns = tuple(next(k for k, slot in enumerate(row) if slot in home) for row in shown)
        found += [tuple(home[row[k]] for row, k in zip(shown, turns, strict=True)), turns]
    return CubeState(*found)
