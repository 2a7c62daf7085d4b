"""Paths of n × n × n cubes: both states are reduced, and the rest is a 3 × 3 × 3."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Protocol

import numpy as np

from cube.laws import orbit_of
from cube.state import SOLVED, CubeState
from puzzles.groups.words import Alphabet, Word
from puzzles.kinds.box import Box
from puzzles.kinds.pieces import Arrangement
from puzzles.kinds.puzzle import Stickers
from puzzles.paths.chained import WORK, ChainLink, Peephole, RelayLink, WordChain
from puzzles.paths.large.axis_tables import AXES, diagonal_rotation
from puzzles.paths.large.centres import PHASES, RINGS, CentrePhase
from puzzles.paths.large.cube_turns import CubeTurns, wide_count
from puzzles.paths.large.four import FourPhases
from puzzles.paths.large.frames import BUDGET_MS, edge_frames, exchange_names, reduced
from puzzles.paths.macros import Recipe
from puzzles.paths.way import TurnPath
from solver.clock import thread_clock_ns
from solver.search.engine import Run
from solver.search.objectives import SearchTables, load_tables
from solver.tables import TableStore

_FOUR = 4
_WIDTH, _LEAST_WIDTH = 8000, 500
"""States that continue in the beams of the centres, for the default time."""
_BETWEEN = 100
_WORK = 12 * WORK
_INNER = 80_000, 6000, 300
"""Words of face turns between two turns of an inner layer, to pair edges.

