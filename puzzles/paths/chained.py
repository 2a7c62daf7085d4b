"""Ways by chains of links: of big cubes by reduction, of other puzzles orbit after orbit."""

from dataclasses import dataclass
from itertools import product
from typing import Any, Generic

import numpy as np

from cube.laws import orbit_of
from cube.state import SOLVED, CubeState
from puzzles.groups.analysis import Analysis
from puzzles.groups.words import Alphabet, Word
from puzzles.kinds.box import Box
from puzzles.kinds.painted import Stickers
from puzzles.kinds.puzzle import State
from puzzles.paths.big_cubes import exchange_names, reduced, reducing_frames
from puzzles.paths.chain import WORK, ChainLink, WordChain
from puzzles.paths.macros import Recipe
from puzzles.paths.peephole import Peephole
from puzzles.paths.placing import orbits_of, placing_frames
from puzzles.paths.way import TurnPath
from solver.search.anytime import solve
from solver.search.loading import SearchTables, load_tables
from solver.tables import TableStore

CHAIN_BYTES = 400_000_000
"""What making and using macros may fill."""
_FEW_LAYERS = 4
"""With so few the macros may be richer."""
_MANY_LAYERS = 7
"""With so many each comparison takes longer."""
_PARTED = 4
"""Pieces that a commutator may move, as a rule."""
_FINALS = 16
_SOLVES = 4
_SOLVE_MS = 200.0


@dataclass(frozen=True, slots=True)
class BigCubeWays:
    """Ways of n × n × n cubes: both states are reduced, and what is left is a 3 × 3 × 3.

    Attributes:
        puzzle: The cube.
        alphabet: Its turns.
        chain: Centres, then edges.
        tables: Those of the 3 × 3 × 3.
        peephole: Shortens what comes out.
        exchange: A word that leaves a cube reduced and permutes its edges oddly; empty where
            turns cannot.
    """

    puzzle: Box
    alphabet: Alphabet
    chain: WordChain
    tables: SearchTables
    peephole: Peephole
    exchange: Word

    def between(self, one: Stickers, other: Stickers) -> TurnPath | None:
        """A way from one state to another, or None when none is found."""
        starts, ends = self._reduced(one), self._reduced(other)
        pairs = [
            (len(there) + len(back), there, back, rest)
            for (there, here), (back, goal) in product(starts, ends)
            if orbit_of(rest := goal.inverse() * here) == orbit_of(SOLVED)
        ]
        letters = {turn.name: number for number, turn in enumerate(self.alphabet.turns)}
        best: Word | None = None
        for _, there, back, rest in sorted(pairs, key=lambda pair: pair[0])[:_SOLVES]:
            moves = solve(rest, tables=self.tables, budget_ms=_SOLVE_MS).moves
            middle = tuple(letters[str(move)] for move in moves)
            word = self.alphabet.simple((*there, *middle, *self.alphabet.inverse(back)))
            if best is None or len(word) < len(best):
                best = word
        if best is None:
            return None
        best = self.peephole.shortened(best)
        return TurnPath(tuple(self.alphabet.turns[letter] for letter in best), "reduction")

    def _reduced(self, state: Stickers) -> list[tuple[Word, CubeState]]:
        """Words that reduce a state, and what 3 × 3 × 3 each leaves."""
        if state == self.puzzle.solved:
            return [((), SOLVED)]
        found = []
        for word in self.chain.words(self.puzzle.arrangement(state), _FINALS):
            there = state
            for letter in word:
                there = self.puzzle.apply(there, self.alphabet.turns[letter])
            found.append((word, reduced(there, self.puzzle.sides[0])))
        if self.exchange:
            solved = self.puzzle.solved
            for letter in self.exchange:
                solved = self.puzzle.apply(solved, self.alphabet.turns[letter])
            odd = reduced(solved, self.puzzle.sides[0])
            found += [((*word, *self.exchange), state * odd) for word, state in found]
        return found


@dataclass(frozen=True, slots=True)
class PlacedWays(Generic[State]):
    """Ways of any puzzle: its pieces are brought home orbit after orbit.

    Attributes:
        analysis: The puzzle's.
        alphabet: Its turns.
        chain: A link for each orbit.
        peephole: Shortens what comes out.
    """

    analysis: Analysis[State]
    alphabet: Alphabet
    chain: WordChain
    peephole: Peephole

    def between(self, one: State, other: State) -> TurnPath | None:
        """A way from one state to another, or None when none is found."""
        element = self.analysis.element(one, other)
        if element is None:
            return None
        words = self.chain.words(np.argsort(element), _FINALS)
        if not words:
            return None
        word = min((self.alphabet.simple(word) for word in words), key=len)
        word = self.peephole.shortened(word)
        return TurnPath(tuple(self.alphabet.turns[letter] for letter in word), "orbit after orbit")


def big_cube_ways(puzzle: Box, store: TableStore) -> BigCubeWays:
    """What finds ways of a cube with more than three layers."""
    alphabet, side = Alphabet(puzzle.turns, puzzle.pieces.turns), puzzle.sides[0]
    centres, edges = reducing_frames(puzzle.pieces, side)
    small = side == _FEW_LAYERS
    first = Recipe(parted=4 if small else 3)
    second = Recipe(words=5000, inner=5000 if small else 300, parted=6 if small else 3)
    work = WORK / 2 if side >= _MANY_LAYERS else WORK
    links = (
        ChainLink(centres, first, alphabet, store, work=work),
        ChainLink(edges, second, alphabet, store, slack=6, distinct=True, work=work),
    )
    names = [turn.name for turn in alphabet.turns]
    exchange = tuple(names.index(name) for name in exchange_names(side))
    tables = load_tables(store)
    return BigCubeWays(puzzle, alphabet, WordChain(links), tables, Peephole(alphabet), exchange)


def placed_ways(analysis: Analysis[Any], store: TableStore) -> PlacedWays[Any]:
    """What finds ways of any puzzle whose pieces can be told apart, or are told apart here."""
    pieces = analysis.pieces
    alphabet = Alphabet(analysis.puzzle.turns, pieces.turns)
    orbits = orbits_of(pieces)
    recipes = [
        Recipe(words=4000, inner=300, setups=2, parted=_PARTED * orbit.telling) for orbit in orbits
    ]
    links = tuple(
        ChainLink(frame, recipe, alphabet, store)
        for frame, recipe in zip(placing_frames(pieces, orbits), recipes, strict=True)
    )
    return PlacedWays(analysis, alphabet, WordChain(links), Peephole(alphabet))
