"""Charts of solves: times run by run, and the share of right first readings day by day."""

from collections.abc import Sequence
from datetime import date

import numpy as np

from thistlebot.history.statistics import Column, Solves, Summary, rolling_averages

Days = Sequence[tuple[date, Summary]]
_BLOCKS = "▁▂▃▄▅▆▇█"
_DNF_BLOCK = "×"
_UNKNOWN_BLOCK = " "
_WIDTH, _HEIGHT, _LEFT, _TOP, _BAR_HEIGHT = 860, 200, 60, 40, 80


def blocks(values: Column, least: float, most: float) -> str:
    """Draw values as a row of blocks; ``×`` is a DNF, a gap what nobody knows.

    Args:
        values: One a block.
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
    """Draw solves in letters, one column a run and a day.

    Args:
        solves: The oldest first.
        days: Likewise.
    """
    times = solves.times_s[np.isfinite(solves.times_s)]
    lines = []
    if len(times):
        least, most = float(times.min()), float(times.max())
        lines += [
            f"seconds   {blocks(solves.times_s, least, most)}",
            f"          {least:.2f} to {most:.2f} s, the last {len(solves)} solves; "
            f"{_DNF_BLOCK} was not verified",
        ]
    shares = np.array([day.first_right for _, day in days], np.float64)
    if not np.isnan(shares).all():
        lines += [
            f"right     {blocks(shares, 0.0, 1.0)}",
            f"          first readings, 0 to 100 %, by day from {days[0][0]} to {days[-1][0]}",
        ]
    return lines


def chart_svg(solves: Solves, days: Days) -> str:
    """Draw the same as an SVG picture, with the average of twelve as a line.

    Args:
        solves: The oldest first.
        days: Likewise.
    """
    finite = solves.times_s[np.isfinite(solves.times_s)]
    most = float(finite.max()) if len(finite) else 1.0
    base = _TOP + _HEIGHT
    right_base = base + 60 + _BAR_HEIGHT
    step = (_WIDTH - _LEFT - 20) / max(len(solves), 1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{right_base + 30}" '
        'font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{_LEFT}" y="20">seconds from the press to verified, run by run (green; line: '
        "average of twelve; red: not verified)</text>",
        *_axis(base, _HEIGHT, f"{most:.2f} s", "0"),
    ]

    def place(index: float, value: float) -> tuple[float, float]:
        return _LEFT + step * (index + 0.5), base - _HEIGHT * value / most

    for index, time in enumerate(solves.times_s):
        if np.isfinite(time):
            x, y = place(index, time)
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="#4a7"/>')
        elif np.isinf(time):
            x, y = place(index, most)
            parts.append(f'<path d="M{x - 3:.1f} {y - 6:.1f}l6 6m0 -6l-6 6" stroke="#d33"/>')
    parts += _line([place(index, value) for index, value in _averages_of_twelve(solves)])
    parts.append(
        f'<text x="{_LEFT}" y="{right_base - _BAR_HEIGHT - 14}">right first readings, day by '
        "day</text>"
    )
    parts += _axis(right_base, _BAR_HEIGHT, "100 %", "0 %")
    parts += _bars(days, right_base)
    return "\n".join([*parts, "</svg>", ""])


def _averages_of_twelve(solves: Solves) -> list[tuple[int, float]]:
    """The averages, each at its last solve."""
    timed = np.flatnonzero(~np.isnan(solves.times_s))
    averages = rolling_averages(solves.times_s[timed], 12)
    return [
        (int(index), float(value))
        for index, value in zip(timed[11:], averages, strict=True)
        if np.isfinite(value)
    ]


def _line(points: Sequence[tuple[float, float]]) -> list[str]:
    drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return [f'<polyline points="{drawn}" fill="none" stroke="#222"/>'] if points else []


def _axis(base: int, height: int, most: str, least: str) -> list[str]:
    return [
        f'<path d="M{_LEFT} {base - height}V{base}H{_WIDTH - 20}" fill="none" stroke="black"/>',
        f'<text x="{_LEFT - 6}" y="{base - height + 4}" text-anchor="end">{most}</text>',
        f'<text x="{_LEFT - 6}" y="{base}" text-anchor="end">{least}</text>',
    ]


def _bars(days: Days, base: int) -> list[str]:
    step = (_WIDTH - _LEFT - 20) / max(len(days), 1)
    parts = []
    for index, (day, summary) in enumerate(days):
        if summary.first_right is None:
            continue
        height = _BAR_HEIGHT * summary.first_right
        parts.append(
            f'<rect x="{_LEFT + step * index + 1:.1f}" y="{base - height:.1f}" '
            f'width="{max(step - 2, 0.5):.1f}" height="{height:.1f}" fill="#4a7">'
            f"<title>{day}: {summary.first_right:.0%}</title></rect>"
        )
    if days:
        parts.append(f'<text x="{_LEFT}" y="{base + 16}">{days[0][0]}</text>')
        if len(days) > 1:
            parts.append(
                f'<text x="{_WIDTH - 20}" y="{base + 16}" text-anchor="end">{days[-1][0]}</text>'
            )
    return parts
