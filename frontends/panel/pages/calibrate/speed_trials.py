"""The search for speeds, as a chart and as text: each trial's time, and whether it succeeded."""

import math
from collections.abc import Callable, Sequence

from calibration.motors import SpeedTrial
from cube.moves import FACES
from cube.svg import element, points, text, title
from frontends.control.view_model.calibrate import MotorFound
from thistlebot.words.words import Words

WIDTH, HEIGHT = 320, 200
_LEFT, _RIGHT, _TOP, _BOTTOM = 32, 6, 28, 26
_HELD_RADIUS, _LOST_REACH = 5, 5
_TICKS = 4
_LETTER = 8.0


def trace_svg(trials: Sequence[SpeedTrial], found: Sequence[MotorFound], words: Words) -> str:
    """Draw the trials in order; circles succeeded, crosses lost steps, lines are the results."""
    head = {"class_": "trace", "viewBox": f"0 0 {WIDTH} {HEIGHT}", "role": "img"}
    head["aria_label"] = _trace_text(trials, found, words)
    if not trials:
        none = words("calibrate.no_trace")
        told = text(none, WIDTH / 2, HEIGHT / 2, class_="axis", text_anchor="middle")
        return element("svg", told, **head)
    times = [trial.quarter_ms for trial in trials] + [each.quarter_ms for each in found]
    low, high = _range(times)

    def y_of(time_ms: float) -> float:
        return _TOP + (HEIGHT - _TOP - _BOTTOM) * (high - time_ms) / (high - low)

    step = (WIDTH - _LEFT - _RIGHT) / len(trials)
    places = [_LEFT + step * (number + 0.5) for number in range(len(trials))]
    about = "quarter_ms" if trials[0].face in FACES else "action_ms"
    parts = [_axis((low, high), y_of, about, words)]
    for face in dict.fromkeys(trial.face for trial in trials):
        mine = [n for n, trial in enumerate(trials) if trial.face == face]
        left, right = places[mine[0]] - step / 2, places[mine[-1]] + step / 2
        name, middle = _short(face, right - left), (left + right) / 2
        parts.append(text(name, middle, HEIGHT - 7, class_="face", text_anchor="middle"))
        line = points((places[n], y_of(trials[n].quarter_ms)) for n in mine)
        parts.append(element("polyline", class_="way", points=line))
        for each in found:
            if each.face == face:
                y = y_of(each.quarter_ms)
                parts.append(element("line", class_="set", x1=left, x2=right, y1=y, y2=y))
    parts += [
        _mark(x, y_of(trial.quarter_ms), trial, words)
        for x, trial in zip(places, trials, strict=True)
    ]
    return element("svg", *parts, **head)


def _trace_text(trials: Sequence[SpeedTrial], found: Sequence[MotorFound], words: Words) -> str:
    """Describe the chart for screen readers."""
    if not trials:
        return words("calibrate.no_trace")
    parts = [trial_text(trials[-1], words)]
    return "; ".join([*parts, *(found_text(each, words) for each in found)])


def trial_text(trial: SpeedTrial, words: Words) -> str:
    """Describe one trial and its result."""
    result = words("calibrate.held" if trial.held else "calibrate.lost")
    return words(
        "calibrate.trial",
        face=trial.face,
        number=trial.number,
        ms=words.number(trial.quarter_ms, ".1f"),
        result=result,
    )


def found_text(found: MotorFound, words: Words) -> str:
    """Describe the result for a face or an action."""
    key = "found" if found.face in FACES else "found_action"
    return words(f"calibrate.{key}", face=found.face, ms=words.number(found.quarter_ms, ".1f"))


def _short(name: str, width: float) -> str:
    """Return the part of a name that fits."""
    room = max(1, int(width / _LETTER))
    return name if len(name) <= room else f"{name[: room - 1]}…"


def _range(times: Sequence[float]) -> tuple[float, float]:
    """Return the ends of the axis: whole milliseconds around all times."""
    low, high = math.floor(min(times)) - 1, math.ceil(max(times)) + 1
    return float(low), float(high + (high - low) % _TICKS)


def _axis(
    ends: tuple[float, float], y_of: Callable[[float], float], about: str, words: Words
) -> str:
    low, high = ends
    parts = [text(words(f"calibrate.{about}"), 4, _TOP - 13, class_="axis")]
    for number in range(_TICKS + 1):
        value = low + (high - low) * number / _TICKS
        y = y_of(value)
        parts += [
            element("line", class_="grid", x1=_LEFT, x2=WIDTH - _RIGHT, y1=y, y2=y),
            text(words.number(value), _LEFT - 4, y + 4, class_="axis", text_anchor="end"),
        ]
    return "".join(parts)


def _mark(x: float, y: float, trial: SpeedTrial, words: Words) -> str:
    told, reach = title(trial_text(trial, words)), _LOST_REACH
    if trial.held:
        return element("circle", told, class_="held", cx=x, cy=y, r=_HELD_RADIUS)
    there = f"M{x - reach:.1f} {y - reach:.1f}l{2 * reach} {2 * reach}"
    back = f"m{-2 * reach} 0l{2 * reach} {-2 * reach}"
    return element("path", told, class_="lost", d=there + back)
