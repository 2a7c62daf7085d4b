"""What a link of a chain considers: some slots, and checks that its pieces are home.

A frame has four kinds of slots, in this order: those of the stickers of its own pieces; two for
each orbit of later pieces, which odd turns of these exchange; slots that no turn moves, with the
labels that belong elsewhere; and those of the pieces of earlier frames, which stay as they are.
A state of the frame is the contents of the first three.

The effect of a link on later orbits does not matter, which makes its macros short.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from cube.laws import permutation_parity
from puzzles.kinds.pieces import Arrangement, Pieces, Rotation, reached

Effects = NDArray[np.int16]
Labels = NDArray[np.uint8]
Slots = NDArray[np.int64]
MOST_LABELS = 255
"""A label is a byte, and so is the number of checks that a state fulfils."""
_EVEN_WEIGHT = 4
"""Number of checks of each even permutation.

With one, states that fulfil all other checks displace it.
"""


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

    def some(self, most: int) -> "Checks":
        """Return at most so many of the checks, from first to last."""
        return replace(self, pairs=self.pairs[:: -(-len(self.pairs) // most) or 1])

    def images(self, effects: Effects) -> NDArray[np.int16]:
        """Return, for each effect and check, the check that will compare its contents, or -1."""
        first, second = (effects[:, self.pairs[:, i]].astype(np.int64) for i in (0, 1))
        return self.numbers[first, second]

    def parted(self, effects: Effects) -> NDArray[np.int64]:
        """Return how many checks each effect breaks."""
        counts: NDArray[np.int64] = (self.images(effects) < 0).sum(axis=1)
        return counts


def checks_of(pairs: Sequence[tuple[int, int]], size: int) -> Checks:
    """Return checks of these pairs, each fulfilled by its own contents alone.

    Args:
        pairs: Slots.
        size: Number of the frame's slots.
    """
    both = np.array(pairs, np.int64).reshape(-1, 2)
    numbers = np.full((size, size), -1, np.int16)
    numbers[both[:, 0], both[:, 1]] = np.arange(len(both))
    return Checks(both, np.arange(256, dtype=np.uint8), numbers)


@dataclass(frozen=True, slots=True)
class PieceOrbit:
    """Pieces that turns move to each other's places.

    Attributes:
        slots: The stickers of each place, shape (places, stickers).
        telling: Number of a piece's first stickers that determine its orientation.
        same: For each piece the first one that looks like it.
    """

    slots: Slots
    telling: int
    same: tuple[int, ...]

    @property
    def alike(self) -> bool:
        """Whether some pieces look alike."""
        return len(set(self.same)) < len(self.same)

    @property
    def leads(self) -> Slots:
        """The stickers that identify a piece and its orientation, piece by piece."""
        return self.slots[:, : self.telling].ravel()

    @property
    def homes(self) -> Slots:
        """For each of these the first one that looks like it, by its index."""
        first = np.array(self.same)[:, None] * self.telling
        homes: Slots = (first + np.arange(self.telling)).ravel()
        return homes

    def odd(self, arrangement: Arrangement) -> bool:
        """Return whether the permutation of the pieces is odd."""
        home = {int(slot): row for row, slots in enumerate(self.slots) for slot in slots}
        goes = tuple(home[int(arrangement[slots[0]])] for slots in self.slots)
        return permutation_parity(goes) == 1


@dataclass(frozen=True, slots=True)
class LinkFrame:
    """The slots of a link, and its goal.

    Attributes:
        slots: The slots of the puzzle that come first.
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

    @property
    def size(self) -> int:
        """The number of slots of a state."""
        return len(self.slots) + 2 * len(self.parities) + len(self.fixed)

    def labels(self, arrangement: Arrangement) -> Labels:
        """Return the contents of the slots for an arrangement of the puzzle."""
        own = self.values[arrangement[self.slots]]
        pairs = [(1, 0) if orbit.odd(arrangement) else (0, 1) for orbit in self.parities]
        return np.concatenate([own, np.array(pairs, np.uint8).ravel(), self.fixed])


