"""What a link of a chain considers: some slots, and checks of their contents.

A frame has three kinds of slots, in this order: those of the puzzle's own stickers; two for each
orbit of later pieces, which odd turns of these exchange; and slots that no turn moves, with the
labels that belong elsewhere.

This module also contains frames that bring pieces home, orbit by orbit, those with few stickers
first.

The effect of a link on later orbits does not matter, which makes its macros short.
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
    """The conditions of a state: pairs of slots whose labels must be mates.

    A piece at home is such a pair, too, with a slot that no turn moves.

    Attributes:
        pairs: The slots, shape (checks, 2).
        mates: For each label its mate.
        numbers: For each pair of slots the check that their contents fulfil wherever turns bring
            them together in this way, or -1; shape (slots, slots).
    """

    pairs: Slots
    mates: Labels
    numbers: NDArray[np.int16]

    def score(self, labels: Labels) -> NDArray[np.int64]:
        """Return how many checks states fulfil, shape (states, slots) to (states,)."""
        fits = self.mates[labels[:, self.pairs[:, 0]]] == labels[:, self.pairs[:, 1]]
        score: NDArray[np.int64] = fits.sum(axis=1)
        return score

    def chosen(self, flags: NDArray[np.bool_]) -> "Checks":
        """Return some of the checks."""
        numbers = np.full(len(flags) + 1, -1, np.int16)
        numbers[:-1][flags] = np.arange(flags.sum())
        return Checks(self.pairs[flags], self.mates, numbers[self.numbers])

    def joined(self, other: "Checks") -> "Checks":
        """Return both, with the mates of these: conditions to keep need none."""
        numbers = np.where(other.numbers < 0, self.numbers, len(self.pairs) + other.numbers)
        pairs = np.concatenate([self.pairs, other.pairs])
        return Checks(pairs, self.mates, numbers.astype(np.int16))

    def images(self, effects: Effects) -> NDArray[np.int16]:
        """Return, for each effect and check, the check that will compare its contents, or -1."""
        first, second = (effects[:, self.pairs[:, i]].astype(np.int64) for i in (0, 1))
        return self.numbers[first, second]

    def parted(self, effects: Effects) -> NDArray[np.int64]:
        """Return how many checks each effect breaks."""
        counts: NDArray[np.int64] = (self.images(effects) < 0).sum(axis=1)
        return counts


def checks_of(pairs: Sequence[tuple[int, int]], size: int, mates: Labels | None = None) -> Checks:
    """Return checks of these pairs, each fulfilled by its own contents alone.

    Args:
        pairs: Slots.
        size: Size of a state.
        mates: For each label its mate; itself by default.
    """
    both = np.array(pairs, np.int64).reshape(-1, 2)
    numbers = np.full((size, size), -1, np.int16)
    numbers[both[:, 0], both[:, 1]] = np.arange(len(both))
    return Checks(both, np.arange(256, dtype=np.uint8) if mates is None else mates, numbers)


@dataclass(frozen=True, slots=True)
class PieceOrbit:
    """Pieces that turns move to each other's places.

    Attributes:
        slots: The stickers of each place, shape (places, stickers).
        telling: Number of a piece's first stickers that determine its orientation.
    """

    slots: Slots
    telling: int = 1

    def odd(self, arrangement: Arrangement) -> bool:
        """Return whether the permutation of the pieces is odd."""
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
    """The slots of a link, and its goal.

    Attributes:
        slots: The puzzle's slots that come first.
        values: The label of each of the puzzle's stickers, shape (stickers,).
        parities: Orbits of later pieces whose permutations must be even at the end.
        fixed: The labels in the slots that no turn moves.
        turns: Effects of turns, shape (turns, slots).
        checks: The goal.
        kept: The conditions achieved before.
    """

    slots: Slots
    values: Labels
    parities: tuple[PieceOrbit, ...]
    fixed: Labels
    turns: Effects
    checks: Checks
    kept: Checks

    def labels(self, arrangement: Arrangement) -> Labels:
        """Return the contents of the slots for an arrangement of the puzzle."""
        own = self.values[arrangement[self.slots]]
        pairs = [(1, 0) if orbit.odd(arrangement) else (0, 1) for orbit in self.parities]
        return np.concatenate([own, np.array(pairs, np.uint8).ravel(), self.fixed])


def framed_turns(
    turns: Sequence[Arrangement], slots: Slots, parities: Sequence[PieceOrbit], fixed: int
) -> Effects:
    """Return the effects of turns on a frame's slots, shape (turns, slots)."""
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
    """Return the pieces that turns move, orbit by orbit, those with few stickers first."""
    turns = list(pieces.turns.values())
    classes = reached([place.slots for place in pieces.places], turns)
    found = [
        PieceOrbit(slots, _telling(rotations))
        for _, slots, rotations in classes
        if len(slots) > 1 or len(rotations) > 1
    ]
    return tuple(sorted(found, key=lambda orbit: orbit.slots.shape[1]))


def _telling(rotations: Sequence[Rotation]) -> int:
    """Return how many of a piece's first stickers determine its orientation.

    One is enough if a piece has as many orientations as stickers. An edge of the 3x3x3x3 has all
    six orientations, a corner twelve: there, two are needed.
    """
    still = rotations[0]
    others = [rotation for rotation in rotations if rotation != still]
    return next(
        count
        for count in range(1, len(still) + 1)
        if all(rotation[:count] != still[:count] for rotation in others)
    )


def placing_frames(pieces: Pieces, orbits: Sequence[PieceOrbit]) -> list[LinkFrame]:
    """Return a frame for each orbit: its pieces come home, those of earlier orbits stay there.

    A sticker's label is its number among those of its frame; a piece is identified by as many of
    its first stickers as necessary.
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
    """Return checks that the first of each two slots for a parity contains a zero.

    Args:
        first: Index of the first of these slots.
        parities: Number of parities.
        zero: The slot that always contains a zero.
    """
    return [(first + 2 * number, zero) for number in range(parities)]