The more there are, the shorter are the results; but fewer of the macros are left that exchange only
a few pieces, so the beam may miss the last ones. Then, fewer are used. An even side needs more of
those macros.
"""
_LONGEST = 250
"""Turns after which pairing edges is given up."""
_PATIENCE = 24
"""Turns without a better state after which macros of another recipe continue."""
_REST = 0.2
"""The share of the time that is left at least for the 3 × 3 × 3."""
_FINALS = 200
_HOPELESS = 14
"""Few 3 × 3 × 3 cubes have solutions of so few turns that it is worth searching for them."""
_ROUNDS_MS = (10.0, 40.0, 160.0)
_FIRST_MS = 200.0


class Reducer(Protocol):
    """Finds words that reduce a cube to a 3 × 3 × 3."""

    def words(self, start: Arrangement, wanted: int) -> list[Word]:
        """Return words, the shortest first; empty if none is found."""


@dataclass(frozen=True, slots=True)
class AxesReducer:
    """Tries each axis as the first one whose centres come home; the shortest words continue.

    Attributes:
        turns: The turns of the cube.
        first: Brings the centres of the axis of R and L home.
        rest: Reduces the cube from there.
    """

    turns: CubeTurns
    first: WordChain
    rest: WordChain

    def words(self, start: Arrangement, wanted: int) -> list[Word]:
        """Return words, the shortest first; empty if none is found."""
        rotation = diagonal_rotation(self.turns)
        back, tries = np.argsort(rotation), list[tuple[int, Arrangement, list[Word]]]()
        for turned in range(AXES):
            if words := self.first.words(start, self.first.between):
                tries.append((turned, start, words))
            start = back[start[rotation]]
        for turned, start, words in sorted(tries, key=lambda made: min(map(len, made[2]))):
            if found := self.rest.words(start, wanted, words):
                return self._turned_back(found, rotation, turned)
        return []

    def _turned_back(self, words: list[Word], rotation: Arrangement, times: int) -> list[Word]:
        """Return what words for the rotated cube are for the cube before so many rotations."""
        back, turns = np.argsort(rotation), self.turns.turns
        letters = {tuple(turn.effect): turn.word[0] for turn in turns}
        before = {turn.word[0]: letters[tuple(rotation[turn.effect[back]])] for turn in turns}
        for _ in range(times):
            words = [tuple(before[letter] for letter in word) for word in words]
        return words


@dataclass(frozen=True, slots=True)
class _Rest:
    """A reduced cube between two words."""

    there: Word
    back: Word
    cube: CubeState


@dataclass(frozen=True, slots=True)
class BigCubeWays:
    """Paths of n × n × n cubes.

    Attributes:
        puzzle: The cube.
        alphabet: Its turns.
        reducer: Reduces a state.
        tables: Tables of the 3 × 3 × 3.
        peephole: Shortens the results.
        exchange: A word that keeps a cube reduced and permutes its edges oddly; empty if
            impossible, or if the reducer avoids the need for it.
        wide: Whether outer layers may turn together with their neighbours, for one.
        budget_ms: Processor time for a path.
    """

    puzzle: Box
    alphabet: Alphabet
    reducer: Reducer
    tables: SearchTables
    peephole: Peephole
    exchange: Word
    wide: bool = False
    budget_ms: float = BUDGET_MS

    def between(self, one: Stickers, other: Stickers) -> TurnPath | None:
        """Return a path from one state to another, or None if none is found."""
        begun_ns = time.process_time_ns()
        starts, goals = self._reduced(one), self._reduced(other)
        rests = [
            _Rest(there, self.alphabet.inverse(back), rest)
            for (there, here), (back, goal) in product(starts, goals)
            if orbit_of(rest := goal.inverse() * here) == orbit_of(SOLVED)
        ]
        left_ms = self.budget_ms - (time.process_time_ns() - begun_ns) / 1e6
        end = thread_clock_ns() + int(max(left_ms, _REST * self.budget_ms) * 1e6)
        best: Word | None = None
        for word in self._joined(sorted(rests, key=self._length), end):
            if best is None or self.count(word) < self.count(best):
                best = word
        if best is None:
            return None
        return TurnPath(tuple(self.alphabet.turns[letter] for letter in best), "reduction")

    def count(self, word: Word) -> int:
        """Return the number of turns of a word."""
        if not self.wide:
            return len(word)
        return wide_count(self.puzzle, [self.alphabet.turns[letter] for letter in word])

    def _length(self, rest: _Rest) -> int:
        return self.count(rest.there) + self.count(rest.back)

    def _joined(self, rests: Sequence[_Rest], end: int) -> Iterator[Word]:
        """Yield ever shorter words through the 3 × 3 × 3, until the time is over."""
        least: int | None = None
        for budget_ms in _ROUNDS_MS:
            for rest in rests:
                below = 31 if least is None else least - self._length(rest)
                if below <= _HOPELESS or (least is not None and thread_clock_ns() > end):
                    continue
                middle = self._solved(rest.cube, below, _FIRST_MS if least is None else budget_ms)
                if middle is None:
                    continue
                word = self.alphabet.simple((*rest.there, *middle, *rest.back))
                if not self.wide:
                    word = self.peephole.shortened(word)
                least = min(least or self.count(word), self.count(word))
                yield word

    def _solved(self, cube: CubeState, below: int, budget_ms: float) -> Word | None:
        """Return a solution of a 3 × 3 × 3 with fewer turns than a number, if one is found."""
        if cube == SOLVED:
            return ()
        engine = self.tables.engine
        assert engine is not None
        engine = replace(engine, first_bound=below)
        run = Run(engine, cube, budget_ms)
        run.run()
        moves = run.outcome().moves
        if moves is None:
            return None
        letters = {turn.name: number for number, turn in enumerate(self.alphabet.turns)}
        return tuple(letters[str(move)] for move in moves)

    def _reduced(self, state: Stickers) -> list[tuple[Word, CubeState]]:
        """Return words that reduce a state, and the 3 × 3 × 3 after each."""
        if state == self.puzzle.solved:
            return [((), SOLVED)]
        found, start, side = [], self.puzzle.arrangement(state), self.puzzle.sides[0]
        for word in self.reducer.words(start, _FINALS):
            there = start[self.alphabet.effect(word)]
            found.append((word, reduced(self.puzzle.state(there), side)))
        if self.exchange:
            odd = self.puzzle.arrangement(self.puzzle.solved)[self.alphabet.effect(self.exchange)]
            other = reduced(self.puzzle.state(odd), side)
            found += [((*word, *self.exchange), cube * other) for word, cube in found]
        return found


def big_cube_ways(
    puzzle: Box, store: TableStore, *, wide: bool = False, budget_ms: float = BUDGET_MS
) -> BigCubeWays:
    """Return the path finder of a cube with more than three layers."""
    alphabet, side = Alphabet(puzzle.turns, puzzle.pieces.turns), puzzle.sides[0]
    turns = CubeTurns(puzzle, wide=wide and side == _FOUR)
    tables, peephole = load_tables(store), Peephole(alphabet)
    if side == _FOUR:
        phases = FourPhases(turns, store, budget_ms)
        return BigCubeWays(puzzle, alphabet, phases, tables, peephole, (), wide, budget_ms)
    share = budget_ms / BUDGET_MS
    work, frames = _WORK * share, edge_frames(puzzle.pieces, side)
    edges = tuple(
        RelayLink(
            tuple(
                ChainLink(
                    *(frame, Recipe(words=5000, inner=inner, parted=3), alphabet, store),
                    slack=6,
                    distinct=True,
                    work=work / len(frames),
                    longest=_LONGEST,
                    patience=_PATIENCE,
                )
                for inner in _INNER[side % 2 == 0 :]
            )
        )
        for frame in frames
    )
    width = max(_LEAST_WIDTH, int(_WIDTH * share))
    centres = tuple(
        CentrePhase(turns, store, number, inner, width, work)
        for number in range(PHASES)
        for inner in ((True, False) if side >= RINGS and number < 2 else (None,))
    )
    names = [turn.name for turn in alphabet.turns]
    exchange = tuple(names.index(name) for name in exchange_names(side))
    first = WordChain(tuple(phase for phase in centres if not phase.number), _BETWEEN)
    rest = WordChain((*(phase for phase in centres if phase.number), *edges), _BETWEEN)
    reducer = AxesReducer(turns, first, rest)
    return BigCubeWays(puzzle, alphabet, reducer, tables, peephole, exchange, wide, budget_ms)
