"""Shorter words with the same effect, found from both ends: two short words together."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from puzzles.groups.commutators import short_words
from puzzles.groups.words import Alphabet, Word
from puzzles.kinds.pieces import Arrangement
from puzzles.kinds.puzzle import PuzzleTurn

_SHORT_WORDS = 4000
_WINDOW = 8
"""Number of consecutive turns that may be replaced by fewer."""


@dataclass(frozen=True)
class Peephole:
    """Shortens words.

    Attributes:
        alphabet: The turns.
    """

    alphabet: Alphabet

    @cached_property
    def _short(self) -> tuple[list[Word], NDArray[np.int64], dict[int, int]]:
        """Return short words, the shortest first, their inverses, and an index by their effects."""
        still = np.arange(len(self.alphabet.letters[0]))
        made = [((), still), *short_words(self.alphabet, _SHORT_WORDS)]
        effects = np.array([effect for _, effect in made])
        numbers: dict[int, int] = {}
        for number, key in enumerate((effects @ self._salt).tolist()):
            numbers.setdefault(key, number)
        return [word for word, _ in made], np.argsort(effects, axis=1), numbers

    @cached_property
    def _salt(self) -> NDArray[np.int64]:
        size = len(self.alphabet.letters[0])
        return np.random.default_rng(5).integers(-(1 << 62), 1 << 62, size)

    def word(self, effect: Arrangement, below: int | None = None) -> Word | None:
        """Return the shortest word that consists of two short ones and has an effect, if any.

        Args:
            effect: The effect.
            below: Number of letters that it must not reach.
        """
        words, undo, numbers = self._short
        best: Word | None = None
        for row, key in enumerate((undo[:, effect] @ self._salt).tolist()):
            if below is not None and len(words[row]) >= below:
                break
            other = numbers.get(key)
            if other is None:
                continue
            made = (*words[row], *words[other])
            shorter = below is None or len(made) < below
            if shorter and (self.alphabet.effect(made) == effect).all():
                best, below = made, len(made)
        return best

    def shortened(self, word: Word) -> Word:
        """Return the word with shorter ones in place of its windows, as long as possible."""
        at = 0
        while at < len(word):
            part = word[at : at + _WINDOW]
            better = self.word(self.alphabet.effect(part), len(part)) if len(part) > 1 else None
            if better is None:
                at += 1
            else:
                word = self.alphabet.simple((*word[:at], *better, *word[at + _WINDOW :]))
                at = max(0, at - _WINDOW)
        return word

    def turns(self, word: Word) -> tuple[PuzzleTurn, ...]:
        """Return the turns of a word, shortened."""
        word = self.shortened(self.alphabet.simple(word))
        return tuple(self.alphabet.turns[letter] for letter in word)
