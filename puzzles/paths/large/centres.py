"""The centres of cubes with five and more layers: three phases of all orbits at once.

1. The centres of R and L come to these two faces.
2. Those of the other axes come to their axes. From here, inner layers turn by half turns only.
3. All come home.

From six layers on, each phase solves the ring of centres in the middle of the faces first. The next
inner layers and the faces do not disturb it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from puzzles.groups.words import Alphabet, Word
from puzzles.kinds.pieces import Arrangement
from puzzles.paths.chained import WORK, ChainLink
from puzzles.paths.frames import LinkFrame, PieceOrbit, Slots
from puzzles.paths.kernels.mask_beam import BeamMaps
from puzzles.paths.large.cube_turns import CountedTurn, CubeTurns, bits_of, is_odd, places_of
from puzzles.paths.large.frames import centre_frame
from puzzles.paths.large.mask_beam import MaskBeam, Started
from puzzles.paths.large.masks import PLACES, mask_distances, mask_maps, mask_of
from puzzles.paths.macros import Recipe
from solver.table_files import Arrays
from solver.tables import Progress, TableSet, TableStore

_VERSION = 1
_UNIT, _POWER = 16, 1.5
"""A mask at distance d costs d to this power: one far away is worse than some that are near."""
_SHOWN = ((1, 4), (0, 3), (0, 1, 2))
"""The faces whose centres each phase looks at."""
RINGS = 6
"""From this number of layers, the centres in the middle of the faces are a ring of their own."""
_PARTED = 6
"""Number of pieces that a macro's commutator may move."""


def _keeps(turn: CountedTurn, stage: int) -> bool:
    """Return whether an inner layer's turn keeps what so many phases brought about."""
    return (True, turn.half or turn.axis == 0, turn.half, False)[stage]


