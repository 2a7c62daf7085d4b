"""Frames that bring pieces into their places, orbit after orbit, those with few stickers first.

What a link does to the pieces of later orbits does not matter, which makes its macros short.
"""

from collections.abc import Sequence

import numpy as np

from puzzles.kinds.pieces import Pieces, Rotation, reached
from puzzles.paths.frames import LinkFrame, PieceOrbit, checks_of, framed_turns


def orbits_of(pieces: Pieces) -> tuple[PieceOrbit, ...]:
    """The pieces that turns move, orbit by orbit, those with few stickers first."""
    turns = list(pieces.turns.values())
    classes = reached([place.slots for place in pieces.places], turns)
    found = [
        PieceOrbit(slots, _telling(rotations))
        for _, slots, rotations in classes
        if len(slots) > 1 or len(rotations) > 1
    ]
    return tuple(sorted(found, key=lambda orbit: orbit.slots.shape[1]))


def _telling(rotations: Sequence[Rotation]) -> int:
    """How many of a piece's first stickers it takes to tell how it lies.

    One is enough where a piece lies in as many ways as it has stickers. An edge of the 3x3x3x3
    lies in all six ways, a corner in twelve: there it takes two.
    """
    still = rotations[0]
    others = [rotation for rotation in rotations if rotation != still]
    return next(
        count
        for count in range(1, len(still) + 1)
        if all(rotation[:count] != still[:count] for rotation in others)
    )


def placing_frames(pieces: Pieces, orbits: Sequence[PieceOrbit]) -> list[LinkFrame]:
    """A frame for each orbit: its pieces come home, those of the orbits before it stay there.

    A sticker's label is its number among those of its frame; a piece is known by the first of its
    stickers, by as many as it takes.
    """
    frames = []
    turns = list(pieces.turns.values())
    for number, orbit in enumerate(orbits):
        used = orbits[number::-1]
        leads = np.concatenate([each.slots[:, : each.telling].ravel() for each in used])
        others = [each.slots[:, each.telling :].ravel() for each in used]
        slots = np.concatenate([leads, *others])
        values = np.zeros(len(pieces.colours), np.uint8)
        values[slots] = np.arange(len(slots))
        parities = tuple(orbits[number + 1 :]) if number == 0 else ()
        first = len(slots) + 2 * len(parities)
        size = first + len(leads)
        home = [(lead, first + lead) for lead in range(len(leads))]
        own = len(orbit.slots) * orbit.telling
        wanted = home[:own] + even_checks(len(slots), len(parities), size)
        extra = 1 if parities else 0
        fixed = np.concatenate([np.arange(len(leads)), np.zeros(extra)]).astype(np.uint8)
        frames.append(
            LinkFrame(
                slots,
                values,
                parities,
                fixed,
                framed_turns(turns, slots, parities, len(fixed)),
                checks_of(wanted, size + extra),
                checks_of(home[own:], size + extra),
            )
        )
    return frames


def even_checks(first: int, parities: int, zero: int) -> list[tuple[int, int]]:
    """Checks that the first of each two slots for a parity holds a nought.

    Args:
        first: Where these slots begin.
        parities: How many there are.
        zero: The slot that always holds a nought.
    """
    return [(first + 2 * number, zero) for number in range(parities)]
