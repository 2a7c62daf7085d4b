"""What a link of a chain looks at: some slots, and checks of what they should hold.

A frame has three sorts of slots, in this order: those of the puzzle's own stickers; two for each
orbit of later pieces, which odd turns of these exchange; and slots that no turn moves, which hold
the labels that belong elsewhere.

Frames that bring pieces into their places, orbit after orbit, those with few stickers first.

What a link does to the pieces of later orbits does not matter, which makes its macros short.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from puzzles.kinds.pieces import Arrangement, Pieces, Rotation, reached

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