@dataclass(frozen=True)
class CentrePhase:
    """One phase of the centres.

    Attributes:
        turns: The turns of the cube.
        store: The storage of the tables.
        number: The phase, 0 to 2.
        inner: Whether it is about the inner ring.
        width: Number of states of its beam.
        work: Maximum number of comparisons of the macros that follow where the beam gets stuck.
    """

    turns: CubeTurns
    store: TableStore
    number: int
    inner: bool = True
    width: int = 4000
    work: float = WORK

    @cached_property
    def usable(self) -> list[bool]:
        """Return which turns keep what earlier phases have brought about."""
        inner = self.number + (not self.inner)
        side = self.turns.puzzle.sides[0]
        return [
            not turn.deep or _keeps(turn, self.number if turn.order in {1, side - 2} else inner)
            for turn in self.turns.turns
        ]

    @cached_property
    def _orbits(self) -> list[NDArray[np.int64]]:
        """Return the sticker of each place of each orbit of centres."""
        side = self.turns.puzzle.sides[0]
        found = []
        for orbit in self.turns.orbits:
            if orbit.slots.shape[1] != 1:
                continue
            row, column = divmod(int(orbit.slots[0, 0]) % side**2, side)
            outer = self._parted and {row, column} & {1, side - 2}
            if self.inner != bool(outer):
                found.append(orbit.slots[:, 0])
        return found

    @cached_property
    def _wings(self) -> list[int]:
        """Return, for each orbit of centres, the wings whose parity counts there; -1 for none.

        Wings go where the centres next to a face's diagonal go, and the same turns change them.
        """
        moves, orbits = self.turns.turns, self.turns.orbits
        moved = [
            tuple(bool((t.effect[o.slots[:, 0]] != o.slots[:, 0]).any()) for t in moves)
            for o in orbits
        ]
        wings = {moved[n]: n for n, o in enumerate(orbits) if o.slots.shape == (24, 2)}
        centres = [
            tuple(bool((t.effect[slots] != slots).any()) for t in moves) for slots in self._orbits
        ]
        return [wings.pop(m, -1) if self.number == 1 else -1 for m in centres]

    def _odd(self, wings: int, arrangement: Arrangement) -> bool:
        if wings < 0:
            return False
        return is_odd(places_of(self.turns.orbits[wings], arrangement).tolist())

    def masks(self, state: Arrangement) -> list[int]:
        """Return the mask of each orbit, with its parity in bit 24."""
        return [self._mask(orbit, state) for orbit in range(len(self._orbits))]

    def _mask(self, orbit: int, state: Arrangement) -> int:
        shown = np.isin(self.turns.faces[state[self._orbits[orbit]]], _SHOWN[self.number])
        return mask_of(shown) | self._odd(self._wings[orbit], state) << 24

    @cached_property
    def _maps(self) -> BeamMaps:
        moves, usable = self.turns.turns, self.usable
        home = self.turns.puzzle.pieces.solved
        made = []
        for orbit, slots in enumerate(self._orbits):
            where = {int(slot): place for place, slot in enumerate(slots)}
            permutations = [[where[int(t.effect[slot])] for slot in slots] for t in moves]
            odd = [self._odd(self._wings[orbit], t.effect) for t in moves]
            still = np.tile(np.arange(len(slots), PLACES), (len(moves), 1))
            made.append(mask_maps(np.concatenate([permutations, still], axis=1), odd))

        def build(progress: Progress) -> Arrays:
            tables = {}
            for orbit, maps in enumerate(made):
                goal = self._mask(orbit, home)
                tables[f"orbit{orbit}"] = mask_distances([goal], bits_of(usable), maps)
                progress((orbit + 1) / len(made))
            return tables

        name = f"centres-{self.turns.puzzle.sides[0]}-{self.number + 1}{'' if self.inner else 'b'}"
        tables = self.store.obtain(TableSet(name, _VERSION, build)).arrays
        distances = [tables[f"orbit{orbit}"] for orbit in range(len(made))]
        moved = [
            bits_of([bool((t.effect[slots] != slots).any()) for slots in self._orbits])
            for t in moves
        ]
        scale = np.arange(256.0) ** _POWER * _UNIT
        scale[255] = 60000
        costs = np.tile(np.minimum(scale, 60000).astype(np.uint16), (len(made), 1))
        offsets = np.cumsum([0, *(len(table) for table in distances)])[:-1]
        arrays = (
            np.stack([maps.bytes_by for maps in made]),
            np.stack([maps.odd for maps in made]),
            *(np.array(moved, np.int64), made[0].ones, made[0].low, made[0].high),
            *(np.concatenate(distances), offsets, costs, self.turns.allowed(usable)),
        )
        for array in arrays:
            array.flags.writeable = False
        return BeamMaps(*arrays)

    @cached_property
    def frame(self) -> LinkFrame:
        """Return the frame for macros, which end the phase where the beam gets stuck."""
        orbits, kept, even = self.turns.orbits, list[tuple[Slots, int]](), list[PieceOrbit]()
        if self._parted:
            other = replace(self, inner=not self.inner)
            done = self.number + (not self.inner)
            kept = [(slots, done) for slots in other._orbits if done]
            if done > 1:
                even = [orbits[n] for n in replace(other, number=1)._wings if n >= 0]
        if self.number > 1:
            even += [orbits[n] for n in replace(self, number=1)._wings if n >= 0]
        wings = [orbits[n] for n in self._wings if n >= 0], even
        return centre_frame(self.turns.puzzle.pieces, kept, self._orbits, self.number, wings)

    @cached_property
    def _last(self) -> ChainLink:
        alphabet = Alphabet(self.turns.puzzle.turns, self.turns.puzzle.pieces.turns)
        return ChainLink(self.frame, Recipe(parted=_PARTED), alphabet, self.store, work=self.work)

    @property
    def _parted(self) -> bool:
        """Return whether there are two rings of centres, solved one after the other."""
        return self.turns.puzzle.sides[0] >= RINGS

    def run(self, start: Arrangement, words: Sequence[Word], wanted: int) -> list[Word]:
        """Extend words so that they also end this phase.

        Args:
            start: The start of all words.
            words: Words that end the phases before.
            wanted: Number of words.
        """
        numbers = {turn.word[0]: n for n, turn in enumerate(self.turns.turns)}
        letters = list(self.turns.puzzle.pieces.turns.values())
        starts = []
        for word in words:
            there = start
            for letter in word:
                there = there[letters[letter]]
            masks = self.masks(there)
            last = numbers[word[-1]] if word else len(numbers)
            starts.append(Started(masks, len(word), last))
        reached = MaskBeam(self._maps, self.width).run(starts, wanted)
        found = reached.home or reached.near
        made = [(*words[n], *self.turns.letters(turns)) for n, turns in found]
        return made if reached.home else self._last.run(start, made, wanted)
