"""Words made shorter through a window: what a few turns in a row do may take fewer.

The shorter word is looked for from both ends: two short words that together do the same.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from puzzles.groups.commutators import short_words
from puzzles.groups.words import Alphabet, Word

_SHORT_WORDS = 4000
_WINDOW = 8


@dataclass(frozen=True)
class Peephole:
    """Shortens words.

    Attributes:
        alphabet: The turns.
        window: Turns in a row that are looked at.
    """

    alphabet: Alphabet
    window: int = field(default=_WINDOW)

    @cached_property
    def _short(self) -> tuple[list[Word], NDArray[np.int64], dict[int, int]]:
        """Short words, the shortest first, what undoes each, and which does what, by its key."""
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

    def shortened(self, word: Word) -> Word:
        """The word with shorter ones in place of its windows, while there are."""
        at = 0
        while at < len(word):
            end = min(at + self.window, len(word))
            better = self._better(word[at:end]) if end - at > 1 else None
            if better is None:
                at += 1
            else:
                word = self.alphabet.simple((*word[:at], *better, *word[end:]))
                at = max(0, at - self.window)
        return word

    def _better(self, part: Word) -> Word | None:
        """A shorter word that does the same, made of two short ones."""
        words, undo, numbers = self._short
        wanted = self.alphabet.effect(part)
        for row, key in enumerate((undo[:, wanted] @ self._salt).tolist()):
            other = numbers.get(key)
            if other is None:
                continue
            made = (*words[row], *words[other])
            if len(made) < len(part) and (self.alphabet.effect(made) == wanted).all():
                return made
        return None