def framed_turns(
    turns: Sequence[Arrangement],
    slots: Slots,
    parities: Sequence[PieceOrbit],
    *,
    fixed: int,
    kept: Slots,
    last: int,
) -> Effects:
    """Return the effects of turns on a frame's slots, shape (turns, slots).

    Args:
        turns: The turns.
        slots: The slots of the frame's own stickers.
        parities: Orbits whose odd permutations are visible.
        fixed: Number of slots that no turn moves.
        kept: The slots of the stickers of earlier frames.
        last: Number of slots that no turn moves, for the checks of these.
    """
    size = len(slots) + 2 * len(parities) + fixed
    numbers = np.full(len(turns[0]), -1)
    numbers[slots] = np.arange(len(slots))
    numbers[kept] = size + np.arange(len(kept))
    made = np.tile(np.arange(size + len(kept) + last, dtype=np.int16), (len(turns), 1))
    for row, turn in zip(made, turns, strict=True):
        row[: len(slots)] = numbers[turn[slots]]
        row[size : size + len(kept)] = numbers[turn[kept]]
        for at, orbit in enumerate(parities):
            if orbit.odd(turn):
                first = len(slots) + 2 * at
                row[[first, first + 1]] = first + 1, first
    return made


def orbits_of(pieces: Pieces) -> tuple[PieceOrbit, ...]:
    """Return the pieces that turns move, orbit by orbit, small ones with few stickers first."""
    turns = list(pieces.turns.values())
    classes = reached([place.slots for place in pieces.places], turns)
    found = [
        PieceOrbit(slots, _telling(rotations), _same(pieces, slots, rotations))
        for _, slots, rotations in classes
        if len(slots) > 1 or len(rotations) > 1
    ]
    return tuple(sorted(found, key=lambda orbit: (orbit.slots.shape[1], len(orbit.slots))))


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


def _same(pieces: Pieces, slots: Slots, rotations: Sequence[Rotation]) -> tuple[int, ...]:
    """Return for each piece the first one that looks like it; itself if pieces can be rotated."""
    if len(rotations) > 1:
        return tuple(range(len(slots)))
    looks = [tuple(pieces.colours[slot] for slot in row) for row in slots]
    return tuple(looks.index(look) for look in looks)


def together(orbits: Sequence[PieceOrbit], most: int) -> list[tuple[PieceOrbit, ...]]:
    """Return orbits in groups of at most so many pieces; a larger orbit is a group of its own."""
    groups: list[tuple[PieceOrbit, ...]] = []
    for orbit in orbits:
        before = groups[-1] if groups else ()
        if before and sum(len(each.slots) for each in (*before, orbit)) <= most:
            groups[-1] = (*before, orbit)
        else:
            groups.append((orbit,))
    return groups


def placing_frames(
    pieces: Pieces, groups: Sequence[Sequence[PieceOrbit]], even: Sequence[PieceOrbit]
) -> list[LinkFrame]:
    """Return a frame for each group: its pieces come home, those of earlier groups stay there.

    A sticker's label is its number among those of its frame; a piece is identified by as many of
    its first stickers as necessary, and pieces that look alike have the same labels.

    Args:
        pieces: The puzzle.
        groups: Orbits.
        even: The orbits whose permutations must be even as long as they are not home.
    """
    frames = []
    turns = list(pieces.turns.values())
    for number, group in enumerate(groups):
        slots, homes = _stickers(group)
        kept, kept_homes = _stickers([orbit for each in groups[:number] for orbit in each])
        home = [id(orbit) for each in groups[: number + 1] for orbit in each]
        later = [orbit for orbit in even if id(orbit) not in home] * _EVEN_WEIGHT
        values = np.zeros(len(pieces.colours), np.uint8)
        values[slots] = np.arange(len(slots))
        values[slots[: len(homes)]] = homes
        first = len(slots) + 2 * len(later)
        fixed = np.append(np.arange(len(homes)), 0).astype(np.uint8)
        effects = framed_turns(
            turns, slots, later, fixed=len(fixed), kept=kept, last=len(kept_homes)
        )
        size, begin = effects.shape[1], first + len(fixed)
        wanted = [(lead, first + home) for lead, home in enumerate(homes.tolist())]
        wanted += [(len(slots) + 2 * at, first + len(homes)) for at in range(len(later))]
        still = [(begin + i, begin + len(kept) + home) for i, home in enumerate(kept_homes)]
        goal, before = checks_of(wanted, size), checks_of(still, size)
        frames.append(LinkFrame(slots, values, tuple(later), fixed, effects, goal, before))
    return frames


def _stickers(group: Sequence[PieceOrbit]) -> tuple[Slots, Slots]:
    """Return the slots of pieces, those that identify them first, and for each of these its home.

    A home is the index of the first of them that looks like it.
    """
    none = np.empty(0, np.int64)
    leads = [orbit.leads for orbit in group]
    starts = np.cumsum([0, *map(len, leads)])
    homes = [start + orbit.homes for start, orbit in zip(starts, group, strict=False)]
    others = [orbit.slots[:, orbit.telling :].ravel() for orbit in group]
    return np.concatenate([none, *leads, *others]), np.concatenate([none, *homes])
