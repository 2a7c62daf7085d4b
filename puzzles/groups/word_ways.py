"""A path of turns from one state of any puzzle to another.

This module also contains a complete table of words for a puzzle's group, filled from short words
and commutators.
"""

from functools import cached_property
from typing import Generic

import numpy as np

from puzzles.groups.analysis import Analysis
from puzzles.groups.commutators import Setups, short_words, three_cycles
from puzzles.groups.searches import shortest
from puzzles.groups.stabiliser_chain import StabiliserChain
from puzzles.groups.words import Alphabet, Word, WordTable
from puzzles.kinds.pieces import Arrangement, Pieces
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
_WINDOW = 14
_MOST_SEARCHED = 20_000


class WordWays(Generic[State]):
    """Connects the states of a puzzle.

    Near states are connected by a shortest path, searched from both ends; others by a word for the
    element of the group between them, which is then shortened.

    Args:
        analysis: The puzzle's analysis.
        rng: Random generator of the words to try; another one gives other paths.
    """

    def __init__(self, analysis: Analysis[State], rng: np.random.Generator) -> None:
        self._analysis = analysis
        self._rng = rng
        self._alphabet = Alphabet(analysis.puzzle.turns, analysis.pieces.turns)

    @cached_property
    def _short(self) -> dict[bytes, Word]:
        """Return short words by their effects, the shortest for each."""
        words = short_words(self._alphabet, _SHORT_WORDS)
        found: dict[bytes, Word] = {self._analysis.pieces.solved.tobytes(): ()}
        return found | {effect.tobytes(): word for word, effect in words}

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
        if self._analysis.alike > 1:  # then the element is one of many, and not the nearest
            puzzle = self._analysis.puzzle
            depth = int(np.log(_MOST_SEARCHED) / np.log(max(2, len(puzzle.turns))))
            near = shortest(puzzle, one, 2 * depth, [other])
            if near is not None:
                return near
        word = self._near(element)
        if word is None:
            word = self._shortened(self._table.word(element))
        return tuple(self._alphabet.turns[letter] for letter in word)

    def _near(self, element: Arrangement) -> Word | None:
        """Return the shortest combination of two short words, if there is one."""
        best: Word | None = None
        for effect, word in self._short.items():
            if best is not None and len(word) >= len(best):
                continue
            rest = np.argsort(np.frombuffer(effect, dtype=element.dtype))[element]
            end = self._short.get(rest.tobytes())
            if end is not None and (best is None or len(word) + len(end) < len(best)):
                best = (*word, *end)
        return best

    def _shortened(self, word: Word) -> Word:
        """Return the word with parts replaced by shorter equivalents, as long as possible."""
        at = 0
        while at < len(word):
            done = self._analysis.pieces.solved
            for end in range(at, min(at + _WINDOW, len(word))):
                done = done[self._alphabet.letters[word[end]]]
                known = self._short.get(done.tobytes())
                if known is not None and len(known) < end + 1 - at:
                    word = self._alphabet.simple((*word[:at], *known, *word[end + 1 :]))
                    at = max(0, at - _WINDOW) - 1
                    break
            at += 1
        return word
