"""Paths of any puzzle by a table of words for its group, from short words and commutators."""

from functools import cached_property
from typing import Generic

import numpy as np

from puzzles.groups.analysis import Analysis
from puzzles.groups.commutators import Setups, short_words, three_cycles
from puzzles.groups.peephole import Peephole
from puzzles.groups.stabiliser_chain import StabiliserChain
from puzzles.groups.words import Alphabet, WordTable
from puzzles.kinds.pieces import Pieces
from puzzles.kinds.puzzle import PuzzleTurn, State
from solver.errors import SolverError

_SHORT_WORDS = 4000
_ROUNDS = 200
_FEW_SLOTS = 20


def word_table(
    pieces: Pieces, alphabet: Alphabet, chain: StabiliserChain, rng: np.random.Generator
) -> WordTable:
    """Return words for all elements of the group of the turns.

    Args:
        pieces: The puzzle.
        alphabet: Its turns.
        chain: The complete chain of its group.
        rng: Random generator of the words to try.

    Raises:
        SolverError: Some element has no word; another seed may help.
    """
    table = WordTable(alphabet, chain.orbits)
    words = short_words(alphabet, _SHORT_WORDS)
    for word, effect in words:
        table.absorb(word, effect, 16)
    if table.missing:
        cycles = three_cycles(pieces, alphabet, rng)
        for kind in pieces.kinds:
            if kind.name in cycles and Setups.fits(kind):
                _absorb_cycles(table, pieces, Setups(kind, alphabet, cycles[kind.name]), chain)
    for _ in range(_ROUNDS):
        table.close()
        if not table.missing:
            return table
        for _ in range(50):
            one, two = (words[int(rng.integers(len(words)))] for _ in range(2))
            table.absorb(alphabet.joined(one[0], two[0]), one[1][two[1]], 10_000)
    raise SolverError(f"no words were found for {table.missing} of the places that turns reach")


def _absorb_cycles(
    table: WordTable, pieces: Pieces, setups: Setups, chain: StabiliserChain
) -> None:
    """Add the shortest three-cycles of unfixed places for each base point of a kind."""
    place_of = {slot: place.slots for place in pieces.places for slot in place.slots}
    mine = set(setups.slots.tolist())
    allowed = np.ones(len(pieces.colours), bool)
    for point, orbit in chain.orbits.items():
        allowed[list(place_of[point])] = False
        for end in orbit & mine if point in mine else ():
            if end in place_of[point]:
                continue
            third = allowed.copy()
            third[list(place_of[end])] = False
            few = third[setups.slots].sum() < _FEW_SLOTS
            for word, effect in setups.shortest(point, end, third, _FEW_SLOTS if few else 1):
                table.absorb(word, effect, 4 * len(word))


_IMPROVEMENTS = 2000


class WordWays(Generic[State]):
    """Connects the states of a puzzle by a word for the element of the group between them.

    Args:
        analysis: The puzzle's analysis.
        rng: Random generator of the words to try; another one gives other paths.
    """

    def __init__(self, analysis: Analysis[State], rng: np.random.Generator) -> None:
        self._analysis = analysis
        self._rng = rng
        self._alphabet = Alphabet(analysis.puzzle.turns, analysis.pieces.turns)
        self._peephole = Peephole(self._alphabet)

    @cached_property
    def _table(self) -> WordTable:
        pieces = self._analysis.pieces
        table = word_table(pieces, self._alphabet, self._analysis.chain, self._rng)
        table.improve(self._rng, _IMPROVEMENTS)
        return table

    def between(self, one: State, other: State) -> tuple[PuzzleTurn, ...] | None:
        """Return turns that lead from one state to another, or None if there are none.

        Raises:
            SolverError: A state is not a re-assembly of the puzzle, or words were not found.
        """
        element = self._analysis.element(one, other)
        if element is None:
            return None
        word = self._peephole.word(element)
        return self._peephole.turns(self._table.word(element) if word is None else word)
