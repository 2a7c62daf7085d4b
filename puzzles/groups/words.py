"""Elements of a group as short words in its generators.

The method is T. Minkwitz's ("An algorithm for solving the factorization problem in permutation
groups", 1998): a table has, for each base point and each point of its orbit, a word that moves it
there and fixes the earlier base points. Every word that is tried is sifted through the table and
replaces longer ones; its rest is tried at the next level.
"""

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np

from puzzles.kinds.pieces import Arrangement
from puzzles.kinds.puzzle import PuzzleTurn

Word = tuple[int, ...]
_Entry = tuple[Word, Arrangement, Arrangement]


class Alphabet:
    """Turns as letters, and the rules that shorten words.

    Args:
        turns: The turns.
        arrangements: The effect of each, by its name.
    """

    def __init__(
        self, turns: Sequence[PuzzleTurn], arrangements: Mapping[str, Arrangement]
    ) -> None:
        self.turns = tuple(turns)
        self.letters = tuple(arrangements[turn.name] for turn in turns)
        numbers = {turn.name: number for number, turn in enumerate(turns)}
        self._inverse = [numbers[turn.inverse] for turn in turns]
        by_effect = {letter.tobytes(): number for number, letter in enumerate(self.letters)}
        still = np.arange(len(self.letters[0])).tobytes()
        self._merged: dict[tuple[int, int], Word] = {}
        for a, b in product(range(len(turns)), repeat=2):
            if turns[a].layer != turns[b].layer:
                continue
            effect = self.letters[a][self.letters[b]].tobytes()
            if effect == still:
                self._merged[a, b] = ()
            elif effect in by_effect:
                self._merged[a, b] = (by_effect[effect],)

    def inverse(self, word: Word) -> Word:
        """Return the inverse of a word."""
        return tuple(self._inverse[letter] for letter in reversed(word))

    def effect(self, word: Word) -> Arrangement:
        """Return the effect of a word."""
        done = np.arange(len(self.letters[0]))
        for letter in word:
            done = done[self.letters[letter]]
        return done

    def joined(self, one: Word, two: Word) -> Word:
        """Return two words in sequence, with turns of one layer merged where they meet."""
        made = list(one)
        for at, letter in enumerate(two):
            if not self._append(made, letter):
                made.extend(two[at + 1 :])  # nothing more can merge: the second word was simplified
                break
        return tuple(made)

    def simple(self, word: Word) -> Word:
        """Return a word with turns of one layer merged, even across turns about the same axis."""
        made: list[int] = []
        for letter in word:
            self._append(made, letter)
        return tuple(made)

    def _append(self, made: list[int], letter: int) -> bool:
        """Append a letter; return whether it merged with another."""
        axis = self.turns[letter].axis
        for at in range(len(made) - 1, -1, -1):
            merged = self._merged.get((made[at], letter))
            if merged is not None:
                made[at : at + 1] = merged
                return True
            if self.turns[made[at]].axis != axis:
                break
        made.append(letter)
        return False


class WordTable:
    """Words for every element of a group.

    Args:
        alphabet: The generators.
        orbits: For each base point, in order, its orbit under elements that fix the earlier ones.
    """

    def __init__(self, alphabet: Alphabet, orbits: Mapping[int, frozenset[int]]) -> None:
        self.alphabet = alphabet
        self._base = [point for point, orbit in orbits.items() if len(orbit) > 1]
        self._sizes = [len(orbits[point]) - 1 for point in self._base]
        self._wanted = sum(self._sizes)
        self._entries: list[dict[int, _Entry]] = [{} for _ in self._base]
        self._found = 0

    @property
    def missing(self) -> int:
        """Return how many entries have no word yet."""
        return self._wanted - self._found

    def absorb(self, word: Word, effect: Arrangement, limit: int) -> bool:
        """Sift a word.

        Args:
            word: The word.
            effect: Its effect.
            limit: Length at which its rest is dropped.

        Returns:
            Whether it filled a missing entry.
        """
        alphabet = self.alphabet
        for point, entries in zip(self._base, self._entries, strict=True):
            image = int(effect[point])
            if image == point:
                continue
            old = entries.get(image)
            if old is None or len(word) < len(old[0]):
                self._keep(point, entries, word, effect)
            if old is None:
                return True
            word = alphabet.joined(alphabet.inverse(old[0]), word)
            if len(word) > limit:
                return False
            effect = old[2][effect]
        return False

    def _keep(
        self, point: int, entries: dict[int, _Entry], word: Word, effect: Arrangement
    ) -> None:
        """Store a word and its inverse if they are the shortest so far."""
        undo = np.argsort(effect)
        inverse = self.alphabet.inverse(word)
        for entry in ((word, effect, undo), (inverse, undo, effect)):
            image = int(entry[1][point])
            old = entries.get(image)
            if old is None or len(entry[0]) < len(old[0]):
                self._found += old is None
                entries[image] = entry

    def close(self) -> None:
        """Find missing entries as products of two others, of their level or deeper ones."""
        deeper: list[_Entry] = []
        for number in range(len(self._base) - 1, -1, -1):
            point, entries = self._base[number], self._entries[number]
            deeper += entries.values()
            while len(entries) < self._sizes[number] and self._grow(point, entries, deeper):
                deeper = [e for level in self._entries[number:] for e in level.values()]

    def _grow(self, point: int, entries: dict[int, _Entry], deeper: list[_Entry]) -> bool:
        """Add the products that reach new points, each the shortest."""
        if not deeper:
            return False
        effects = np.array([effect for _, effect, _ in deeper])
        lengths = np.array([len(word) for word, _, _ in deeper])
        best: dict[int, tuple[int, int, int]] = {}
        for image in list(entries):
            there = effects[:, image]
            for row in np.flatnonzero(~np.isin(there, [point, *entries])).tolist():
                length = int(lengths[row]) + len(entries[image][0])
                known = best.get(int(there[row]))
                if known is None or length < known[0]:
                    best[int(there[row])] = (length, image, row)
        for target, (_, image, row) in best.items():
            if target not in entries:
                word = self.alphabet.joined(deeper[row][0], entries[image][0])
                self._keep(point, entries, word, deeper[row][1][entries[image][1]])
        return bool(best)

    def improve(self, rng: np.random.Generator, trials: int) -> None:
        """Try products of random entries, which shortens the words."""
        last = 2 * len(self._base) // 3  # the longest words are there
        for trial in range(trials):
            level = int(rng.integers(last if trial % 2 else 0, len(self._base)))
            below = int(rng.integers(level, len(self._base)))
            one = list(self._entries[level].values())
            two = list(self._entries[below].values())
            if not one or not two:
                continue
            a, b = one[int(rng.integers(len(one)))], two[int(rng.integers(len(two)))]
            word = self.alphabet.joined(a[0], b[0])
            self.absorb(word, a[1][b[1]], 3 * len(word) + 20)

    def word(self, element: Arrangement) -> Word:
        """Return a word for an element of the group.

        Raises:
            KeyError: The element is not in the group.
        """
        made: Word = ()
        for point, entries in zip(self._base, self._entries, strict=True):
            image = int(element[point])
            if image != point:
                word, _, undo = entries[image]
                made = self.alphabet.joined(made, word)
                element = undo[element]
        return self.alphabet.simple(made)
