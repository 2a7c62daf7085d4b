"""Statistics of many solves: the best time, the averages of speedcubers, shares, and days.

This module also draws charts of solves: times by run, and the share of right first readings by day.

Finally, it writes solves in the format of csTimer, the timer that speedcubers use.
"""

import csv
import io
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Self

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from cube.moves import MoveSequence
from cube.state import SOLVED
from cube.svg import chart, element, points, text, title
from thistlebot.journal.rows import Outcome, RunRow, local_time

_HEAD = ("No.", "Time", "Comment", "Scramble", "Date", "P.1")
_LONGEST_S = 1e9
"""A damaged time may be infinite in milliseconds."""
_UNTIMED = (Outcome.PLANNED, Outcome.TURNED)


def cstimer_csv(rows: Iterable[RunRow]) -> str:
    """Write solves in csTimer's format: a header, and one line for each.

    Args:
        rows: The oldest first; those without a time are left out.
    """
    text = io.StringIO()
    lines = csv.writer(text, delimiter=";", lineterminator="\n")
    lines.writerow(_HEAD)
    timed = (row for row in rows if row.outcome not in _UNTIMED)
    for number, row in enumerate(timed, start=1):
        verified = row.outcome is Outcome.VERIFIED
        passed = _clock(row.seconds or 0.0)
        told = (*(() if verified else (row.outcome.value,)), *((row.told,) if row.told else ()))
        time = passed if verified else f"DNF({passed})"
        lines.writerow((number, time, ": ".join(told), scramble_of(row), row.when, passed))
    return text.getvalue()


def scramble_of(row: RunRow) -> str:
    """Return moves that make the cube that was read; empty if unknown.

    A machine that turns layers for its cameras plans from another cube than it read.
    """
    if not row.facelets or not row.moves:
        return ""
    scramble = MoveSequence.parse(row.moves).inverse()
    return str(scramble) if SOLVED.apply(scramble).to_facelets().text == row.facelets else ""


def _clock(seconds: float) -> str:
    """Write seconds with thousandths, such as 1:02.345 or 1.230."""
    minutes, milliseconds = divmod(round(1000 * min(max(seconds, 0.0), _LONGEST_S)), 60_000)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02}:{milliseconds / 1000:06.3f}"
    rest = milliseconds / 1000
    return f"{minutes}:{rest:06.3f}" if minutes else f"{rest:.3f}"


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


Days = Sequence[tuple[date, Summary]]
_BLOCKS = "▁▂▃▄▅▆▇█"
_DNF_BLOCK = "×"
_UNKNOWN_BLOCK = " "
_WIDTH, _HEIGHT, _LEFT, _TOP, _BAR_HEIGHT = 860, 200, 60, 40, 80


def blocks(values: Column, least: float, most: float) -> str:
    """Draw values as a row of blocks; ``×`` is a DNF, a gap an unknown value.

    Args:
        values: One per block.
        least: Value of the lowest block.
        most: Value of the highest one.
    """
    scale = (len(_BLOCKS) - 1) / max(most - least, 1e-9)
    drawn = []
    for value in values:
        if np.isnan(value):
            drawn.append(_UNKNOWN_BLOCK)
        elif np.isinf(value):
            drawn.append(_DNF_BLOCK)
        else:
            drawn.append(_BLOCKS[round((value - least) * scale)])
    return "".join(drawn)


def terminal_chart(solves: Solves, days: Days) -> list[str]:
    """Draw solves as text, one column per run and one per day."""
    times = solves.times_s[np.isfinite(solves.times_s)]
    lines = []
    if len(times):
        least, most = float(times.min()), float(times.max())
        lines += [
            f"seconds   {blocks(solves.times_s, least, most)}",
            f"          {least:.2f} to {most:.2f} s, the last {len(solves)} solves; "
            f"{_DNF_BLOCK} not verified",
        ]
    shares = np.array([day.first_right for _, day in days], np.float64)
    if not np.isnan(shares).all():
        lines += [
            f"right     {blocks(shares, 0.0, 1.0)}",
            f"          first readings, 0 to 100 %, by day from {days[0][0]} to {days[-1][0]}",
        ]
    return lines


def chart_svg(solves: Solves, days: Days) -> str:
    """Draw the same as an SVG picture, with the average of twelve as a line."""
    finite = solves.times_s[np.isfinite(solves.times_s)]
    most = float(finite.max()) if len(finite) else 1.0
    base = _TOP + _HEIGHT
    right_base = base + 60 + _BAR_HEIGHT
    step = (_WIDTH - _LEFT - 20) / max(len(solves), 1)
    about = (
        "seconds from the press to verified, run by run (green; line: average of twelve; red: not "
        "verified)"
    )
    parts = [text(about, _LEFT, 20), *_axis(base, _HEIGHT, f"{most:.2f} s", "0")]

    def place(index: float, value: float) -> tuple[float, float]:
        return _LEFT + step * (index + 0.5), base - _HEIGHT * value / most

    for index, time in enumerate(solves.times_s):
        if np.isfinite(time):
            x, y = place(index, time)
            parts.append(element("circle", cx=x, cy=y, r=2.5, fill="#4a7"))
        elif np.isinf(time):
            x, y = place(index, most)
            cross = f"M{x - 3:.1f} {y - 6:.1f}l6 6m0 -6l-6 6"
            parts.append(element("path", d=cross, stroke="#d33"))
    if line := points(place(index, value) for index, value in placed_averages(solves, 12)):
        parts.append(element("polyline", points=line, fill="none", stroke="#222"))
    parts.append(text("correct first readings, day by day", _LEFT, right_base - _BAR_HEIGHT - 14))
    parts += _axis(right_base, _BAR_HEIGHT, "100 %", "0 %")
    parts += _bars(days, right_base)
    return chart((_WIDTH, right_base + 30), parts)


def placed_averages(solves: Solves, of: int) -> list[tuple[int, float]]:
    """Return the averages of some consecutive solves, each at its last solve; without DNF."""
    timed = np.flatnonzero(~np.isnan(solves.times_s))
    averages = rolling_averages(solves.times_s[timed], of)
    return [
        (int(index), float(value))
        for index, value in zip(timed[of - 1 :], averages, strict=True)
        if np.isfinite(value)
    ]


def _axis(base: int, height: int, most: str, least: str) -> list[str]:
    line = f"M{_LEFT} {base - height}V{base}H{_WIDTH - 20}"
    return [
        element("path", d=line, fill="none", stroke="black"),
        text(most, _LEFT - 6, base - height + 4, text_anchor="end"),
        text(least, _LEFT - 6, base, text_anchor="end"),
    ]


def _bars(days: Days, base: int) -> list[str]:
    step = (_WIDTH - _LEFT - 20) / max(len(days), 1)
    parts = []
    for index, (day, summary) in enumerate(days):
        if summary.first_right is None:
            continue
        height = _BAR_HEIGHT * summary.first_right
        told = title(f"{day}: {summary.first_right:.0%}")
        box = {"x": _LEFT + step * index + 1, "width": max(step - 2, 0.5)}
        parts.append(element("rect", told, y=base - height, height=height, fill="#4a7", **box))
    if days:
        parts.append(text(str(days[0][0]), _LEFT, base + 16))
        if len(days) > 1:
            parts.append(text(str(days[-1][0]), _WIDTH - 20, base + 16, text_anchor="end"))
    return parts
