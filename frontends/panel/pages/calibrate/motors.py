"""The card of the motors: identification, direction, and speed."""

from nicegui import ui

from calibration.motors import SpeedTrial
from frontends.control.view_model.calibrate import Asking, MotorFound, Motors, MovablePart
from frontends.panel.pages.calibrate.fields import (
    choice_field,
    field_button,
    named_button,
    pane,
    saved_text,
    told,
)
from frontends.panel.pages.calibrate.speed_trials import found_text, trace_svg
from frontends.panel.pages.page import Page, sending

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
                buzz = words("calibrate.buzz_part", part=part.name)
                order = {"command": "buzz", "part": part.name}
                named_button(page, "buzz", "vibration", buzz, order)
                if part.direction:
                    flip = words("calibrate.flip_part", part=part.name)
                    order = {"command": "flip_direction", "part": part.name}
                    named_button(page, "flip", "swap_horiz", flip, order)


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
                button.on("click", js_handler=sending({"command": "answer", "said": answer}))


def _aligning(page: Page, align: str) -> None:
    if align:
        page.order_button("calibrate.aligned", {"command": "aligned"}, icon="check")


def _saving(page: Page, can_save: bool) -> None:
    if can_save:
        page.order_button("calibrate.save_motors", {"command": "save_motors"}, icon="save")
