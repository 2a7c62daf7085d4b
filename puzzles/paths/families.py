"""Families of words that may do little, and a pool that keeps one word for each effect."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from puzzles.groups.words import Word
from puzzles.paths.frames import Effects, LinkFrame

_CHUNK = 20_000
_FEW = 14
"""Checks that the words may part of which nested commutators are made."""


@dataclass(slots=True)
class WordPool:
    """Words by what they do, the first for each."""

    salt: NDArray[np.int64]
    words: list[Word] = field(default_factory=list)
    effects: list[Effects] = field(default_factory=list)
    known: set[int] = field(default_factory=set)

    def add(self, words: Sequence[Word], effects: Effects, keep: NDArray[np.bool_]) -> None:
        """Take those that are kept and do what no other does."""
        kept = np.flatnonzero(keep)
        keys = effects[kept].astype(np.int64) @ self.salt
        fresh = []
        for i, key in zip(kept.tolist(), keys.tolist(), strict=True):
            if key not in self.known:
                self.known.add(key)
                fresh.append(i)
        self.words += [words[i] for i in fresh]
        self.effects.append(effects[fresh])

    def rows(self) -> Effects:
        """All effects, shape (words, slots)."""
        none = np.empty((0, len(self.salt)), np.int16)
        self.effects = [np.concatenate([none, *self.effects])]
        return self.effects[0]


def salt_of(turns: Effects) -> NDArray[np.int64]:
    """Factors whose sum of products tells effects apart."""
    rng = np.random.default_rng(7)
    return np.asarray(rng.integers(-(1 << 62), 1 << 62, turns.shape[1:]), np.int64)


def chunks(families: Iterable[list[Word]]) -> Iterator[list[Word]]:
    """Words of families, so many at once that their effects take little memory."""
    for words in families:
        for at in range(0, len(words), _CHUNK):
            yield words[at : at + _CHUNK]


def effects_of(turns: Effects, words: Sequence[Word]) -> Effects:
    """What words do: they are done letter by letter, all at once."""
    done = np.tile(np.arange(turns.shape[1], dtype=np.int16), (len(words), 1))
    for at in range(max((len(word) for word in words), default=0)):
        rows = [i for i, word in enumerate(words) if len(word) > at]
        letters = [words[i][at] for i in rows]
        done[rows] = np.take_along_axis(done[rows], turns[letters].astype(np.int64), axis=1)
    return done


def short_words(turns: Effects, most: int) -> Iterator[list[Word]]:
    """Words of two letters and more, as many lengths as stay below a number."""
    words: list[Word] = [(number,) for number in range(len(turns))]
    while 1 < len(words) * len(turns) <= most:
        words = [(*word, letter) for word in words for letter in range(len(turns))]
        yield words


def bracketed(
    turns: Effects, inverse: Sequence[int], still: Sequence[int], most: int
) -> Iterator[list[Word]]:
    """The words ``s w s'`` with a w that parts nothing, as many lengths as stay below a number."""
    others = [number for number in range(len(turns)) if number not in still]
    inner = WordPool(salt_of(turns))
    edge: list[Word] = [()]
    while edge and len(edge) * len(still) <= most:
        words = [(*word, letter) for word in edge for letter in still]
        before = len(inner.words)
        inner.add(words, effects_of(turns, words), np.ones(len(words), bool))
        edge = inner.words[before:]
        yield [(s, *word, inverse[s]) for s in others for word in edge]


def commutators(turns: Effects, inverse: Sequence[int], most: int) -> Iterator[list[Word]]:
    """The words ``a b a'``, ``a b a' b'`` and, so many at most, ``a b a' c a b' a' c'``.

    Where turns are few, all commutators of two short words, too.
    """
    count = range(len(turns))
    meeting = [(a, b) for a in count for b in count if _meet(turns, a, b)]
    yield [(a, b, inverse[a]) for a, b in meeting]
    yield [(a, b, inverse[a], inverse[b]) for a, b in meeting]
    step = -(-len(meeting) * len(turns) // most)
    for a in count:
        pairs = [pair for pair in meeting[::step] if pair[0] == a]
        yield [
            (a, b, inverse[a], c, a, inverse[b], inverse[a], inverse[c])
            for _, b in pairs
            for c in count
        ]
    words = _distinct(turns, isqrt(most))
    back = {word: tuple(inverse[letter] for letter in reversed(word)) for word in words}
    for one in words:
        yield [(*one, *two, *back[one], *back[two]) for two in words if len(one) + len(two) > 2]


def nested_commutators(frame: LinkFrame, inverse: Sequence[int], most: int) -> Iterator[list[Word]]:
    """Commutators ``w x w' x'`` of turns x with words w of eight turns that part few checks.

    Where each turn moves pieces of many orbits shorter words do, too. The words w are commutators
    of ``a b a'`` with a turn, chosen at random; so many of both sorts are tried at most.
    """
    turns, rng = frame.turns, np.random.default_rng(11)
    left = max(1, most // len(turns))
    for _ in range(-(-most // _CHUNK)):
        letters = rng.integers(len(turns), size=(_CHUNK, 3)).tolist()
        words = [
            (a, b, inverse[a], c, a, inverse[b], inverse[a], inverse[c]) for a, b, c in letters
        ]
        effects = effects_of(turns, words)
        counts = frame.kept.parted(effects) + frame.checks.parted(effects)
        few = np.flatnonzero((counts > 0) & (counts <= _FEW))[:left].tolist()
        left -= len(few)
        back = {i: tuple(inverse[letter] for letter in reversed(words[i])) for i in few}
        yield [(*words[i], x, *back[i], inverse[x]) for i in few for x in range(len(turns))]
        if not left:
            break


def _distinct(turns: Effects, most: int) -> list[Word]:
    """Words of different effects, as many lengths as stay below a number."""
    pool, words = WordPool(salt_of(turns)), list[Word]()
    edge: list[Word] = [()]
    while edge and len(words) + len(edge) <= most:
        words += edge
        longer = [(*word, letter) for word in edge for letter in range(len(turns))]
        before = len(pool.words)
        pool.add(longer, effects_of(turns, longer), np.ones(len(longer), bool))
        edge = pool.words[before:]
    return words[1:]


def _meet(turns: Effects, a: int, b: int) -> bool:
    """Whether two turns do not commute."""
    return bool((turns[a][turns[b]] != turns[b][turns[a]]).any())
