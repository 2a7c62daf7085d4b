"""Charts of the past as SVG, in the page's own colours and language."""

import math
from collections.abc import Sequence

import numpy as np

from cube.svg import element, points, text, title
from thistlebot.journal.run_times import RunTimes
from thistlebot.journal.statistics import Solves, placed_averages
from thistlebot.words.words import Words

SHOWN = 100
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 400, 150, 44, 6, 10, 20
_DIGIT = 8.0
"""Width of a digit in the chart's units, at most."""


def times_chart(solves: Solves, words: Words) -> str:
    """Draw the time of each solve as a dot, with the averages of five and twelve as lines."""
    shown = solves[-SHOWN:]
    first = len(solves) - len(shown)
    finite = shown.times_s[np.isfinite(shown.times_s)]
    most = _round_up(float(finite.max())) if len(finite) else 1.0
    step = (_WIDTH - _LEFT - _RIGHT) / max(len(shown), 1)

    def place(index: float, value: float) -> tuple[float, float]:
        return _LEFT + step * (index + 0.5), _height(value, most)

    parts = _axis(most, words)
    for name, of in (("ao12", 12), ("ao5", 5)):
        averages = placed_averages(solves, of)
        parts += _line(name, [place(i - first, v) for i, v in averages if i >= first])
    for index, (number, time) in enumerate(zip(shown.numbers, shown.times_s, strict=True)):
        told = f"{words('history.run', number=number)}: {seconds(time, words)}"
        if np.isfinite(time):
            x, y = place(index, time)
            parts.append(element("circle", title(told), class_="solve-dot", cx=x, cy=y, r=3))
        elif np.isinf(time):
            x, y = place(index, most)
            cross = f"M{x - 3:.1f} {y:.1f}l6 6m0 -6l-6 6"
            parts.append(element("path", title(told), class_="dnf", d=cross))
    return _svg(parts, words("history.times_label", number=len(shown)))


def phases_chart(runs: Sequence[tuple[int, RunTimes]], words: Words) -> str:
    """Draw the time of each phase of each run as a stacked bar."""
    sums = [times.by_phase for _, times in runs]
    most = _round_up(max((sum(each.values()) for each in sums), default=1.0))
    step = (_WIDTH - _LEFT - _RIGHT) / max(len(sums), 1)
    wide = min(step * 0.8, 30)
    digits = max((len(str(number)) for number, _ in runs), default=1)
    # Counted from the newest, each bar of this number has the number of its run below.
    every = math.ceil((digits + 1) * _DIGIT / step)
    parts = _axis(most, words)
    for index, ((number, _), times) in enumerate(zip(runs, sums, strict=True)):
        x, below = _LEFT + step * (index + 0.5) - wide / 2, 0.0
        for phase in times:
            top, base = _height(below + times[phase], most), _height(below, most)
            told = (
                f"{words('history.run', number=number)}, {words(f'history.phase_{phase}')}: "
                f"{seconds(times[phase], words)}"
            )
            box = {"x": x, "y": top, "width": wide, "height": base - top}
            parts.append(element("rect", title(told), class_=f"phase-{phase}", **box))
            below += times[phase]
        if (len(sums) - 1 - index) % every == 0:
            parts.append(text(str(number), x + wide / 2, _HEIGHT - 6, text_anchor="middle"))
    return _svg(parts, words("history.phases_label", number=len(sums)))


def seconds(time_s: float | None, words: Words) -> str:
    """Format a time for people; a dash for an unknown one."""
    if time_s is None or np.isnan(time_s):
        return "–"
    if np.isinf(time_s):
        return words("history.dnf")
    return words("history.s", time=words.number(time_s, ".2f"))


def _height(value: float, most: float) -> float:
    return _HEIGHT - _BOTTOM - (_HEIGHT - _BOTTOM - _TOP) * value / most


def _round_up(value: float) -> float:
    """Return the lowest of 1, 2, 5, 10, 20 … that is not below the value."""
    power = 10.0 ** np.floor(np.log10(max(value, 0.01)))
    return float(next(power * step for step in (1, 2, 5, 10) if power * step >= value - 1e-9))


def _axis(most: float, words: Words) -> list[str]:
    parts = []
    for share in (0.0, 0.5, 1.0):
        y = _height(share * most, most)
        told = words("history.s", time=words.number(share * most))
        parts.append(element("path", class_="grid", d=f"M{_LEFT} {y:.1f}H{_WIDTH - _RIGHT}"))
        parts.append(text(told, _LEFT - 5, y + 4, text_anchor="end"))
    return parts


def _line(name: str, places: Sequence[tuple[float, float]]) -> list[str]:
    return [element("polyline", class_=name, points=points(places))] if len(places) > 1 else []


def _svg(parts: Sequence[str], label: str) -> str:
    box = f"0 0 {_WIDTH} {_HEIGHT}"
    return element("svg", *parts, class_="chart", viewBox=box, role="img", aria_label=label)
