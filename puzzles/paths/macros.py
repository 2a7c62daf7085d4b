"""Macros: words whose whole effect on some pieces is known, ready to be tried on many states.

They are single turns, short words, ``s w s'`` with a w that parts nothing, commutators of
``a b a'`` with a turn that part little, or of these where none of them will do, and what setup
turns make of all these.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from puzzles.groups.words import Word
from puzzles.paths.families import (
    WordPool,
    bracketed,
    chunks,
    commutators,
    effects_of,
    nested_commutators,
    salt_of,
    short_words,
)
from puzzles.paths.frames import Checks, Effects, LinkFrame
from solver.table_files import Arrays
from solver.tables import Progress, TableSet

_VERSION = 3


@dataclass(frozen=True, slots=True)
class Recipe:
    """How many macros of which sort are made.

    Attributes:
        words: Short words of any effect, so many of a length at most.
        inner: Words of turns that part nothing, of which ``s w s'`` are made, so many at most.
        tries: Commutators that are tried at most.
        parted: Checks that one of them may part.
        setups: Setup turns at most.
        most: Macros at most, the shortest first.
    """

    words: int = 30_000
    inner: int = 5_000
    tries: int = 400_000
    parted: int = 4
    setups: int = 1
    most: int = 80_000


@dataclass(frozen=True, slots=True)
class Macros:
    """Words with their effects, and what they do to checks.

    Attributes:
        letters: The turns of all words.
        starts: Where the letters of each word begin, and the end of the last.
        effects: Which slot the content of each comes from, shape (macros, slots).
        gains_at: Where the gains of each begin.
        gains: Two slots whose contents come together for a check, and it; shape (gains, 3).
        losses_at: Where the losses of each begin.
        losses: Checks whose two contents are parted.
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
        """How many turns each word has."""
        costs: NDArray[np.int64] = np.diff(self.starts)
        return costs

    def word(self, number: int) -> Word:
        """A macro's word."""
        return tuple(self.letters[self.starts[number] : self.starts[number + 1]].tolist())


def macro_tables(frame: LinkFrame, inverse: Sequence[int], recipe: Recipe) -> TableSet:
    """The table set of the macros of a frame.

    Args:
        frame: Slots, turns and checks.
        inverse: For each turn the one that undoes it.
        recipe: How many.
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
    """The macros that a table set holds."""
    return Macros(**{name: arrays[name] for name in Macros.__dataclass_fields__})


def _made(frame: LinkFrame, inverse: Sequence[int], recipe: Recipe) -> Arrays:
    turns, checks = frame.turns, frame.checks
    pool = WordPool(salt_of(turns))
    core = WordPool(pool.salt)
    single: list[Word] = [(number,) for number in range(len(turns))]
    allowed = _keeps(frame, turns)
    pool.add(single, turns, allowed)
    still = np.flatnonzero(allowed & (checks.parted(turns) == 0)).tolist()
    every = len(checks.pairs)
    sources = (
        (short_words(turns, recipe.words), every),
        (bracketed(frame.turns, inverse, still, recipe.inner), every),
        (commutators(turns, inverse, recipe.tries), recipe.parted),
    )
    for words, most in sources:
        for part in chunks(words):
            effects = effects_of(turns, part)
            counts = checks.parted(effects)
            good = _keeps(frame, effects) & (counts > 0)
            pool.add(part, effects, good & (counts <= most))
            core.add(part, effects, good & (counts <= recipe.parted))
    if not core.words:
        for part in chunks(nested_commutators(frame, inverse, recipe.tries)):
            effects = effects_of(turns, part)
            core.add(part, effects, _keeps(frame, effects) & (checks.parted(effects) > 0))
        pool.add(core.words, core.rows(), np.ones(len(core.words), bool))
    for _ in range(recipe.setups):
        if len(pool.words) > recipe.most:
            break
        core = _set_up(core, frame, inverse, recipe.most)
        rows = core.rows()
        pool.add(core.words, rows, np.ones(len(rows), bool))
    return _finished(pool, checks, recipe.most)


def _set_up(core: WordPool, frame: LinkFrame, inverse: Sequence[int], most: int) -> WordPool:
    """The words ``s w s'`` that are new, as many turns s as stay below a number."""
    turns, rows, grown = frame.turns, core.rows(), WordPool(core.salt, known=core.known)
    for number in range(len(turns)):
        effects = turns[number][rows[:, turns[inverse[number]].astype(np.int64)]]
        words = [(number, *word, inverse[number]) for word in core.words]
        grown.add(words, effects, _keeps(frame, effects))
        if len(grown.words) > most:
            break
    return grown


def _keeps(frame: LinkFrame, effects: Effects) -> NDArray[np.bool_]:
    keeps: NDArray[np.bool_] = frame.kept.parted(effects) == 0
    return keeps


def _finished(pool: WordPool, checks: Checks, most: int) -> Arrays:
    lengths = np.array([len(word) for word in pool.words])
    order = np.argsort(lengths, kind="stable")[:most]
    effects = pool.rows()[order]
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
        "effects": effects,
        "gains_at": np.searchsorted(macro, count).astype(np.int64),
        "gains": np.stack([first, second, check], axis=1),
        "losses_at": np.searchsorted(losing, count).astype(np.int64),
        "losses": lost.astype(np.int64),
    }
