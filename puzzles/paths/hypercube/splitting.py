"""The stage in which a hypercube's pieces come to their layers.

Each outer layer gets its own pieces, the faces of a cell as a rotation of the cell leaves them, and
no corner of the middle cube stays mirrored. A beam is guided by the distances of the faces, of the
edges, and of the corners together with the mirrored ones. The states that need a few turns are all
known, since such distances say little there.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from puzzles.groups.words import Word
from puzzles.kinds.pieces import Arrangement
from puzzles.paths.beam import in_two_threads
from puzzles.paths.hypercube.codes import LayerCodes
from puzzles.paths.hypercube.layers import ENDS, CellLayers
from puzzles.paths.kernels.layers import (
    ARRANGED,
    CODES,
    CORNERS_AT,
    EDGES_AT,
    PLACES,
    SIX,
    LayerMaps,
)
from puzzles.paths.kernels.stages import UNKNOWN
from puzzles.paths.stages import Codes, Totals
from solver.kernels.memory import make_read_only
from solver.table_files import Arrays
from solver.tables import Progress, TableSet, TableStore

_VERSION = 1
_NEAR = 4
"""Turns from the end within which all states are known."""
_ALL = 1 << 24

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class LayerStage:
    """The stage.

    Attributes:
        coding: The codes of arrangements.
        letters: The letters of the turns that keep the axis.
        maps: What the beam needs.
        keys: Hashes of the states near the end, in order.
        steps: For each of these the turn towards the end, or the number of turns at the end.
    """

    coding: LayerCodes
    letters: tuple[int, ...]
    maps: LayerMaps
    keys: Numbers
    steps: NDArray[np.uint8]

    @property
    def reach(self) -> int:
        """The largest number of turns before the end from which it knows the way."""
        return _NEAR + 1

    def start(self, arrangement: Arrangement) -> Codes:
        """Return the codes of an arrangement whose axis is ready, shape (codes,)."""
        return self.coding.codes(arrangement)

    def can_end(self, codes: Codes) -> bool:
        """Return whether an even number of corners is mirrored, as the turns require."""
        mask = int.from_bytes(codes[CORNERS_AT:].tobytes(), "little")
        return bool(self.maps.corners[mask] != UNKNOWN)

    def rate(self, codes: Codes, lasts: Numbers) -> Totals:
        """Return the estimate after each turn of some states, shape (states, turns)."""
        from puzzles.paths.kernels.layers import rate_layers

        totals = np.empty((len(codes), len(self.letters)), np.uint16)
        make_read_only(codes, lasts)
        in_two_threads(
            lambda part: rate_layers(codes, lasts, part.start, part.stop, _NEAR, self.maps, totals),
            len(codes),
        )
        return totals

    def endings(self, codes: Codes, totals: Totals) -> list[tuple[int, Word]]:
        """Return states one turn before those near the end, and the rest of the way."""
        rows, turns = np.nonzero(totals & 1 == 0)
        made, keys = turned(codes, rows, turns, self.maps)
        return [
            (int(rows[at]), (self.letters[turns[at]], *rest))
            for at in np.flatnonzero(self._known(keys)).tolist()
            if (rest := self._way(made[at])) is not None
        ]

    def make(
        self, codes: Codes, chosen: Numbers, _totals: Totals, seen: Numbers, most: int
    ) -> tuple[Codes, Numbers]:
        """Return the codes after chosen turns, and the turns, for the first so many new states."""
        from puzzles.paths.kernels.layers import make_layers

        made, kept = np.empty((most, CODES), np.uint8), np.empty(most, np.int64)
        new = make_layers(codes, chosen, self.maps, seen, made, kept)
        return made[:new], kept[:new]

    def _known(self, keys: Numbers) -> NDArray[np.bool_]:
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        known: NDArray[np.bool_] = self.keys[at] == keys
        return known

    def _way(self, state: Codes) -> Word | None:
        """Return the way from a state near the end; None if it only looked like one."""
        rest: list[int] = []
        codes, none = state[None], np.zeros(1, np.int64)
        while len(rest) <= _NEAR:
            still = np.full(1, len(self.letters))
            keys = turned(codes, none, still, self.maps)[1]
            if not self._known(keys)[0]:
                break
            step = int(self.steps[np.searchsorted(self.keys, keys[0])])
            if step == len(self.letters):
                return tuple(rest)
            codes = turned(codes, none, np.full(1, step), self.maps)[0]
            rest.append(self.letters[step])
        return None


def turned(codes: Codes, rows: Numbers, turns: Numbers, maps: LayerMaps) -> tuple[Codes, Numbers]:
    """Return the codes after turns of some states, and hashes of what the stage considers.

    Args:
        codes: The codes before, shape (states, codes).
        rows: For each turn the number of its state.
        turns: The turns; their number for none.
        maps: The stage.
    """
    from puzzles.paths.kernels.layers import turn_layers

    made, keys = np.empty((len(rows), CODES), np.uint8), np.empty(len(rows), np.int64)
    codes, rows, turns = codes.copy(), rows.copy(), turns.copy()
    make_read_only(codes, rows, turns)
    turn_layers(codes, rows, turns, maps, made, keys)
    return made, keys


def layer_stage(layers: CellLayers, store: TableStore) -> LayerStage:
    """Return the stage; its tables are made in about ten seconds if none are stored."""
    coding = LayerCodes(layers)
    maps = coding.maps()

    def build(progress: Progress) -> Arrays:
        made = maps._replace(alike=arrangement_numbers(coding))
        edges, corners = (
            _mask_distances(maps.moves[first : first + 3], goal)
            for first, goal in ((EDGES_AT, (1 << 12) - 1), (CORNERS_AT, (1 << 8) - 1))
        )
        progress(0.3)
        start = coding.codes(np.arange(len(layers.puzzle.stickers)))[None]
        make_read_only(*made)
        faces = _face_distances(start, made)
        progress(0.6)
        keys, steps = near_states(start, made, _inverses(layers))
        progress(1.0)
        return {
            "alike": made.alike,
            "faces": faces,
            "edges": edges,
            "corners": corners,
            "keys": keys,
            "steps": steps,
        }

    arrays = store.obtain(TableSet("hypercube-layers", _VERSION, build)).arrays
    names = ("alike", "faces", "edges", "corners")
    maps = maps._replace(**{name: arrays[name] for name in names})
    make_read_only(*maps)
    return LayerStage(coding, layers.keeping, maps, arrays["keys"], arrays["steps"])


def _inverses(layers: CellLayers) -> list[int]:
    letters = layers.keeping
    return [letters.index(layers.alphabet.inverse((letter,))[0]) for letter in letters]


def arrangement_numbers(coding: LayerCodes) -> NDArray[np.int16]:
    """Return the numbers of arrangements of six faces, shape (cells, 12^6); -1 for no such one.

    Those in the same places have thirty numbers one after the other.
    """
    numbers = np.arange(PLACES**SIX)
    digits = [numbers // PLACES ** (SIX - 1 - part) % PLACES for part in range(SIX)]
    bits = [1 << digit for digit in digits]
    used = np.bitwise_or.reduce(bits)
    kept = np.flatnonzero(used == np.add.reduce(bits))
    digits = [digit[kept] for digit in digits]
    least = np.full(len(kept), PLACES**SIX)
    for rotation in coding.rotated():
        number = np.zeros(len(kept), np.int64)
        for part in rotation:
            number = number * PLACES + digits[part]
        least = np.minimum(least, number)
    made = np.full((len(ENDS), PLACES**SIX), -1, np.int16)
    every = (1 << PLACES) - 1
    for cell, places in enumerate((used[kept], every ^ used[kept])):  # K's by those left for A
        made[cell, kept] = np.unique(places * PLACES**SIX + least, return_inverse=True)[1]
    return made


def _mask_distances(moves: NDArray[np.int32], goal: int) -> NDArray[np.uint8]:
    from puzzles.paths.kernels.layers import spread_masks

    distances = np.full(_ALL, UNKNOWN, np.uint8)
    distances[goal] = 0
    moves = np.ascontiguousarray(moves)
    make_read_only(moves)
    spread_masks(moves, distances, np.empty(_ALL, np.int32))
    return distances


def _face_distances(start: Codes, maps: LayerMaps) -> NDArray[np.uint8]:
    from puzzles.paths.kernels.layers import spread_faces

    distances = np.full((int(maps.alike.max()) + 1) * ARRANGED, UNKNOWN, np.uint8)
    queue = np.empty((len(distances), EDGES_AT), np.uint8)
    queue[0] = start[0, :EDGES_AT]
    spread_faces(maps.places, maps.alike, distances, queue)
    return distances


def near_states(
    start: Codes, maps: LayerMaps, inverses: list[int]
) -> tuple[Numbers, NDArray[np.uint8]]:
    """Return hashes of the states near the end, in order, and the turn towards it from each."""
    still = np.full(1, len(inverses))
    keys = turned(start, np.zeros(1, np.int64), still, maps)[1]
    steps, edge = still.astype(np.uint8), start
    for _ in range(_NEAR):
        parts = []
        for turn, back in enumerate(inverses):
            made, found = turned(edge, np.arange(len(edge)), np.full(len(edge), turn), maps)
            found, first = np.unique(found, return_index=True)
            new = ~np.isin(found, keys)
            parts.append((found[new], made[first[new]], np.full(new.sum(), back, np.uint8)))
        found, made, back_turns = (np.concatenate(column) for column in zip(*parts, strict=True))
        fresh, first = np.unique(found, return_index=True)
        edge = made[first]
        order = np.argsort(merged := np.concatenate([keys, fresh]))
        keys, steps = merged[order], np.concatenate([steps, back_turns[first]])[order]
    return keys, steps
