"""Macros: words with known effects on some pieces, ready to be tried on many states.

They are single turns, short words, ``s w s'`` with a w that breaks nothing, commutators of ``a b
a'`` with a turn that break little, or nested ones if none of those will do, and the conjugates of
all these by setup turns.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from puzzles.groups.words import Word
from puzzles.paths.frames import Checks, Effects, LinkFrame, Slots
from solver.table_files import Arrays
from solver.tables import Progress, TableSet

_CHUNK = 5000
_SAMPLE = 24
"""Number of conditions with which words are sorted out first."""
_FEW = 14
"""Maximum number of broken checks of the words in nested commutators."""


@dataclass(slots=True)
class WordPool:
    """Words by their effects, the first for each."""

    salt: NDArray[np.int64]
    words: list[Word] = field(default_factory=list)
    effects: list[Effects] = field(default_factory=list)
    known: set[int] = field(default_factory=set)

    def add(self, words: Sequence[Word], effects: Effects, keep: NDArray[np.bool_]) -> None:
        """Add the selected words with new effects."""
        kept, fresh = np.flatnonzero(keep), list[int]()
        for some in np.split(kept, range(_CHUNK, len(kept), _CHUNK)):
            keys = effects[some].astype(np.int64) @ self.salt
            for i, key in zip(some.tolist(), keys.tolist(), strict=True):
                if key not in self.known:
                    self.known.add(key)
                    fresh.append(i)
        self.words += [words[i] for i in fresh]
        self.effects.append(effects[fresh])

    def rows(self) -> Effects:
        """Return all effects, shape (words, slots)."""
        none = np.empty((0, len(self.salt)), np.int16)
        self.effects = [np.concatenate([none, *self.effects])]
        return self.effects[0]


def salt_of(turns: Effects) -> NDArray[np.int64]:
    """Return factors for a hash of effects."""
    rng = np.random.default_rng(7)
    return np.asarray(rng.integers(-(1 << 62), 1 << 62, turns.shape[1:]), np.int64)


def chunks(families: Iterable[list[Word]]) -> Iterator[list[Word]]:
    """Yield words of families, in chunks whose effects take little memory."""
    for words in families:
        for at in range(0, len(words), _CHUNK):
            yield words[at : at + _CHUNK]


def effects_of(turns: Effects, words: Sequence[Word], slots: Slots | None = None) -> Effects:
    """Return the effects of words, computed letter by letter for all at once.

    Args:
        turns: Effects of turns, shape (turns, slots).
        words: The words.
        slots: The slots whose contents are wanted; all by default.
    """
    size, longest = turns.shape[1], max(map(len, words), default=0)
    still = np.arange(size)
    sources = np.vstack([turns, still]).astype(np.int64).ravel()
    padded = [(*word, *(len(turns),) * (longest - len(word))) for word in words]
    letters = np.array(padded, np.int64).reshape(len(words), longest)
    done = np.tile(still if slots is None else slots, (len(words), 1))
    for at in reversed(range(longest)):
        done += size * letters[:, at, None]
        done = sources.take(done)
    return done.astype(np.int16)


def short_words(turns: Effects, most: int) -> Iterator[list[Word]]:
    """Return words of two letters and more, up to a length limited by a number."""
    words: list[Word] = [(number,) for number in range(len(turns))]
    while 1 < len(words) * len(turns) <= most:
        words = [(*word, letter) for word in words for letter in range(len(turns))]
        yield words


def bracketed(
    turns: Effects, inverse: Sequence[int], still: Sequence[int], most: int
) -> Iterator[list[Word]]:
    """Return the words ``s w s'`` with a w that breaks nothing, in a limited number."""
    others = [number for number in range(len(turns)) if number not in still]
    inner = WordPool(salt_of(turns))
    edge: list[Word] = [()]
    while edge and len(edge) * len(still) <= most:
        words = [(*word, letter) for word in edge for letter in still]
        before = len(inner.words)
        for part in chunks([words]):
            inner.add(part, effects_of(turns, part), np.ones(len(part), bool))
        edge = inner.words[before:]
        yield [(s, *word, inverse[s]) for s in others for word in edge]


