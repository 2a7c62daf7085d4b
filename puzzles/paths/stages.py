"""Stages: all pieces of a puzzle, by some of its turns, to where fewer turns can solve them.

A stage ends when every piece is where the turns of the next stage can bring it home. How far a
state is from that is estimated by sets of a few pieces: for each set, a table has its distance in
every position, whatever the others do. The sum of these distances guides a beam.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod

import numpy as np
from numpy.typing import NDArray

from puzzles.groups.words import Alphabet, Word
from puzzles.kinds.pieces import Arrangement
from puzzles.paths.beam import in_two_threads
from puzzles.paths.frames import PieceOrbit
from puzzles.paths.kernels.stages import BARRED, UNKNOWN, StageMaps
from solver.kernels.memory import make_read_only
from solver.table_files import Arrays
from solver.tables import Progress, TableSet, TableStore

_VERSION = 2
_CODES = 64
_LARGEST = 1 << 24
"""Entries of the largest table for the pieces that come home in one stage."""
_WINDOW, _WINDOW_ENTRIES = 4, 1 << 20
"""Pieces in a set of those that the next stage may still move."""

Codes = NDArray[np.uint8]
Totals = NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class StagePiece:
    """A piece as a stage sees it.

    Attributes:
        orbit: The number of its orbit.
        home: The slot of its first sticker at home.
        layers: The layers that it is in.
        goals: The codes in which the next stage can bring it home.
    """

    orbit: int
    home: int
    layers: frozenset[str]
    goals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FaceStage:
    """A stage.

    Attributes:
        letters: The letters of its turns in the alphabet.
        pieces: The pieces that it must bring somewhere.
        codes: The code of each slot, shape (slots,); -1 for those out of reach.
        maps: What the beam needs.
    """

    letters: tuple[int, ...]
    pieces: tuple[StagePiece, ...]
    codes: NDArray[np.int64]
    maps: StageMaps

    def start(self, arrangement: Arrangement) -> Codes:
        """Return the codes of an arrangement's pieces, shape (pieces,)."""
        where = np.argsort(arrangement)[[piece.home for piece in self.pieces]]
        return self.codes[where].astype(np.uint8)

    @property
    def reach(self) -> int:
        """The largest number of turns before the end from which it knows the way: none."""
        return 0

    def rate(self, codes: Codes, lasts: NDArray[np.int64]) -> Totals:
        """Return the sum of distances after each turn of some states, shape (states, turns)."""
        from puzzles.paths.kernels.stages import rate_turns

        totals = np.empty((len(codes), len(self.letters)), np.uint16)
        make_read_only(codes, lasts)
        in_two_threads(
            lambda part: rate_turns(codes, lasts, part.start, part.stop, self.maps, totals),
            len(codes),
        )
        return totals

    def endings(self, codes: Codes, totals: Totals) -> list[tuple[int, Word]]:
        """Return the states with every piece at a goal; no turn follows these."""
        done = np.ones(len(codes), bool)
        for column, piece in zip(codes.T, self.pieces, strict=True):
            done &= np.isin(column, piece.goals)
        totals[done] = BARRED
        return [(row, ()) for row in np.flatnonzero(done).tolist()]

    def make(
        self,
        codes: Codes,
        chosen: NDArray[np.int64],
        totals: Totals,
        seen: NDArray[np.int64],
        most: int,
    ) -> tuple[Codes, NDArray[np.int64]]:
        """Return the codes after chosen turns, and the turns, for the first so many new states."""
        from puzzles.paths.kernels.stages import make_new

        made, kept = np.empty((most, codes.shape[1]), np.uint8), np.empty(most, np.int64)
        new = make_new(codes, chosen, totals, self.maps, seen, made, kept)
        return made[:new], kept[:new]


@dataclass(frozen=True, slots=True)
class StageTurns:
    """The turns of a stage.

    Attributes:
        alphabet: All turns of the puzzle.
        layers: The layers that turn.
    """

    alphabet: Alphabet
    layers: frozenset[str]

    @property
    def letters(self) -> tuple[int, ...]:
        """Return the letters of the turns."""
        turns = self.alphabet.turns
        return tuple(n for n, turn in enumerate(turns) if str(turn.layer) in self.layers)

    def reached(self, slot: int) -> tuple[int, ...]:
        """Return the slots to which turns bring a sticker, in order."""
        goes, found = [self.goes(letter) for letter in self.letters], [slot]
        for here in found:
            found += {int(go[here]) for go in goes} - set(found)
        return tuple(sorted(found))

    def goes(self, letter: int) -> Arrangement:
        """Return where a turn brings the sticker of each slot."""
        return self.alphabet.letters[self.alphabet.inverse((letter,))[0]]

    def allowed(self) -> NDArray[np.int64]:
        """Return the turns that are useful after each, one bit each; the last row is for none."""
        letters = self.letters
        made = np.full(len(letters) + 1, (1 << len(letters)) - 1, np.int64)
        for at, one in enumerate(letters):
            for bit, two in enumerate(letters):
                same = self.alphabet.turns[one].layer == self.alphabet.turns[two].layer
                a, b = self.alphabet.letters[one], self.alphabet.letters[two]
                if same or (two < one and (a[b] == b[a]).all()):
                    made[at] &= ~(1 << bit)
        return made


