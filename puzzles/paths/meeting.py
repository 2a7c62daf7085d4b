"""Shortest paths by breadth-first search from both ends, on sets of packed states (S4).

Both sides grow by whole layers, the smaller one first, each layer a sorted array of the states at
one distance. When the layers meet, the path is a shortest one: all states at smaller distances were
seen and did not meet.

It stores elements of a group as 64-bit integers: the positions of some stickers, a few bits for
each.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from puzzles.groups.words import Word
from puzzles.kinds.orbits import orbit
from puzzles.kinds.pieces import Arrangement, Pieces

_MOST_BITS = 64

Packed = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Packing:
    """The packing of a puzzle's elements.

    The positions of the stickers of a base of the group determine all others.

    Attributes:
        leads: The slots of the base.
        codes: For each of them the number of each slot that it can reach, shape (base, slots).
        offsets: The lowest bit of each.
        masks: Its bits, shifted to the lowest ones.
        turned: For each turn and each of them the new bits for each number, shape (turns, base,
            most).
    """

    leads: NDArray[np.int64]
    codes: NDArray[np.int64]
    offsets: NDArray[np.int64]
    masks: NDArray[np.int64]
    turned: NDArray[np.uint64]

    def packed(self, element: Arrangement) -> np.uint64:
        """Return an element of the group as a number."""
        where = np.argsort(element)[self.leads]
        codes = self.codes[np.arange(len(self.leads)), where].astype(np.uint64)
        return np.uint64(np.bitwise_or.reduce(codes << self.offsets.astype(np.uint64)))


def packing_of(pieces: Pieces, base: Iterable[int]) -> Packing | None:
    """Return the packing of a puzzle's elements; None if they do not fit into 64 bits.

    Args:
        pieces: The puzzle.
        base: Slots of which every element but the identity moves at least one.
    """
    turns = [
        np.argsort(turn) for turn in pieces.turns.values()
    ]  # new position of each slot's sticker
    still = pieces.solved
    leads = list(base)
    steps = [turn.tolist().__getitem__ for turn in turns]
    orbits = [orbit(lead, steps) for lead in leads]
    widths = [(len(places) - 1).bit_length() for places in orbits]
    if sum(widths) > _MOST_BITS:
        return None
    codes = np.zeros((len(leads), len(still)), np.int64)
    most = 1 << max(widths, default=0)
    offsets = np.cumsum([0, *widths])[:-1].astype(np.int64)
    turned = np.zeros((len(turns), len(leads), most), np.uint64)
    for piece, places in enumerate(orbits):
        codes[piece, places] = np.arange(len(places))
        for number, turn in enumerate(turns):
            turned[number, piece, : len(places)] = codes[piece, turn[places]] << offsets[piece]
    masks = (1 << np.array(widths, np.int64)) - 1
    return Packing(np.array(leads, np.int64), codes, offsets, masks, turned)


_BYTES = 8
_COPIES = 3
"""Memory for the new layer before and during sorting, besides the stored ones."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """Finds shortest words for elements of a group with packed states.

    Attributes:
        packing: The packing.
        inverse: The number of each turn's inverse.
    """

    packing: Packing
    inverse: tuple[int, ...]

    def word(self, element: Arrangement, memory: int) -> Word | None:
        """Return a shortest word, or None if there is not enough memory.

        Args:
            element: The effect of the word.
            memory: Maximum memory in bytes.
        """
        ends = [self.packing.packed(end) for end in (np.arange(len(element)), element)]
        if ends[0] == ends[1]:
            return ()
        sides = [[np.array([end], np.uint64)] for end in ends]
        while True:
            side = 0 if len(sides[0][-1]) <= len(sides[1][-1]) else 1
            kept = sum(len(layer) for layers in sides for layer in layers)
            grown = len(sides[side][-1]) * len(self.inverse)
            if _BYTES * (kept + _COPIES * grown) > memory or not grown:
                return None
            sides[side].append(self._grown(sides[side]))
            common = _common(sides[side][-1], sides[1 - side][-1])
            if len(common):
                forth = self._back(sides[0], common[0])
                back = self._back(sides[1], common[0])
                return (*reversed([self.inverse[turn] for turn in forth]), *back)

    def _turned(self, states: Packed) -> Packed:
        """Return every state after every turn, grouped by turn."""
        packing = self.packing
        made = np.zeros((len(self.inverse), len(states)), np.uint64)
        for piece, (offset, mask) in enumerate(zip(packing.offsets, packing.masks, strict=True)):
            numbers = (states >> np.uint64(offset) & np.uint64(mask)).astype(np.intp)
            for turn in range(len(made)):
                made[turn] |= packing.turned[turn, piece].take(numbers)
        return made.ravel()

    def _grown(self, layers: list[Packed]) -> Packed:
        """Return the next layer."""
        made = self._turned(layers[-1])
        made.sort()
        new = np.empty(len(made), bool)
        new[:1] = True
        np.not_equal(made[1:], made[:-1], out=new[1:])
        made = made[new]
        for known in layers[-2:]:
            made = made[~_contained(made, known)]
        return made

    def _back(self, layers: list[Packed], state: np.uint64) -> list[int]:
        """Return turns that lead from a state of the last layer back to the first one."""
        turns = []
        for layer in layers[-2::-1]:
            around = self._turned(np.array([state], np.uint64))
            turn = int(np.flatnonzero(_contained(around, layer))[0])
            turns.append(turn)
            state = around[turn]
        return turns


def _contained(states: Packed, layer: Packed) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return which states are in a sorted layer."""
    at = np.searchsorted(layer, states)
    found: np.ndarray[tuple[int], np.dtype[np.bool_]] = np.zeros(len(states), bool)
    inside = at < len(layer)
    found[inside] = layer[at[inside]] == states[inside]
    return found


def _common(one: Packed, other: Packed) -> Packed:
    """Return the common states of two sorted layers."""
    few, many = (one, other) if len(one) < len(other) else (other, one)
    return few[_contained(few, many)]
