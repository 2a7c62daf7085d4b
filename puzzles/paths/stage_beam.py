"""Beam search through a stage: turn by turn, the states with the least sum of distances go on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from puzzles.groups.words import Word
from puzzles.paths.stages import Codes, Totals
from solver.kernels.memory import make_read_only

_ROOM = 2
"""Number of turns tried for each state that goes on; many lead to equal states."""
_LONGEST = 120
Numbers = NDArray[np.int64]


class BeamStage(Protocol):
    """A stage as a beam sees it."""

    @property
    def letters(self) -> tuple[int, ...]:
        """The letters of its turns."""

    @property
    def reach(self) -> int:
        """The largest number of turns before the end from which it knows the way."""

    def rate(self, codes: Codes, lasts: Numbers) -> Totals:
        """Return the estimate after each turn of some states, shape (states, turns).

        Args:
            codes: The states' codes.
            lasts: The last turn of each, or the number of turns for none.
        """

    def endings(self, codes: Codes, totals: Totals) -> list[tuple[int, Word]]:
        """Return states from which the stage knows the way to its end, and the rest of the way.

        States at the end are barred in the totals: no turn follows.
        """

    def make(
        self, codes: Codes, chosen: Numbers, totals: Totals, seen: Numbers, most: int, /
    ) -> tuple[Codes, Numbers]:
        """Return the codes after chosen turns, and the turns, for the first so many new states."""


@dataclass(frozen=True, slots=True)
class _Level:
    """States after equally many turns.

    Attributes:
        codes: The codes of their pieces, shape (states, pieces).
        parents: The states of the level before, or -1 - n for start n.
        turns: The turns between the two, or the number of turns for a start.
    """

    codes: Codes
    parents: Numbers
    turns: Numbers

    def with_starts(self, starts: Codes, numbers: Sequence[int], none: int) -> "_Level":
        """Return the level with some starts."""
        own = np.array(numbers, np.int64)
        return _Level(
            np.concatenate([self.codes, starts[own]]),
            np.concatenate([self.parents, -1 - own]),
            np.concatenate([self.turns, np.full(len(own), none)]),
        )


@dataclass(frozen=True, slots=True)
class StageBeam:
    """A beam search.

    Attributes:
        stage: The stage.
        width: Number of states that go on after each turn.
        slack: Number of turns more than the first result for which it goes on.
        patience: Number of turns without a better state after which it gives up.
        tries: Number of unwanted results after which it gives up.
    """

    stage: BeamStage
    width: int
    slack: int = 1
    patience: int = 12
    tries: int = 1 << 30

    def run(
        self,
        starts: Codes,
        words: Sequence[Word],
        wanted: int,
        fits: Callable[[Word], bool] = lambda _word: True,
    ) -> list[Word]:
        """Extend words so that they end the stage, the shortest first; empty if it gives up.

        Args:
            starts: The codes after each word, shape (words, pieces).
            words: The words.
            wanted: Number of words.
            fits: Whether a word is wanted.
        """
        none, lengths = len(self.stage.letters), [len(word) for word in words]
        seen = np.zeros(1 << max(16, (8 * self.width).bit_length()), np.int64)
        level = _Level(starts[:0], np.empty(0, np.int64), np.empty(0, np.int64))
        levels: list[_Level] = []
        found: list[Word] = []
        length, least, idle, filled, tried = min(lengths), 1 << 62, 0, 0, 0
        ends = max(lengths) + self.patience + _LONGEST
        while length < ends and idle <= self.patience:
            own = [n for n, other in enumerate(lengths) if other == length]
            level = level.with_starts(starts, own, none)
            totals = self.stage.rate(level.codes, level.turns)
            levels.append(level)
            for row, rest in self.stage.endings(level.codes, totals):
                word = (*self._word(levels, row, words), *rest)
                if fits(word):
                    found.append(word)
                    ends = min(ends, len(word) + self.slack + 1 - self.stage.reach)
                else:
                    tried += 1
                if len(found) >= wanted or tried >= self.tries:
                    break
            if len(found) >= wanted or tried >= self.tries:
                break
            filled += self.width
            if 2 * filled > len(seen):
                seen[:], filled = 0, self.width
            best = int(totals.min(initial=(1 << 16) - 1))
            level = self._next(level, totals, seen)
            if not len(level.codes) and length >= max(lengths):
                break
            length += 1
            better = best < least or length <= max(lengths)
            least, idle = min(least, best), 0 if better else idle + 1
        return sorted(found, key=len)

    def _next(self, level: _Level, totals: Totals, seen: Numbers) -> _Level:
        """Return the next level."""
        from puzzles.paths.kernels.stages import best_turns

        turns = len(self.stage.letters)
        chosen = np.empty(_ROOM * self.width, np.int64)
        make_read_only(totals)
        chosen = chosen[: best_turns(totals, len(chosen), chosen)]
        make_read_only(chosen)
        made, kept = self.stage.make(level.codes, chosen, totals, seen, self.width)
        return _Level(made, kept // turns, kept % turns)

    def _word(self, levels: list[_Level], row: int, words: Sequence[Word]) -> Word:
        """Return the word that leads to a state of the last level."""
        turns: list[int] = []
        for level in reversed(levels):
            parent = int(level.parents[row])
            if parent < 0:
                return (*words[-1 - parent], *reversed(turns))
            turns.append(self.stage.letters[int(level.turns[row])])
            row = parent
        raise AssertionError("each state of a beam has a start")