def stage_of(
    orbits: Sequence[PieceOrbit], turns: StageTurns, after: StageTurns, store: TableStore
) -> FaceStage:
    """Return a stage; its tables are made if none are stored.

    Args:
        orbits: The puzzle's pieces, of each of which the first sticker tells the orientation.
        turns: The turns of the stage.
        after: Those of the next one.
        store: The storage of the tables.
    """
    letters = turns.letters
    codes, pieces = _pieces_of(orbits, turns, after)
    moves = np.zeros((len(orbits), len(letters), _CODES), np.uint8)
    touched = np.zeros((len(orbits), _CODES), np.int64)
    for number, orbit in enumerate(orbits):
        slots = [slot for slot in orbit.slots.ravel().tolist() if codes[slot] >= 0]
        for at, letter in enumerate(letters):
            there = codes[turns.goes(letter)[slots]]
            moves[number, at, codes[slots]] = there
            touched[number, codes[slots]] |= (there != codes[slots]).astype(np.int64) << at
    counts = [int(codes[orbit.slots].max()) + 1 for orbit in orbits]
    sets = _sets_of(pieces, counts)
    members = np.full((len(sets), max(map(len, sets))), -1, np.int64)
    strides = np.zeros_like(members)
    for row, own in enumerate(sets):
        sizes = [counts[pieces[piece].orbit] for piece in own]
        members[row, : len(own)] = own
        strides[row, : len(own)] = [prod(sizes[at + 1 :]) for at in range(len(own))]
    entries = [prod(counts[pieces[piece].orbit] for piece in own) for own in sets]
    maps = StageMaps(
        moves,
        touched,
        np.array([piece.orbit for piece in pieces], np.int64),
        np.random.default_rng(3).integers(0, 1 << 62, (len(pieces), _CODES)),
        members,
        np.array([len(own) for own in sets], np.int64),
        strides,
        np.cumsum([0, *entries[:-1]]).astype(np.int64),
        np.zeros(0, np.uint8),
        turns.allowed(),
    )
    distances = store.obtain(_tables(maps, pieces, entries)).arrays["distances"]
    maps = maps._replace(distances=distances)
    make_read_only(*maps)
    return FaceStage(letters, tuple(pieces), codes, maps)


def _pieces_of(
    orbits: Sequence[PieceOrbit], turns: StageTurns, after: StageTurns
) -> tuple[NDArray[np.int64], list[StagePiece]]:
    """Return the code of each slot, and the pieces that the stage must bring somewhere."""
    codes = np.full(len(turns.alphabet.letters[0]), -1, np.int64)
    pieces: list[StagePiece] = []
    layers = {turn.layer: turns.goes(n) for n, turn in enumerate(turns.alphabet.turns)}
    for number, orbit in enumerate(orbits):
        near = {slot: turns.reached(slot) for slot in orbit.slots[:, 0].tolist()}
        reach = sorted({slot for own in near.values() for slot in own if len(own) > 1})
        codes[reach] = np.arange(len(reach))
        for row in orbit.slots.tolist():
            goals, own = after.reached(row[0]), near[row[0]]
            places = sum(bool({*places} & {*goals}) for places in orbit.slots.tolist())
            if len(own) == 1 or len(goals) == places * len(row):
                continue  # it does not move, or is home in any orientation
            inside = frozenset(
                str(layer) for layer, goes in layers.items() if goes[row[0]] != row[0]
            )
            pieces.append(StagePiece(number, row[0], inside, tuple(codes[list(goals)].tolist())))
    return codes, pieces


def _sets_of(pieces: Sequence[StagePiece], counts: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the sets of pieces, by their numbers."""
    single = [n for n, piece in enumerate(pieces) if len(piece.goals) == 1]
    loose = [n for n, piece in enumerate(pieces) if len(piece.goals) > 1]
    if prod(counts[pieces[n].orbit] for n in single) <= _LARGEST:
        sets = [tuple(single)]
    else:
        sets = []
        for n in single:
            inside = [m for m in single if pieces[m].layers < pieces[n].layers]
            sets += [(n, *pair) for pair in combinations(inside, 2)]
            sets += [(n, inside[0])] if len(inside) == 1 else []
        sets += [(n,) for n in single if not any(n in own for own in sets)]
    for number in range(len(counts)):
        ring = [n for n in loose if pieces[n].orbit == number]
        size = min(_WINDOW, len(ring))
        while size and counts[number] ** size > _WINDOW_ENTRIES:
            size -= 1
        twice = [*ring, *ring]
        sets += [tuple(twice[at : at + size]) for at in range(len(ring))]
    return sets


def _tables(maps: StageMaps, pieces: Sequence[StagePiece], entries: Sequence[int]) -> TableSet:
    """Return the tables of all sets."""

    def build(progress: Progress) -> Arrays:
        from puzzles.paths.kernels.stages import spread

        made = []
        for number, size in enumerate(entries):
            progress(number / len(entries))
            own = maps.members[number, : maps.sizes[number]]
            strides = maps.strides[number, : len(own)].copy()
            distances = np.full(size, UNKNOWN, np.uint8)
            home = np.zeros(1, np.int64)
            for piece, stride in zip(own.tolist(), strides.tolist(), strict=True):
                goals = np.array(pieces[piece].goals, np.int64) * stride
                home = (home[:, None] + goals).ravel()
            distances[home] = 0
            moves = np.ascontiguousarray(maps.moves[maps.orbits[own]])
            make_read_only(strides, moves)
            spread(moves, strides, distances, np.empty(size, np.int32))
            if size > _WINDOW_ENTRIES:  # windows overlap: each of their pieces counts as often
                distances[distances != UNKNOWN] *= _WINDOW
            made.append(distances)
        return {"distances": np.concatenate(made)}

    shown = [(piece.orbit, piece.home, piece.goals) for piece in pieces]
    digest = hashlib.sha256(repr(shown).encode())
    for array in (maps.moves, maps.members):
        digest.update(array.tobytes())
    return TableSet(f"stage-{digest.hexdigest()[:16]}", _VERSION, build)
