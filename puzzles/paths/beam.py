"""Beam search over macros: of the states with the same cost, the best ones continue.

Each level contains the states of one cost in turns; a macro leads to a level further on by its
length. So a long macro competes with several short ones.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzles.groups.words import Word
from puzzles.paths.frames import Checks, Labels
from puzzles.paths.macros import Macros
from solver.kernels.arrays import make_read_only

_ROOM = 6
"""Number of candidates kept for each state of a level; many of them are equal."""
_MEMORY = 256
"""Number of levels whose states are remembered in a table, at least half of it."""
_LONGEST = 800
"""Number of turns after which it gives up."""

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
        scores: How many checks each fulfils.
        parents: The number of the state before, among all that are kept.
        macros: The macro between the two, or -1 for a start, whose number the parent is.
    """

    labels: Labels
    scores: Numbers
    parents: Numbers
    macros: Numbers


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
    """

    checks: Checks
    macros: Macros
    width: int
    wanted: int = 1
    slack: int = 0
    distinct: bool = False

    def run(self, starts: Iterable[BeamNode]) -> list[BeamNode]:
        """Return states that fulfil all checks, the cheapest first; empty for no result."""
        search = _Search(self, sorted(starts, key=lambda node: len(node.word)))
        level = len(search.starts[0].word)
        last = level + _LONGEST
        found: list[BeamNode] = []
        known: set[bytes] = set()
        while level <= last and len(found) < self.wanted:
            here = search.entered(level)
            done = here.scores == len(self.checks.pairs)
            for row in np.flatnonzero(done).tolist():
                labels = here.labels[row]
                if not (self.distinct and labels.tobytes() in known):
                    known.add(labels.tobytes())
                    found.append(BeamNode(search.word(here, row), labels))
                last = min(last, level + self.slack)
            if not search.leave(level, here, ~done):
                break
            level += 1
        return found[: self.wanted]


class _Search:
    """A running search."""

    def __init__(self, beam: Beam, starts: list[BeamNode]) -> None:
        self.starts = starts
        self._beam, self._costs = beam, beam.macros.costs
        self._macros = _compact(beam.macros)
        rows = int(self._costs.max()) + 1
        self._buckets = np.zeros((rows, _ROOM * beam.width), np.int64)
        self._counts, self._least = np.zeros((2, rows), np.int64)
        slots = len(starts[0].labels)
        self._salt = np.random.default_rng(3).integers(1, 1 << 62, slots)
        self._seen = np.zeros(1 << (_MEMORY * beam.width).bit_length(), np.int64)
        self._filled = self._kept = 0
        self._labels = np.empty((_MEMORY * beam.width // 4, slots), np.uint8)
        self._parents, self._by = np.empty((2, len(self._labels)), np.int64)
        self._firsts = np.zeros(rows, np.int64)

    def entered(self, level: int) -> _Level:
        """Return starts and new states of a cost, the best first, and all that are done."""
        from puzzles.paths.kernels.beam import MACRO_BITS, STATE_BITS, enter

        row, beam = level % len(self._buckets), self._beam
        keys = np.sort(self._buckets[row, : self._counts[row]])[::-1]
        self._counts[row], self._least[row] = 0, 0
        macros = keys & ((1 << MACRO_BITS) - 1)
        parents = (keys >> MACRO_BITS) & ((1 << STATE_BITS) - 1)
        parents += self._firsts[(level - self._costs[macros]) % len(self._firsts)]
        own = np.array([i for i, start in enumerate(self.starts) if len(start.word) == level], int)
        begun = np.array([self.starts[i].labels for i in own], np.uint8).reshape(
            -1, len(self._salt)
        )
        labels = np.empty((len(keys) + len(own), len(self._salt)), np.uint8)
        rows, scores = np.empty((2, len(labels)), np.int64)
        self._filled += beam.width
        if 2 * self._filled > len(self._seen):
            self._seen[:], self._filled = 0, beam.width
        checks, kept = beam.checks, self._labels[: self._kept]
        make_read_only(begun, parents, macros, kept, checks.pairs, checks.mates, self._salt)
        count = enter(
            *(begun, kept, parents, macros, beam.macros.effects, checks.pairs, checks.mates),
            *(self._salt, beam.width, self._seen, labels, rows, scores),
        )
        from_start = rows[:count] < len(own)
        ours = np.concatenate([own, parents])[rows[:count]]
        by = np.where(from_start, -1, np.concatenate([own, macros])[rows[:count]])
        return _Level(labels[:count], scores[:count], ours, by)

    def leave(self, level: int, here: _Level, going: NDArray[np.bool_]) -> bool:
        """Add the successors of some states to later levels; return whether any are left."""
        from puzzles.paths.kernels.beam import expand

        labels, end = here.labels[going], self._kept + int(going.sum())
        while end > len(self._labels):
            self._labels = np.concatenate([self._labels, np.empty_like(self._labels)])
            self._parents, self._by = (
                np.concatenate([part, np.empty_like(part)]) for part in (self._parents, self._by)
            )
        self._firsts[level % len(self._firsts)] = self._kept
        self._labels[self._kept : end] = labels
        self._parents[self._kept : end] = here.parents[going]
        self._by[self._kept : end] = here.macros[going]
        self._kept = end
        checks = self._beam.checks
        if len(labels):
            contents = np.ascontiguousarray(labels.T)
            wanted = checks.mates[contents]
            make_read_only(contents, wanted)
            expand(
                *(contents, wanted, level, checks.pairs, *self._macros),
                *(self._buckets, self._counts, self._least),
            )
        return bool(self._counts.any()) or level < len(self.starts[-1].word)

    def word(self, level: _Level, row: int) -> Word:
        """Return the word that leads to a state of a level."""
        parts: list[Word] = []
        macro, parent = int(level.macros[row]), int(level.parents[row])
        while macro >= 0:
            parts.append(self._beam.macros.word(macro))
            macro, parent = int(self._by[parent]), int(self._parents[parent])
        return (*self.starts[parent].word, *(letter for part in reversed(parts) for letter in part))


def _compact(macros: Macros) -> tuple[NDArray[Any], ...]:
    """Return gains, losses and costs of macros in small types, to fit the cache."""
    made = (
        macros.gains_at.astype(np.int32),
        np.ascontiguousarray(macros.gains[:, :2].astype(np.uint16)),
        macros.losses_at.astype(np.int32),
        macros.losses.astype(np.uint16),
        macros.costs.astype(np.int32),
    )
    make_read_only(*made)
    return made
