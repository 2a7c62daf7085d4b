"""A way of turns from one state of any puzzle to another."""

from functools import cached_property
from typing import Generic

import numpy as np

from puzzles.groups.analysis import Analysis
from puzzles.groups.bidirectional import shortest
from puzzles.groups.commutators import short_words
from puzzles.groups.factoring import word_table
from puzzles.groups.words import Alphabet, Word, WordTable
from puzzles.kinds.pieces import Arrangement
from puzzles.kinds.puzzle import PuzzleTurn, State

_SHORT_WORDS = 4000
_IMPROVEMENTS = 2000
_WINDOW = 14
_MOST_SEARCHED = 20_000


class WordWays(Generic[State]):
    """Connects the states of a puzzle.

    Near states are connected by a shortest way, from both ends; others by a word for the element of
    the group that leads from one to the other, which is then shortened.

    Args:
        analysis: The puzzle's.
        rng: For the words that are tried; another one gives other ways.
    """

    def __init__(self, analysis: Analysis[State], rng: np.random.Generator) -> None:
        self._analysis = analysis
        self._rng = rng
        self._alphabet = Alphabet(analysis.puzzle.turns, analysis.pieces.turns)

    @cached_property
    def _short(self) -> dict[bytes, Word]:
        """Short words by what they do, the shortest for each."""
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
        """Turns that lead from one state to another, or None when none do.

        Raises:
            SolverError: A state is no re-assembly of the puzzle, or words were not found.
        """
        element = self._analysis.element(one, other)
        if element is None:
            return None
        if self._analysis.alike > 1:  # the element is one of many then, and not the nearest
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
        """The shortest word that two short ones make, if they make one."""
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
        """The word with pieces of it replaced by shorter ones that do the same, while there are."""
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
