"""Charts of the past as SVG in the page's own colours and language."""

import html
from collections.abc import Sequence

import numpy as np

from thistlebot.history.overview import PhaseTimes
from thistlebot.history.statistics import Column, Solves, rolling_averages
from thistlebot.runs.events import Phase
from thistlebot.words.words import Words

SHOWN = 100
PHASES = (Phase.SCAN, Phase.DECODE, Phase.PLAN, Phase.EXECUTE, Phase.VERIFY)
"""Those that take time, in the order in which they come."""
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 400, 150, 44, 6, 10, 20


def times_chart(solves: Solves, words: Words) -> str:
    """Draw the time of each solve as a dot, with the averages of five and twelve as lines.

    Args:
        solves: The oldest first.
        words: The page's language.
    """
    shown = solves[-SHOWN:]
    finite = shown.times_s[np.isfinite(shown.times_s)]
    most = _round_up(float(finite.max())) if len(finite) else 1.0
    step = (_WIDTH - _LEFT - _RIGHT) / max(len(shown), 1)

    def place(index: float, value: float) -> tuple[float, float]:
        return _LEFT + step * (index + 0.5), _height(value, most)

    parts = _axis(most, words)
    for name, of in (("ao12", 12), ("ao5", 5)):
        parts += _line(name, [place(i, v) for i, v in _averages(solves, of, len(shown))])
    for index, (number, time) in enumerate(zip(shown.numbers, shown.times_s, strict=True)):
        told = f"{words('history.run', number=number)}: {seconds(time, words)}"
        if np.isfinite(time):
            x, y = place(index, time)
            parts.append(
                f'<circle class="solve-dot" cx="{x:.1f}" cy="{y:.1f}" r="3">'
                f"<title>{html.escape(told)}</title></circle>"
            )
        elif np.isinf(time):
            x, y = place(index, most)
            parts.append(
                f'<path class="dnf" d="M{x - 3:.1f} {y:.1f}l6 6m0 -6l-6 6">'
                f"<title>{html.escape(told)}</title></path>"
            )
    return _svg(parts, words("history.times_label", number=len(shown)))


def phases_chart(phases: Sequence[tuple[int, PhaseTimes]], words: Words) -> str:
    """Draw what each phase of each run took as a bar of parts.

    Args:
        phases: Numbers of runs with their phases, the oldest first.
        words: The page's language.
    """
    sums = [_by_phase(times) for _, times in phases]
    most = _round_up(max((sum(each.values()) for each in sums), default=1.0))
    step = (_WIDTH - _LEFT - _RIGHT) / max(len(sums), 1)
    wide = min(step * 0.8, 30)
    parts = _axis(most, words)
    for index, ((number, _), times) in enumerate(zip(phases, sums, strict=True)):
        x, below = _LEFT + step * (index + 0.5) - wide / 2, 0.0
        for phase in PHASES:
            top, base = _height(below + times[phase], most), _height(below, most)
            told = (
                f"{words('history.run', number=number)}, {words(f'history.phase_{phase}')}: "
                f"{seconds(times[phase], words)}"
            )
            parts.append(
                f'<rect class="phase-{phase}" x="{x:.1f}" y="{top:.1f}" width="{wide:.1f}" '
                f'height="{base - top:.1f}"><title>{html.escape(told)}</title></rect>'
            )
            below += times[phase]
        parts.append(
            f'<text x="{x + wide / 2:.1f}" y="{_HEIGHT - 6}" text-anchor="middle">{number}</text>'
            if len(sums) <= 20
            else ""
        )
    return _svg(parts, words("history.phases_label", number=len(sums)))


def seconds(time_s: float | None, words: Words) -> str:
    """Write a time for people; a dash for one that nobody knows."""
    if time_s is None or np.isnan(time_s):
        return "–"
    if np.isinf(time_s):
        return words("history.dnf")
    return words("history.s", time=f"{time_s:.2f}".replace(".", words("show.point")))


def _by_phase(times: PhaseTimes) -> dict[Phase, float]:
    found = dict.fromkeys(PHASES, 0.0)
    for phase, time_s in times:
        if phase in found:
            found[phase] += time_s
    return found


def _averages(solves: Solves, of: int, shown: int) -> list[tuple[int, float]]:
    """The averages at the solves that are shown, each at its last solve; DNF is left out."""
    timed = np.flatnonzero(~np.isnan(solves.times_s))
    averages: Column = rolling_averages(solves.times_s[timed], of)
    first = len(solves) - shown
    return [
        (int(index) - first, float(value))
        for index, value in zip(timed[of - 1 :], averages, strict=True)
        if index >= first and np.isfinite(value)
    ]


def _height(value: float, most: float) -> float:
    return _HEIGHT - _BOTTOM - (_HEIGHT - _BOTTOM - _TOP) * value / most


def _round_up(value: float) -> float:
    """The least of 1, 2, 5, 10, 20 … that is not less."""
    power = 10.0 ** np.floor(np.log10(max(value, 0.01)))
    return float(next(power * step for step in (1, 2, 5, 10) if power * step >= value - 1e-9))


def _axis(most: float, words: Words) -> list[str]:
    parts = []
    for share in (0.0, 0.5, 1.0):
        y = _height(share * most, most)
        text = words("history.s", time=f"{share * most:g}".replace(".", words("show.point")))
        parts.append(f'<path class="grid" d="M{_LEFT} {y:.1f}H{_WIDTH - _RIGHT}"/>')
        parts.append(f'<text x="{_LEFT - 5}" y="{y + 4:.1f}" text-anchor="end">{text}</text>')
    return parts


def _line(name: str, points: Sequence[tuple[float, float]]) -> list[str]:
    drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return [f'<polyline class="{name}" points="{drawn}"/>'] if len(points) > 1 else []


def _svg(parts: Sequence[str], label: str) -> str:
    return (
        f'<svg class="chart" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="{html.escape(label)}">{"".join(parts)}</svg>'
    )
