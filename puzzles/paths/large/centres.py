"""The centres of cubes with five and more layers: three phases of all orbits at once.

1. The centres of R and L come to these two faces.
2. Those of the other axes come to their axes. From here, inner layers turn by half turns only.
3. All come home.

From six layers on, the first two phases solve the ring of centres in the middle of the faces first.
The next inner layers and the faces do not disturb it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzles.groups.words import Alphabet, Word
from puzzles.kinds.pieces import Arrangement
from puzzles.paths.chained import WORK, ChainLink
from puzzles.paths.frames import LinkFrame, PieceOrbit, Slots
from puzzles.paths.kernels.mask_beam import BeamMaps
from puzzles.paths.large.axis_tables import AXES, OCTET, AxisTable, by_axes, octet_numbers, sets_of
from puzzles.paths.large.cube_turns import CountedTurn, CubeTurns, bits_of, is_odd, places_of
from puzzles.paths.large.edge_tables import EdgeTables
from puzzles.paths.large.frames import centre_frame
from puzzles.paths.large.mask_beam import MaskBeam, Started
from puzzles.paths.large.masks import PLACES, mask_distances, mask_maps
from puzzles.paths.macros import Recipe, effects_of
from solver.kernels.memory import Bytes
from solver.table_files import Arrays
from solver.tables import Progress, TableSet, TableStore

_VERSION = 4
PHASES = 3
_LAST = PHASES - 1
_UNIT, _POWER = 16, 1.5
"""A mask at distance d costs d to this power: one far away is worse than some that are near."""
_AXIS_UNIT, _AXIS_POWER = 16, 1.5
"""The same for the distances of some orbits on one axis."""
_SHOWN = ((1, 4), (0, 3), (0, 1, 2))
"""The faces whose centres each phase looks at."""
RINGS = 6
"""From this number of layers, the centres in the middle of the faces are a ring of their own."""
_PARTED = 6
"""Number of pieces that a macro's commutator may move."""
_EDGE_UNIT, _EDGE_POWER = 8, 1.5
"""What an edge whose pieces are at distance d costs: d to this power."""
_JOINED = 6
"""Up to this number of layers, the last phase also joins edges; with more, its beam gets stuck."""
_SLACK, _EDGE_SLACK, _PATIENCE = 2, 7, 4
"""Turns for which a beam goes on after the first result; and more, without a better state."""


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
        inner: Whether it is about the inner ring, or the outer one; None for both.
        width: Number of states of its beam.
        work: Maximum number of comparisons of the macros that follow where the beam gets stuck.
    """

    turns: CubeTurns
    store: TableStore
    number: int
    inner: bool | None = None
    width: int = 4000
    work: float = WORK

    @cached_property
    def usable(self) -> list[bool]:
        """Return which turns keep what earlier phases have brought about."""
        inner = self.number + (self.inner is False)
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
            outer = bool({row, column} & {1, side - 2})
            if self.inner is None or self.inner != outer:
                found.append(by_axes(self.turns, orbit.slots[:, 0]))
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

    def masks(self, states: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the mask of each orbit, with its parity in bit 24, shape (states, orbits)."""
        masks = [self._mask(orbit, states) for orbit in range(len(self._orbits))]
        return np.stack(masks, axis=1)

    def _mask(self, orbit: int, states: NDArray[np.int64]) -> NDArray[np.int64]:
        shown = np.isin(self.turns.faces[states[:, self._orbits[orbit]]], _SHOWN[self.number])
        odd = [self._odd(self._wings[orbit], state) for state in states]
        masks: NDArray[np.int64] = shown @ (1 << np.arange(shown.shape[1])) | np.array(odd) << 24
        return masks

    @property
    def _joins(self) -> bool:
        """Return whether the phase also joins edges."""
        return self.number == _LAST and self.turns.puzzle.sides[0] <= _JOINED

    @cached_property
    def _edges(self) -> EdgeTables:
        return EdgeTables(self.turns, self.usable)

    @cached_property
    def _maps(self) -> BeamMaps:
        moves, usable = self.turns.turns, self.usable
        home = self.turns.puzzle.pieces.solved[None]
        made = []
        for orbit, slots in enumerate(self._orbits):
            where = {int(slot): place for place, slot in enumerate(slots)}
            permutations = [[where[int(t.effect[slot])] for slot in slots] for t in moves]
            odd = [self._odd(self._wings[orbit], t.effect) for t in moves]
            still = np.tile(np.arange(len(slots), PLACES), (len(moves), 1))
            made.append(mask_maps(np.concatenate([permutations, still], axis=1), odd))

        whole = [n for n, slots in enumerate(self._orbits) if len(slots) == PLACES]
        sets = sets_of(whole) if self.number == _LAST else []
        phase_turns = [turn for turn, flag in zip(moves, usable, strict=True) if flag]
        axis_tables = [
            (orbits, AxisTable([self._orbits[n] for n in orbits], phase_turns)) for orbits in sets
        ]

        def build(progress: Progress) -> Arrays:
            tables = {}
            for orbit, maps in enumerate(made):
                goal = int(self._mask(orbit, home)[0])
                tables[f"orbit{orbit}"] = mask_distances([goal], bits_of(usable), maps)
                progress((orbit + 1) / (len(made) + len(axis_tables)))
            for number, (orbits, table) in enumerate(axis_tables):
                octets = [int(self._mask(n, home)[0]) & (1 << OCTET) - 1 for n in orbits]
                tables[f"axis{number}"] = table.build(octets)
                progress((len(made) + number + 1) / (len(made) + len(axis_tables)))
            if self._joins:
                tables["edges"] = self._edges.build()
            return tables

        part = {None: "", True: "-inner", False: "-outer"}[self.inner]
        name = f"centres-{self.turns.puzzle.sides[0]}-{self.number + 1}{part}"
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
        edges = self._edges
        edge_scale = np.minimum(np.arange(256.0) ** _EDGE_POWER * _EDGE_UNIT, 60000)
        arrays: tuple[NDArray[Any], ...] = (
            np.stack([maps.bytes_by for maps in made]),
            np.stack([maps.odd for maps in made]),
            *(np.array(moved, np.int64), made[0].ones, made[0].low, made[0].high),
            *(np.concatenate(distances), offsets, costs, self.turns.allowed(usable)),
            *self._axis_arrays(sets, [tables[f"axis{n}"] for n in range(len(sets))]),
            np.ascontiguousarray(edges.steps),
            *(tables.get("edges", np.empty(0, np.uint8)), edge_scale.astype(np.uint16)),
        )
        for array in arrays:
            array.flags.writeable = False
        return BeamMaps(*arrays)

    def _axis_arrays(
        self, sets: Sequence[tuple[int, ...]], distances: Sequence[Bytes]
    ) -> tuple[NDArray[Any], ...]:
        """Return the last six arrays of `BeamMaps`."""
        padded = np.full((len(sets), 4), -1, np.int64)
        touched = []
        for row, orbits in zip(padded, sets, strict=True):
            row[: len(orbits)] = orbits
        for turn in self.turns.turns:
            moved = [
                (turn.effect[slots] != slots).reshape(AXES, -1).any(axis=1)
                for slots in self._orbits
            ]
            flags = [any(moved[n][axis] for n in orbits) for orbits in sets for axis in range(AXES)]
            touched.append(bits_of(flags))
        scale = np.arange(256.0) ** _AXIS_POWER * _AXIS_UNIT
        costs = np.tile(np.minimum(scale, 60000).astype(np.uint16), (len(sets), 1))
        tables = np.concatenate([np.empty(0, np.uint8), *distances])
        offsets = np.cumsum([0, *(len(table) for table in distances)])[:-1].astype(np.int64)
        return padded, np.array(touched, np.int64), octet_numbers(), tables, offsets, costs

    @cached_property
    def frame(self) -> LinkFrame:
        """Return the frame for macros, which end the phase where the beam gets stuck."""
        orbits, kept, even = self.turns.orbits, list[tuple[Slots, int]](), list[PieceOrbit]()
        if self._parted:
            other = replace(self, inner=not self.inner)
            done = self.number + (self.inner is False)
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
        """Return whether the two rings of centres are solved one after the other."""
        return self.inner is not None

    def run(self, start: Arrangement, words: Sequence[Word], wanted: int) -> list[Word]:
        """Extend words so that they also end this phase.

        Args:
            start: The start of all words.
            words: Words that end the phases before.
            wanted: Number of words.
        """
        numbers = {turn.word[0]: n for n, turn in enumerate(self.turns.turns)}
        letters = np.stack(list(self.turns.puzzle.pieces.turns.values())).astype(np.int16)
        states = start[effects_of(letters, words)]
        masks = self.masks(states)
        if self._joins:
            masks = np.hstack([masks, [self._edges.numbers(state) for state in states]])
        starts = [
            Started(mask, len(word), numbers[word[-1]] if word else len(numbers))
            for mask, word in zip(masks, words, strict=True)
        ]
        slack = _EDGE_SLACK if self._joins else _SLACK
        reached = MaskBeam(self._maps, self.width, slack, slack + _PATIENCE).run(starts, wanted)
        found = reached.home or reached.near
        made = [(*words[n], *self.turns.letters(turns)) for n, turns in found]
        return made if reached.home else self._last.run(start, made, wanted)