def commutators(turns: Effects, inverse: Sequence[int], most: int) -> Iterator[list[Word]]:
    """Return the words ``a b a'``, ``a b a' b'`` and a limited number of ``a b a' c a b' a' c'``.

    For few turns, also all commutators of two short words.
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
    """Return commutators ``w x w' x'`` of turns x with words w that break few checks.

    The words w have eight turns: random commutators of ``a b a'`` with a turn. If each turn moves
    pieces of many orbits, shorter ones are used, too; a limited number of both kinds is tried.
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
    """Return words with different effects, up to a length limited by a number."""
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
    """Return whether two turns do not commute."""
    return bool((turns[a][turns[b]] != turns[b][turns[a]]).any())


_VERSION = 4


@dataclass(frozen=True, slots=True)
class Recipe:
    """The numbers of macros of each kind.

    Attributes:
        words: Maximum number of short words per length.
        inner: Maximum number of words that break nothing, for ``s w s'``.
        tries: Maximum number of commutators tried.
        parted: Maximum number of checks that one of them may break.
        setups: Maximum number of setup turns.
        most: Maximum number of macros, the shortest first.
    """

    words: int = 30_000
    inner: int = 5_000
    tries: int = 400_000
    parted: int = 4
    setups: int = 1
    most: int = 80_000


@dataclass(frozen=True, slots=True)
class Macros:
    """Words with their effects, and the effects on checks.

    Attributes:
        letters: The turns of all words.
        starts: Index of each word's first letter, and the end of the last.
        effects: The origin of each slot's content, shape (macros, slots).
        gains_at: Index of each macro's first gain.
        gains: Two slots whose contents come together for a check, and the check; shape (gains, 3).
        losses_at: Index of each macro's first loss.
        losses: Checks whose two contents are separated.
    """

    letters: NDArray[np.int16]
    starts: NDArray[np.int64]
    effects: Effects
    gains_at: NDArray[np.int64]
    gains: NDArray[np.int64]
    losses_at: NDArray[np.int64]
    losses: NDArray[np.int64]

    @property
    def costs(self) -> NDArray[np.int64]:
        """Return the number of turns of each word."""
        costs: NDArray[np.int64] = np.diff(self.starts)
        return costs

    def word(self, number: int) -> Word:
        """Return a macro's word."""
        return tuple(self.letters[self.starts[number] : self.starts[number + 1]].tolist())


def macro_tables(frame: LinkFrame, inverse: Sequence[int], recipe: Recipe) -> TableSet:
    """Return the table set of a frame's macros.

    Args:
        frame: Slots, turns and checks.
        inverse: The inverse of each turn.
        recipe: The numbers.
    """
    digest = hashlib.sha256(repr(asdict(recipe)).encode())
    for array in (frame.turns, frame.checks.pairs, frame.checks.numbers, frame.kept.numbers):
        digest.update(repr(array.shape).encode() + np.ascontiguousarray(array).tobytes())

    def build(progress: Progress) -> Arrays:
        progress(0.0)
        made = _made(frame, inverse, recipe)
        progress(1.0)
        return made

    return TableSet(f"macros-{digest.hexdigest()[:16]}", _VERSION, build)


def macros_of(arrays: Arrays) -> Macros:
    """Return the macros of a table set."""
    return Macros(**{name: arrays[name] for name in Macros.__dataclass_fields__})


