"""Beam search over macros: of the states with the same cost, the best ones continue.

Each level contains the states of one cost in turns; a macro leads to a level further on by its
length. So a long macro competes with several short ones.
"""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzles.groups.words import Word
from puzzles.paths.frames import Checks, Labels
from puzzles.paths.macros import Macros
from solver.kernels.memory import make_read_only

_ROOM = 6
"""Number of candidates kept for each state of a level; many of them are equal."""

_THREADS = 2

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class BeamNode:
    """The state after a word.

    Attributes:
        word: The word.
        labels: The contents of the slots.
    """

    word: Word
    labels: Labels


@dataclass(frozen=True, slots=True)
class _Level:
    """States of the same cost.

    Attributes:
        labels: The contents of their slots, shape (states, slots).
        origins: The previous level of each, or -1 for a start.
        parents: The index of the state there, or of the start.
        macros: The macro between the two.
    """

    labels: Labels
    origins: Numbers
    parents: Numbers
    macros: Numbers

    def chosen(self, rows: list[int]) -> "_Level":
        """Return some of the states."""
        return _Level(self.labels[rows], self.origins[rows], self.parents[rows], self.macros[rows])


@dataclass(frozen=True, slots=True)
class Beam:
    """A search for states that fulfil all checks.

    Attributes:
        checks: The checks.
        macros: The macros.
        width: Number of states that continue at each level.
        wanted: Number of states to find.
        slack: Maximum number of turns more than the first result.
        distinct: Whether only results with different labels are wanted.
        longest: Number of turns after which it gives up.
        patience: Number of turns without a better state after which it gives up.
    """

    checks: Checks
    macros: Macros
    width: int
    wanted: int = 1
    slack: int = 0
    distinct: bool = False
    longest: int = 800
    patience: int = 800

    def run(self, starts: Iterable[BeamNode]) -> list[BeamNode]:
        """Return states that fulfil all checks, the cheapest first; empty for no result."""
        return self.reach(starts)[0]

    def reach(self, starts: Iterable[BeamNode]) -> tuple[list[BeamNode], list[BeamNode]]:
        """Return states that fulfil all checks, the cheapest first, and those that come near.

        The latter are the states of the first level with the highest score.
        """
        search = _Search(self, sorted(starts, key=lambda node: len(node.word)))
        first = len(search.starts[0].word)
        found: list[BeamNode] = []
        known: set[bytes] = set()
        last, level, highest = first + self.longest, first, -1
        near: list[BeamNode] = []
        while level <= last and len(found) < self.wanted:
            here = search.entered(level)
            scores = self.checks.score(here.labels)
            if scores.max(initial=-1) > highest and not found:
                highest, last = int(scores.max()), min(first + self.longest, level + self.patience)
                rows = np.argsort(-scores, kind="stable")[: self.wanted].tolist()
                near = [BeamNode(search.word(here, row), here.labels[row]) for row in rows]
            done = scores == len(self.checks.pairs)
            for row in np.flatnonzero(done).tolist():
                labels = here.labels[row]
                if not (self.distinct and labels.tobytes() in known):
                    known.add(labels.tobytes())
                    found.append(BeamNode(search.word(here, row), labels))
                last = min(last, level + self.slack)
            if not search.leave(level, here, done):
                break
            level += 1
        return found[: self.wanted], near


