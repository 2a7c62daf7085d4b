"""The card of the motors: identification, direction, and speed.

This module also draws the chart of a search for speeds: the time of each trial, and whether it
succeeded.
"""

import html
import json
import math
from collections.abc import Callable, Sequence

from nicegui import ui

from calibration.motors import SpeedTrial
from cube.moves import FACES
from cube.svg import element, points, text, title
from frontends.control.view_model.calibrate import (
    Asking,
    MotorFound,
    Motors,
    MovablePart,
)
from frontends.panel.pages.calibrate.fields import (
    choice_field,
    field_button,
    pane,
    saved_text,
    told,
)
from frontends.panel.pages.page import Page
from thistlebot.words.words import Words

WIDTH, HEIGHT = 320, 200
_LEFT, _RIGHT, _TOP, _BOTTOM = 32, 6, 28, 26
_TICKS = 4
_HELD_RADIUS, _LOST_REACH = 5, 5
_LETTER = 8.0


def trace_svg(trials: Sequence[SpeedTrial], found: Sequence[MotorFound], words: Words) -> str:
    """Draw the trials in order; circles succeeded, crosses lost steps, lines are the results.

    Args:
        trials: Trials of one search or of several, face after face.
        found: The results of completed searches.
        words: The language.
    """
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


_FACES, _PART = "calibrate-faces", "calibrate-part"
_ANSWER_KEYS = {
    "": "yes",
    "here": "here",
    "way": "way",
    "2": "twice",
    "1/2": "half",
    "0": "not",
    "n": "no",
}


def build_motors(page: Page) -> None:
    """Build the card."""
    with ui.element("div").classes("card-body motors-body"):
        with ui.element("section").classes("parts"):
            page.show(lambda view: pane(view).motors.parts, lambda parts: _parts(page, parts))
        with ui.element("section").classes("trace-place"):
            page.show(
                lambda view: (pane(view).motors.trials, pane(view).motors.found),
                lambda part: _trace(page, *part),
            )
            page.show(lambda view: pane(view).motors, lambda part: _state(page, part))
            told(page)
    with ui.element("aside").classes("actions"):
        page.show(lambda view: pane(view).motors.searchable, lambda part: _search(page, part))
        page.show(lambda view: pane(view).motors.measurable, lambda part: _measuring(page, part))
        page.show(lambda view: pane(view).motors.align, lambda part: _aligning(page, part))
        page.show(lambda view: pane(view).motors.can_save, lambda part: _saving(page, part))


def _trace(page: Page, trials: tuple[SpeedTrial, ...], found: tuple[MotorFound, ...]) -> None:
    ui.html(trace_svg(trials, found, page.words), sanitize=False)


def _parts(page: Page, parts: tuple[MovablePart, ...]) -> None:
    words = page.words
    with ui.element("ul").classes("part-list"):
        for part in parts:
            with ui.element("li"):
                ui.label(part.name).classes("part-name")
                if part.direction:
                    about = words(
                        "calibrate.motor", channel=part.channel, ms=words.number(part.quarter_ms)
                    )
                    ui.label(about).classes("small")
                _button(page, "buzz", "vibration", part)
                if part.direction:
                    _button(page, "flip", "swap_horiz", part)


def _button(page: Page, key: str, icon: str, part: MovablePart) -> None:
    command = "buzz" if key == "buzz" else "flip_direction"
    order = json.dumps({"command": command, "part": part.name})
    told = html.escape(page.words(f"calibrate.{key}_part", part=part.name))
    button = ui.button(page.words(f"calibrate.{key}"), icon=icon).classes("order")
    button.props(f'no-caps outline aria-label="{told}" title="{told}"')
    button.on("click", js_handler=f"() => window.thistlebot.send({order})")


def _state(page: Page, motors: Motors) -> None:
    words = page.words
    if motors.align:
        text = words("calibrate.align", faces=", ".join(motors.align))
        ui.label(text).classes("verdict bad").props('role="alert"')
    elif motors.asking is not None:
        _asking(page, motors.asking)
    elif motors.doing:
        ui.label(words(f"calibrate.doing_{motors.doing}", part=motors.part)).classes(
            "strong"
        ).props('role="status"')
    elif not motors.trials:
        hint = "parts_hint" if motors.measurable else "motors_hint"
        ui.label(words(f"calibrate.{hint}")).classes("small")
    for each in motors.found:
        ui.label(found_text(each, words)).classes("small")
    saved_text(page, motors.saved)


def _search(page: Page, searchable: str) -> None:
    if not searchable:
        return
    words = page.words
    options = [(searchable, words("calibrate.all_faces"))] + [(face, face) for face in searchable]
    choice_field(_FACES, words("calibrate.faces"), options)
    field_button(
        page, "calibrate.search", {"command": "measure_motors"}, {"faces": _FACES}, "speed"
    )


def _measuring(page: Page, parts: tuple[str, ...]) -> None:
    if not parts:
        return
    words = page.words
    options = [("", words("calibrate.all_parts"))] + [(part, part) for part in parts]
    choice_field(_PART, words("calibrate.part"), options)
    field_button(
        page, "calibrate.measure_parts", {"command": "measure_parts"}, {"part": _PART}, "straighten"
    )


def _asking(page: Page, asking: Asking) -> None:
    """Show a question about a part, with a button for each answer."""
    with ui.element("div").classes("verdict").props('role="alert"'):
        ui.label(asking.text).props('lang="en"')
        with ui.element("div").classes("answers"):
            for answer in asking.answers:
                key = _ANSWER_KEYS.get(answer)
                text = answer if key is None else page.words(f"calibrate.{asking.kind}_{key}")
                button = ui.button(text).classes("order").props("no-caps unelevated")
                order = json.dumps({"command": "answer", "said": answer})
                button.on("click", js_handler=f"() => window.thistlebot.send({order})")


def _aligning(page: Page, align: str) -> None:
    if align:
        page.order_button("calibrate.aligned", {"command": "aligned"}, icon="check")


def _saving(page: Page, can_save: bool) -> None:
    if can_save:
        page.order_button("calibrate.save_motors", {"command": "save_motors"}, icon="save")
