"""Beam search through a stage: turn by turn, the states with the least sum of distances go on."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from puzzles.groups.words import Word
from puzzles.paths.beam import in_two_threads
from puzzles.paths.stages import Codes, FaceStage
from solver.kernels.memory import make_read_only

_ROOM = 2
"""Number of turns tried for each state that goes on; many lead to equal states."""
_LONGEST = 120
Numbers = NDArray[np.int64]


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
    """

    stage: FaceStage
    width: int
    slack: int = 1
    patience: int = 12

    def run(self, starts: Codes, words: Sequence[Word], wanted: int) -> list[Word]:
        """Extend words so that they end the stage, the shortest first; empty if it gives up.

        Args:
            starts: The codes after each word, shape (words, pieces).
            words: The words.
            wanted: Number of words.
        """
        none, lengths = len(self.stage.letters), [len(word) for word in words]
        seen = np.zeros(1 << max(16, (8 * self.width).bit_length()), np.int64)
        level = _Level(starts[:0], np.empty(0, np.int64), np.empty(0, np.int64))
        levels: list[_Level] = []
        found: list[Word] = []
        length, least, idle, filled = min(lengths), 1 << 62, 0, 0
        ends = max(lengths) + self.patience + _LONGEST
        while length < ends and idle <= self.patience:
            own = [n for n, other in enumerate(lengths) if other == length]
            level = level.with_starts(starts, own, none)
            done = self._ended(level.codes)
            levels.append(level)
            rows = np.flatnonzero(done).tolist()
            found += [self._word(levels, row, words) for row in rows[: wanted - len(found)]]
            if len(found) >= wanted:
                break
            if rows:
                ends = min(ends, length + self.slack + 1)
            filled += self.width
            if 2 * filled > len(seen):
                seen[:], filled = 0, self.width
            level, best = self._next(level, done, seen)
            if not len(level.codes) and length >= max(lengths):
                break
            length += 1
            better = best < least or length <= max(lengths)
            least, idle = min(least, best), 0 if better else idle + 1
        return found

    def _ended(self, codes: Codes) -> NDArray[np.bool_]:
        """Return which states have every piece at a goal."""
        done = np.ones(len(codes), bool)
        for column, piece in zip(codes.T, self.stage.pieces, strict=True):
            done &= np.isin(column, piece.goals)
        return done

    def _next(self, level: _Level, done: NDArray[np.bool_], seen: Numbers) -> tuple[_Level, int]:
        """Return the next level, and its least sum of distances."""
        from puzzles.paths.kernels.stages import BARRED, best_turns, make_new, rate_turns

        turns, count, maps = len(self.stage.letters), len(level.codes), self.stage.maps
        totals = np.empty((count, turns), np.uint16)
        make_read_only(level.codes, level.turns)
        in_two_threads(
            lambda part: rate_turns(level.codes, level.turns, part.start, part.stop, maps, totals),
            count,
        )
        totals[done] = BARRED
        chosen = np.empty(_ROOM * self.width, np.int64)
        make_read_only(totals)
        chosen = chosen[: best_turns(totals, len(chosen), chosen)]
        made = np.empty((self.width, level.codes.shape[1]), np.uint8)
        kept = np.empty(self.width, np.int64)
        make_read_only(chosen)
        new = make_new(level.codes, chosen, totals, maps, seen, made, kept)
        best = int(totals.min(initial=BARRED))
        return _Level(made[:new], kept[:new] // turns, kept[:new] % turns), best

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
