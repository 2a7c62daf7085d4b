"""Frames that turn the stickers of one axis towards its two cells, orbit by orbit.

The first stage of the hypercube's paths: then, turns that keep this axis can do the rest. (This is
the idea of Thistlethwaite's first stages, in four dimensions.)
"""

from collections.abc import Sequence

import numpy as np

from puzzles.kinds.pieces import Arrangement, Pieces
from puzzles.paths.frames import LinkFrame, PieceOrbit, checks_of, framed_turns

_HERE = 1
"""The label of the stickers of the axis; all others have 0."""


def axis_frames(
    pieces: Pieces, orbits: Sequence[PieceOrbit], cells: frozenset[str]
) -> list[LinkFrame]:
    """Return a frame for each orbit: its stickers of two cells come to these cells, in any order.

    Those of the orbits before stay there.

    Args:
        pieces: The puzzle's pieces.
        orbits: The orbits, in the order in which they are treated.
        cells: The two cells of the axis.
    """
    turns: list[Arrangement] = list(pieces.turns.values())
    inside = np.array([colour in cells for colour in pieces.colours])
    frames = []
    for number in range(len(orbits)):
        used = [orbit.slots.ravel() for orbit in orbits[number::-1]]
        wanted = [slots[inside[slots]] for slots in used]
        slots = np.concatenate([*wanted, *(slots[~inside[slots]] for slots in used)])
        zero = len(slots)  # a slot that no turn moves, with the label of the axis
        home = [(at, zero) for at in range(sum(map(len, wanted)))]
        own = len(wanted[0])
        frames.append(
            LinkFrame(
                slots,
                np.where(inside, _HERE, 0).astype(np.uint8),
                (),
                np.array([_HERE], np.uint8),
                framed_turns(turns, slots, (), 1),
                checks_of(home[:own], zero + 1),
                checks_of(home[own:], zero + 1),
            )
        )
    return frames