def _made(frame: LinkFrame, inverse: Sequence[int], recipe: Recipe) -> Arrays:
    turns, checks = frame.turns, frame.checks
    pool = WordPool(salt_of(turns))
    core = WordPool(pool.salt)
    single: list[Word] = [(number,) for number in range(len(turns))]
    allowed = frame.kept.parted(turns) == 0
    pool.add(single, turns, allowed)
    still = np.flatnonzero(allowed & (checks.parted(turns) == 0)).tolist()
    every = len(checks.pairs)
    sources = (
        (short_words(turns, recipe.words), every),
        (bracketed(frame.turns, inverse, still, recipe.inner), every),
        (commutators(turns, inverse, recipe.tries), recipe.parted),
    )
    for families, most in sources:
        for part in chunks(families):
            words, effects = _keeping(frame, part)
            counts = checks.parted(effects)
            pool.add(words, effects, (counts > 0) & (counts <= most))
            core.add(words, effects, (counts > 0) & (counts <= recipe.parted))
    if not core.words:
        for part in chunks(nested_commutators(frame, inverse, recipe.tries)):
            words, effects = _keeping(frame, part)
            core.add(words, effects, checks.parted(effects) > 0)
        pool.add(core.words, core.rows(), np.ones(len(core.words), bool))
    for _ in range(recipe.setups):
        if len(pool.words) > recipe.most:
            break
        core = _set_up(core, frame, inverse, recipe.most)
        rows = core.rows()
        pool.add(core.words, rows, np.ones(len(rows), bool))
    return _finished(pool, checks, recipe.most, frame.size)


def _keeping(frame: LinkFrame, words: list[Word]) -> tuple[list[Word], Effects]:
    """Return the words that keep what earlier links achieved, with their effects.

    A few of the conditions exclude most words, so that few effects are computed completely.
    """
    few = frame.kept.some(_SAMPLE)
    slots, places = np.unique(few.pairs, return_inverse=True)
    seen = effects_of(frame.turns, words, slots)[:, places.reshape(few.pairs.shape)]
    kept = np.flatnonzero((few.numbers[seen[..., 0], seen[..., 1]] >= 0).all(axis=1))
    words = [words[i] for i in kept.tolist()]
    effects = effects_of(frame.turns, words)
    keeps = frame.kept.parted(effects) == 0
    return [words[i] for i in np.flatnonzero(keeps).tolist()], effects[keeps]


def _set_up(core: WordPool, frame: LinkFrame, inverse: Sequence[int], most: int) -> WordPool:
    """Return new words ``s w s'``, with up to a limited number of turns s."""
    turns, rows, grown = frame.turns, core.rows(), WordPool(core.salt, known=core.known)
    for number in range(len(turns)):
        effects = turns[number][rows[:, turns[inverse[number]].astype(np.int64)]]
        words = [(number, *word, inverse[number]) for word in core.words]
        grown.add(words, effects, frame.kept.parted(effects) == 0)
        if len(grown.words) > most:
            break
    return grown


def _finished(pool: WordPool, checks: Checks, most: int, size: int) -> Arrays:
    lengths = np.array([len(word) for word in pool.words])
    order = np.argsort(lengths, kind="stable")[:most]
    effects = pool.rows()[order]
    pool.effects.clear()
    images = checks.images(effects)
    macro, check = np.nonzero(images < 0)
    first, second = (effects[macro, checks.pairs[check, i]].astype(np.int64) for i in (0, 1))
    kept = np.zeros((len(effects), len(checks.pairs)), bool)
    whole, place = np.nonzero(images >= 0)
    kept[whole, images[whole, place]] = True
    losing, lost = np.nonzero(~kept)
    count = np.arange(len(effects) + 1)
    letters = [letter for i in order.tolist() for letter in pool.words[i]]
    return {
        "letters": np.array(letters, np.int16),
        "starts": np.concatenate([[0], np.cumsum(lengths[order])]).astype(np.int64),
        "effects": np.ascontiguousarray(effects[:, :size]),
        "gains_at": np.searchsorted(macro, count).astype(np.int64),
        "gains": np.stack([first, second, check], axis=1),
        "losses_at": np.searchsorted(losing, count).astype(np.int64),
        "losses": lost.astype(np.int64),
    }
