"""Draws the trace of a search for speeds: each trial's time, and whether it held."""

import html
import math
from collections.abc import Sequence

from cube.moves import FACES
from thistlebot.control.showing.calibrate_pane import MotorFound, ShownTrial
from thistlebot.words.words import Words

WIDTH, HEIGHT = 320, 200
_LEFT, _RIGHT, _TOP, _BOTTOM = 32, 6, 22, 26
_TICKS = 4
_HELD_RADIUS, _LOST_REACH = 5, 5
_LETTER = 8.0


def trace_svg(trials: Sequence[ShownTrial], found: Sequence[MotorFound], words: Words) -> str:
    """Draw the trials in their order; circles held, crosses lost steps, lines are what is set.

    Args:
        trials: Of one search or of several, face after face.
        found: What came of those that are over.
        words: The language.
    """
    label = html.escape(told(trials, found, words))
    head = f'<svg class="trace" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">'
    if not trials:
        return (
            f'{head}<text class="axis" x="{WIDTH / 2}" y="{HEIGHT / 2}" text-anchor="middle">'
            f"{html.escape(words('calibrate.no_trace'))}</text></svg>"
        )
    times = [trial.quarter_ms for trial in trials] + [each.quarter_ms for each in found]
    low, high = _range(times)

    def y_of(time_ms: float) -> float:
        return _TOP + (HEIGHT - _TOP - _BOTTOM) * (high - time_ms) / (high - low)

    step = (WIDTH - _LEFT - _RIGHT) / len(trials)
    places = [_LEFT + step * (number + 0.5) for number in range(len(trials))]
    about = "quarter_ms" if trials[0].face in FACES else "action_ms"
    parts = [_axis(low, high, y_of(low), y_of(high), words(f"calibrate.{about}"))]
    for face in dict.fromkeys(trial.face for trial in trials):
        mine = [n for n, trial in enumerate(trials) if trial.face == face]
        left, right = places[mine[0]] - step / 2, places[mine[-1]] + step / 2
        parts.append(
            f'<text class="face" x="{(left + right) / 2:.1f}" y="{HEIGHT - 7}"'
            f' text-anchor="middle">{html.escape(_short(face, right - left))}</text>'
        )
        line = " ".join(f"{places[n]:.1f},{y_of(trials[n].quarter_ms):.1f}" for n in mine)
        parts.append(f'<polyline class="way" points="{line}"/>')
        for each in found:
            if each.face == face:
                y = y_of(each.quarter_ms)
                parts.append(
                    f'<line class="set" x1="{left:.1f}" x2="{right:.1f}" y1="{y:.1f}"'
                    f' y2="{y:.1f}"/>'
                )
    parts += [
        _mark(x, y_of(trial.quarter_ms), trial, words)
        for x, trial in zip(places, trials, strict=True)
    ]
    return f"{head}{''.join(parts)}</svg>"


def told(trials: Sequence[ShownTrial], found: Sequence[MotorFound], words: Words) -> str:
    """Say what the trace shows, for those who hear it."""
    if not trials:
        return words("calibrate.no_trace")
    parts = [trial_text(trials[-1], words)]
    return "; ".join([*parts, *(found_text(each, words) for each in found)])


def trial_text(trial: ShownTrial, words: Words) -> str:
    """Say what one trial was and how it ended."""
    result = words("calibrate.held" if trial.held else "calibrate.lost")
    return words(
        "calibrate.trial",
        face=trial.face,
        number=trial.number,
        ms=f"{trial.quarter_ms:.1f}",
        result=result,
    )


def found_text(found: MotorFound, words: Words) -> str:
    """Say what a face or an action is set to."""
    key = "found" if found.face in FACES else "found_action"
    return words(f"calibrate.{key}", face=found.face, ms=f"{found.quarter_ms:.1f}")


def _short(name: str, width: float) -> str:
    """Return as much of a name as there is room for."""
    room = max(1, int(width / _LETTER))
    return name if len(name) <= room else f"{name[: room - 1]}…"


def _range(times: Sequence[float]) -> tuple[float, float]:
    """Return the ends of the axis: whole milliseconds around all times."""
    low, high = math.floor(min(times)) - 1, math.ceil(max(times)) + 1
    return float(low), float(high + (high - low) % _TICKS)


def _axis(low: float, high: float, y_low: float, y_high: float, about: str) -> str:
    parts = [f'<text class="axis" x="4" y="{_TOP - 9}">{html.escape(about)}</text>']
    for number in range(_TICKS + 1):
        y = y_low + (y_high - y_low) * number / _TICKS
        value = low + (high - low) * number / _TICKS
        parts.append(
            f'<line class="grid" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text class="axis" x="{_LEFT - 4}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>'
        )
    return "".join(parts)


def _mark(x: float, y: float, trial: ShownTrial, words: Words) -> str:
    title = f"<title>{html.escape(trial_text(trial, words))}</title>"
    if trial.held:
        return f'<circle class="held" cx="{x:.1f}" cy="{y:.1f}" r="{_HELD_RADIUS}">{title}</circle>'
    reach = _LOST_REACH
    return (
        f'<path class="lost" d="M{x - reach:.1f} {y - reach:.1f}l{2 * reach} {2 * reach}'
        f'm{-2 * reach} 0l{2 * reach} {-2 * reach}">{title}</path>'
    )
