"""What a link of a chain looks at: some slots, and checks of what they should hold.

A frame has three sorts of slots, in this order: those of the puzzle's own stickers; two for each
orbit of later pieces, which odd turns of these exchange; and slots that no turn moves, which hold
the labels that belong elsewhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from puzzles.kinds.pieces import Arrangement

Effects = NDArray[np.int16]
Labels = NDArray[np.uint8]
Slots = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Checks:
    """What a state should fulfil: pairs of slots whose labels are mates.

    A piece in its place is such a pair, too, with a slot that no turn moves.

    Attributes:
        pairs: The slots, shape (checks, 2).
        mates: For each label the one that belongs beside it.
        numbers: For each two slots the check that their contents fulfil wherever turns bring
            them together so, or -1; shape (slots, slots).
    """

    pairs: Slots
    mates: Labels
    numbers: NDArray[np.int16]

    def score(self, labels: Labels) -> NDArray[np.int64]:
        """How many checks states fulfil, shape (states, slots) to (states,)."""
        fits = self.mates[labels[:, self.pairs[:, 0]]] == labels[:, self.pairs[:, 1]]
        score: NDArray[np.int64] = fits.sum(axis=1)
        return score

    def images(self, effects: Effects) -> NDArray[np.int16]:
        """For each effect and check the check whose contents it will compare, or -1."""
        first, second = (effects[:, self.pairs[:, i]].astype(np.int64) for i in (0, 1))
        return self.numbers[first, second]

    def parted(self, effects: Effects) -> NDArray[np.int64]:
        """How many checks each effect parts."""
        counts: NDArray[np.int64] = (self.images(effects) < 0).sum(axis=1)
        return counts


def checks_of(pairs: Sequence[tuple[int, int]], size: int, mates: Labels | None = None) -> Checks:
    """Checks of these pairs, each fulfilled by its own contents alone.

    Args:
        pairs: Slots.
        size: Of a state.
        mates: For each label its mate; itself by default.
    """
    both = np.array(pairs, np.int64).reshape(-1, 2)
    numbers = np.full((size, size), -1, np.int16)
    numbers[both[:, 0], both[:, 1]] = np.arange(len(both))
    return Checks(both, np.arange(256, dtype=np.uint8) if mates is None else mates, numbers)


@dataclass(frozen=True, slots=True)
class PieceOrbit:
    """Pieces that turns bring to each other's places.

    Attributes:
        slots: The stickers of each place, shape (places, stickers).
        telling: So many of a piece's first stickers tell how it lies.
    """

    slots: Slots
    telling: int = 1

    def odd(self, arrangement: Arrangement) -> bool:
        """Whether the pieces are permuted oddly."""
        home = {int(slot): row for row, slots in enumerate(self.slots) for slot in slots}
        goes = [home[int(arrangement[slots[0]])] for slots in self.slots]
        odd, seen = False, set[int]()
        for start in range(len(goes)):
            at, steps = start, 0
            while at not in seen:
                seen.add(at)
                at, steps = goes[at], steps + 1
            odd ^= steps > 1 and steps % 2 == 0
        return odd


@dataclass(frozen=True, slots=True)
class LinkFrame:
    """The slots of a link, and what it is to bring about.

    Attributes:
        slots: The puzzle's slots that come first.
        values: The label that each of the puzzle's stickers has, shape (stickers,).
        parities: Orbits of later pieces, whose permutations have to be even at the end.
        fixed: The labels in the slots that no turn moves.
        turns: What turns do, shape (turns, slots).
        checks: What is to be brought about.
        kept: What was brought about before.
    """

    slots: Slots
    values: Labels
    parities: tuple[PieceOrbit, ...]
    fixed: Labels
    turns: Effects
    checks: Checks
    kept: Checks

    def labels(self, arrangement: Arrangement) -> Labels:
        """What the slots hold in an arrangement of the puzzle."""
        own = self.values[arrangement[self.slots]]
        pairs = [(1, 0) if orbit.odd(arrangement) else (0, 1) for orbit in self.parities]
        return np.concatenate([own, np.array(pairs, np.uint8).ravel(), self.fixed])


def framed_turns(
    turns: Sequence[Arrangement], slots: Slots, parities: Sequence[PieceOrbit], fixed: int
) -> Effects:
    """What turns do to a frame's slots, shape (turns, slots)."""
    numbers = np.full(len(turns[0]), -1)
    numbers[slots] = np.arange(len(slots))
    size = len(slots) + 2 * len(parities) + fixed
    made = np.tile(np.arange(size, dtype=np.int16), (len(turns), 1))
    for row, turn in zip(made, turns, strict=True):
        row[: len(slots)] = numbers[turn[slots]]
        for at, orbit in enumerate(parities):
            if orbit.odd(turn):
                first = len(slots) + 2 * at
                row[[first, first + 1]] = first + 1, first
    return made