class _Search:
    """A running search."""

    def __init__(self, beam: Beam, starts: list[BeamNode]) -> None:
        self.starts = starts
        self._beam, self._costs = beam, beam.macros.costs
        self._macros = [_compact(beam.macros, part) for part in range(_THREADS)]
        rows = int(self._costs.max()) + 1
        self._buckets = np.zeros((_THREADS, rows, _ROOM * beam.width), np.int64)
        self._counts, self._least = np.zeros((2, _THREADS, rows), np.int64)
        self._salt = np.random.default_rng(3).integers(1, 1 << 62, len(starts[0].labels))
        self._seen: set[int] = set()
        self._levels: dict[int, _Level] = {}

    def entered(self, level: int) -> _Level:
        """Return the starts and candidates of a cost, the best first."""
        from puzzles.paths.kernels.beam import MACRO_BITS, STATE_BITS

        row = level % self._buckets.shape[1]
        keys = np.concatenate(
            [
                self._buckets[part, row, : self._counts[part, row]] * _THREADS + part
                for part in range(_THREADS)
            ]
        )
        self._counts[:, row], self._least[:, row] = 0, 0
        keys = np.sort(keys)[: -1 - _ROOM * self._beam.width : -1]
        macros = keys & ((_THREADS << MACRO_BITS) - 1)
        parents = (keys >> MACRO_BITS) // _THREADS & ((1 << STATE_BITS) - 1)
        origins = level - self._costs[macros]
        labels = np.empty((len(keys), len(self._salt)), np.uint8)
        for origin in np.unique(origins).tolist():
            here = origins == origin
            effects = self._beam.macros.effects[macros[here]].astype(np.int64)
            before = self._levels[origin].labels[parents[here]]
            labels[here] = np.take_along_axis(before, effects, axis=1)
        own = [i for i, start in enumerate(self.starts) if len(start.word) == level]
        if own:
            labels = np.concatenate([np.stack([self.starts[i].labels for i in own]), labels])
            origins = np.concatenate([np.full(len(own), -1), origins])
            parents = np.concatenate([np.array(own), parents])
            macros = np.concatenate([np.full(len(own), -1), macros])
        return _Level(labels, origins, parents, macros)

    def leave(self, level: int, here: _Level, done: NDArray[np.bool_]) -> bool:
        """Add the successors of the best states to later levels; return whether any are left."""
        from puzzles.paths.kernels.beam import expand

        rows = []
        for row, key in enumerate((here.labels.astype(np.int64) @ self._salt).tolist()):
            if key not in self._seen and not done[row]:
                self._seen.add(key)
                rows.append(row)
                if len(rows) == self._beam.width:
                    break
        kept = self._levels[level] = here.chosen(rows)
        checks = self._beam.checks
        if rows:
            contents = np.ascontiguousarray(kept.labels.T)
            wanted = checks.mates[contents]
            make_read_only(contents, wanted)
            in_two_threads(
                lambda part: expand(
                    *(contents, wanted, level, checks.pairs, *self._macros[part.start]),
                    *(self._buckets[part.start], self._counts[part.start]),
                    self._least[part.start],
                ),
                _THREADS,
            )
        return bool(self._counts.any()) or level < len(self.starts[-1].word)

    def word(self, level: _Level, row: int) -> Word:
        """Return the word that leads to a state."""
        parts: list[Word] = []
        while (origin := int(level.origins[row])) >= 0:
            parts.append(self._beam.macros.word(int(level.macros[row])))
            level, row = self._levels[origin], int(level.parents[row])
        start = self.starts[int(level.parents[row])].word
        return (*start, *(letter for part in reversed(parts) for letter in part))


def in_two_threads(run: Callable[[slice], object], count: int) -> None:
    """Run something for the first and for the second half of some numbers at once."""
    parts = [slice(0, count // _THREADS), slice(count // _THREADS, count)]
    with ThreadPoolExecutor(_THREADS) as pool:
        for _ in pool.map(run, parts):
            pass


def _compact(macros: Macros, part: int) -> tuple[NDArray[Any], ...]:
    """Return gains, losses and costs of every second macro in small types, to fit the cache."""
    numbers = np.arange(part, len(macros.costs), _THREADS)
    gains_at, gains = _chosen(macros.gains_at, macros.gains[:, :2].astype(np.uint16), numbers)
    losses_at, losses = _chosen(macros.losses_at, macros.losses.astype(np.uint16), numbers)
    made = (gains_at, gains, losses_at, losses, macros.costs[numbers].astype(np.int32))
    make_read_only(*made)
    return made


def _chosen(
    starts: Numbers, values: NDArray[np.uint16], rows: Numbers
) -> tuple[NDArray[np.int32], NDArray[np.uint16]]:
    """Return some rows of a list of lists, and where each starts."""
    counts = starts[rows + 1] - starts[rows]
    ends = np.cumsum(counts)
    at = np.arange(counts.sum()) + np.repeat(starts[rows] - ends + counts, counts)
    return np.concatenate([[0], ends]).astype(np.int32), np.ascontiguousarray(values[at])
