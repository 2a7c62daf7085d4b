"""Statistics of many solves: the best time, the averages of speedcubers, shares, and days."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Self

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from thistlebot.journal.rows import Outcome, local_time

DNF = math.inf
"""The time of a solve that was begun and not verified; it counts as longer than any other."""
COLUMNS = ("id", "began", "outcome", "seconds", "turns", "first_right")
"""The columns of runs from which `Solves` is made."""

Column = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Solves:
    """Runs that count, the oldest first; one entry per run in each column, NaN if unknown.

    Attributes:
        numbers: Their numbers in the journal.
        began: Seconds since 1970, UTC.
        times_s: Times from the press to verified, or `DNF`; NaN if no check was wanted.
        turns: Face turns of the plan.
        first_right: 1 if the first reading was right, else 0.
        verified: 1 if the cube was seen solved, else 0; NaN if not all moves were made.
    """

    numbers: NDArray[np.int64]
    began: Column
    times_s: Column
    turns: Column
    first_right: Column
    verified: Column

    @classmethod
    def of(cls, rows: Iterable[tuple[Any, ...]]) -> Self:
        """Combine columns.

        Args:
            rows: `COLUMNS` of runs that count (`Wanted.solves`), in any order.
        """
        kept = list(rows)
        numbers, began, outcomes, seconds, turns, first_right = (
            zip(*kept, strict=True) if kept else ((),) * len(COLUMNS)
        )
        ended = np.array(outcomes)
        seen, unseen = ended == Outcome.VERIFIED.value, ended == Outcome.TURNED.value
        made = seen | unseen | (ended == Outcome.UNVERIFIED.value)
        solves = cls(
            np.array(numbers, np.int64),
            np.array(began, np.float64),
            np.where(seen, np.array(seconds, np.float64), np.where(unseen, np.nan, DNF)),
            np.array(turns, np.float64),
            np.array(first_right, np.float64),
            np.where(made, seen, np.nan),
        )
        return solves[np.lexsort((solves.numbers, solves.began))]

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, which: slice | NDArray[np.int64]) -> Self:
        return type(self)(
            self.numbers[which],
            self.began[which],
            self.times_s[which],
            self.turns[which],
            self.first_right[which],
            self.verified[which],
        )


@dataclass(frozen=True, slots=True)
class Averages:
    """Averages over a number of consecutive times, in seconds; may be `DNF`.

    Attributes:
        current: Average of the last ones; None if there are too few.
        best: The lowest of all; None if there are too few.
    """

    current: float | None = None
    best: float | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """Statistics of solves.

    Attributes:
        solves: Number of solves.
        best_s: The shortest verified time; None if there is none.
        best_number: Number of that run.
        mean_s: Mean of the verified times.
        median_s: Median of the verified times.
        median_turns: Median number of face turns.
        ao5: Averages of five.
        ao12: Averages of twelve.
        first_right: Share of right first readings among the runs for which this is known.
        verified: Share of verified runs among those with completed moves.
    """

    solves: int
    best_s: float | None
    best_number: int | None
    mean_s: float | None
    median_s: float | None
    median_turns: float | None
    ao5: Averages
    ao12: Averages
    first_right: float | None
    verified: float | None

    @classmethod
    def of(cls, solves: Solves) -> Self:
        """Compute the statistics of solves."""
        times = solves.times_s
        solved = times[np.isfinite(times)]
        best = int(np.nanargmin(times)) if len(solved) else None
        return cls(
            len(solves),
            None if best is None else float(times[best]),
            None if best is None else int(solves.numbers[best]),
            _or_none(np.mean, solved),
            _or_none(np.median, solved),
            _or_none(np.median, solves.turns),
            _averages(times, 5),
            _averages(times, 12),
            _or_none(np.mean, solves.first_right),
            _or_none(np.mean, solves.verified),
        )


def rolling_averages(times_s: Column, of: int) -> Column:
    """Return averages over consecutive times, by the rules of speedcubing.

    The best and the worst twentieth, rounded up, are dropped; `DNF` is worse than any time. For
    five times this is the average of the World Cube Association (regulation 9f).

    Args:
        times_s: Seconds or `DNF`, the oldest first, shape (n,).
        of: Number of times in an average, at least 3.

    Returns:
        Shape (n - of + 1,); empty if there are too few.
    """
    if len(times_s) < of:
        return np.empty(0)
    away = math.ceil(of / 20)
    windows = np.sort(sliding_window_view(times_s, of), axis=1)
    averages: Column = windows[:, away : of - away].mean(axis=1)
    return averages


def last_days(solves: Solves, most: int) -> Iterator[tuple[date, Solves]]:
    """Yield the solves of each day in local time, the last day first.

    Args:
        solves: The oldest first.
        most: Maximum number of days; those without a solve do not count.
    """
    end = len(solves)
    while end and most:
        day = local_time(solves.began[end - 1]).date()
        midnight = datetime.combine(day, datetime.min.time()).timestamp()
        begin = int(np.searchsorted(solves.began[:end], midnight))
        begin = min(begin, end - 1)  # a damaged time lies in no day
        yield day, solves[begin:end]
        end, most = begin, most - 1


def _averages(times_s: Column, of: int) -> Averages:
    found = rolling_averages(times_s[~np.isnan(times_s)], of)
    return Averages(float(found[-1]), float(found.min())) if len(found) else Averages()


def _or_none(what: Callable[[Column], Any], values: Column) -> float | None:
    """Apply a function to the known values; return None if there are none."""
    known = values[~np.isnan(values)]
    return float(what(known)) if len(known) else None


def placed_averages(solves: Solves, of: int) -> list[tuple[int, float]]:
    """Return the averages of some consecutive solves, each at its last solve; without DNF."""
    timed = np.flatnonzero(~np.isnan(solves.times_s))
    averages = rolling_averages(solves.times_s[timed], of)
    return [
        (int(index), float(value))
        for index, value in zip(timed[of - 1 :], averages, strict=True)
        if np.isfinite(value)
    ]
