"""Elements of a group as whole numbers of 64 bits: where some stickers are, a few bits for each."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from puzzles.kinds.pieces import Arrangement, Pieces

_MOST_BITS = 64

Packed = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Packing:
    """How elements of a puzzle's group are packed.

    Where the stickers of a base of the group are says where all others are.

    Attributes:
        leads: The slots of the base.
        codes: For each of them the number of each slot that it can reach, shape (base, slots).
        offsets: The lowest bit of each.
        masks: Its bits, moved to the lowest ones.
        places_by: For each turn and each of them which number comes of each, shape (turns, base,
            most).
    """

    leads: NDArray[np.int64]
    codes: NDArray[np.int64]
    offsets: NDArray[np.int64]
    masks: NDArray[np.int64]
    places_by: NDArray[np.uint8]

    def packed(self, element: Arrangement) -> np.uint64:
        """An element of the group as a number."""
        where = np.argsort(element)[self.leads]
        codes = self.codes[np.arange(len(self.leads)), where].astype(np.uint64)
        return np.uint64(np.bitwise_or.reduce(codes << self.offsets.astype(np.uint64)))


def packing_of(pieces: Pieces, base: Iterable[int]) -> Packing | None:
    """How a puzzle's elements are packed; None when 64 bits do not hold them.

    Args:
        pieces: The puzzle.
        base: Slots of which at least one is moved by every element but the identity.
    """
    turns = [np.argsort(turn) for turn in pieces.turns.values()]  # where each slot's sticker goes
    still = pieces.solved
    leads = list(base)
    orbits = [_orbit(lead, turns) for lead in leads]
    widths = [int(len(orbit) - 1).bit_length() for orbit in orbits]
    if sum(widths) > _MOST_BITS:
        return None
    codes = np.zeros((len(leads), len(still)), np.int64)
    most = 1 << max(widths, default=0)
    places_by = np.zeros((len(turns), len(leads), most), np.uint8)
    for piece, orbit in enumerate(orbits):
        codes[piece, orbit] = np.arange(len(orbit))
        for number, turn in enumerate(turns):
            places_by[number, piece, : len(orbit)] = codes[piece, turn[orbit]]
    offsets = np.cumsum([0, *widths])[:-1].astype(np.int64)
    masks = (1 << np.array(widths, np.int64)) - 1
    return Packing(np.array(leads, np.int64), codes, offsets, masks, places_by)


def _orbit(slot: int, turns: list[Arrangement]) -> list[int]:
    """The slots where turns carry a sticker, its own first."""
    found = [slot]
    for here in found:
        found += {there for turn in turns if (there := int(turn[here])) not in found}
    return found
