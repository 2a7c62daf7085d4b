"""What many solves come to: best, averages as speedcubers take them, shares, and days."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Self

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from thistlebot.journal.rows import Outcome

DNF = math.inf
"""The time of a solve that was begun and not verified: longer than any other."""
SOLVING_VERBS = ("solve", "solve --wait", "demo", "serve")
"""Their runs count. What ``solve --resume`` finishes was begun in a run that was cut off."""
COLUMNS = ("id", "began", "outcome", "seconds", "turns", "first_right")
"""Of the runs in the journal, what `Solves` is made of."""

Column = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Solves:
    """Runs that count, the oldest first; one entry a run in each column, NaN where nobody knows.

    Attributes:
        numbers: Of the runs in the journal.
        began: Seconds since 1970, UTC.
        times_s: From the press to verified, or `DNF`; NaN when nobody was to look.
        turns: Face turns of the plan.
        first_right: 1 where the first reading was right, else 0.
        verified: 1 where the cube was seen solved, else 0; NaN when not all moves were made.
    """

    numbers: NDArray[np.int64]
    began: Column
    times_s: Column
    turns: Column
    first_right: Column
    verified: Column

    @classmethod
    def of(cls, rows: Iterable[tuple[Any, ...]]) -> Self:
        """Put columns together; a run that was only planned is no solve.

        Args:
            rows: `COLUMNS` of runs of `SOLVING_VERBS`, in any order.
        """
        planned = Outcome.PLANNED.value
        kept = [row for row in rows if row[2] != planned]
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
    """The averages of so many times in a row, in seconds; `DNF` is one of them.

    Attributes:
        current: Of the last ones; None when there are too few.
        best: The least of all; likewise.
    """

    current: float | None = None
    best: float | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """What solves come to.

    Attributes:
        solves: How many there are.
        best_s: The least time that was verified; None when there is none.
        best_number: Number of that run.
        mean_s: Mean time of those that were verified.
        median_s: The median of these.
        median_turns: Median number of face turns.
        ao5: Averages of five.
        ao12: Averages of twelve.
        first_right: Share of right first readings, of the runs where that is known.
        verified: Share of verified runs, of those whose moves were made.
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
        """Sum solves up."""
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
    """Return the averages of so many times in a row, as speedcubers take them.

    The best and the worst twentieth, rounded up, do not count; `DNF` is worse than any time. Of
    five times this is the average of the World Cube Association (regulation 9f).

    Args:
        times_s: Seconds or `DNF`, the oldest first, shape (n,).
        of: How many make an average, at least 3.

    Returns:
        Shape (n - of + 1,); empty when there are too few.
    """
    if len(times_s) < of:
        return np.empty(0)
    away = math.ceil(of / 20)
    windows = np.sort(sliding_window_view(times_s, of), axis=1)
    averages: Column = windows[:, away : of - away].mean(axis=1)
    return averages


def last_days(solves: Solves, most: int) -> Iterator[tuple[date, Solves]]:
    """Yield the solves of each day, by the clock on the wall, the last day first.

    Args:
        solves: The oldest first.
        most: So many days at most; those without a solve do not count.
    """
    end = len(solves)
    while end and most:
        day = date.fromtimestamp(solves.began[end - 1])
        midnight = datetime.combine(day, datetime.min.time()).timestamp()
        begin = int(np.searchsorted(solves.began[:end], midnight))
        yield day, solves[begin:end]
        end, most = begin, most - 1


def _averages(times_s: Column, of: int) -> Averages:
    found = rolling_averages(times_s[~np.isnan(times_s)], of)
    return Averages(float(found[-1]), float(found.min())) if len(found) else Averages()


def _or_none(what: Callable[[Column], Any], values: Column) -> float | None:
    """Apply a function to the values that are known; None when there are none."""
    known = values[~np.isnan(values)]
    return float(what(known)) if len(known) else None
