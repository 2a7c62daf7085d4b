"""The assistant for a first run, step by step: nothing moves without a press."""

import html
from collections.abc import Callable
from urllib.parse import urlencode

from nicegui import ui

from cube.facelets import SOLVED_FACELETS
from cube.moves import Move
from frontends.control.assistant_commands import AssistantStep
from frontends.control.routing import CALIBRATING
from frontends.control.view_model.calibrate import MovablePart
from frontends.control.view_model.view import AssistantPane, ViewModel
from frontends.panel.pages.assistant.machines import (
    assistant_pane,
    choose_machine,
    choosing_buttons,
    going,
)
from frontends.panel.pages.attention_card import (
    leading,
    notes_of,
    runs_cube,
    show_attention,
)
from frontends.panel.pages.board import build_flash
from frontends.panel.pages.calibrate.fields import pane as calibrate_pane
from frontends.panel.pages.calibrate.fields import saved_text, trouble
from frontends.panel.pages.cubes import SolidCube
from frontends.panel.pages.elements import CameraElement
from frontends.panel.pages.page import Page, sending
from robot.rigs.catalogue import NAMES

_STEPS = tuple(AssistantStep)
_SWINGS = 3
"""So often a motor that is tried turns there and back."""


def build_assistant(page: Page) -> None:
    """Build the page."""
    with ui.element("div").classes("assistant"):
        page.show(
            lambda view: (assistant_pane(view).step, assistant_pane(view).skipped),
            lambda part: _way(page, *part),
        )
        with ui.element("section").classes("assistant-step").props('tabindex="0"'):
            page.show(
                lambda view: (assistant_pane(view).step, assistant_pane(view).opening),
                lambda part: _step(page, *part),
            )
    with ui.element("aside").classes("actions"):
        page.show(
            lambda view: (assistant_pane(view).step, assistant_pane(view).opening, _complete(view)),
            lambda part: _buttons(page, *part),
        )


def _parts(view: ViewModel) -> tuple[MovablePart, ...]:
    """Return what is checked: the actions of a machine that has some, otherwise its motors."""
    parts = calibrate_pane(view).motors.parts
    return tuple(part for part in parts if not part.direction) or parts


def _next_part(view: ViewModel) -> MovablePart | None:
    checked = assistant_pane(view).checked
    return next((part for part in _parts(view) if part.name not in checked), None)


def _complete(view: ViewModel) -> bool:
    """Return whether the current step has found everything in order."""
    pane = assistant_pane(view)
    match pane.step:
        case AssistantStep.DEVICES:
            return bool(view.machine.port) and not pane.camera_trouble
        case AssistantStep.DIRECTIONS:
            return _next_part(view) is None
        case AssistantStep.VIEWS:
            return not pane.unseen
        case AssistantStep.SOLVE:
            return bool(view.verified and view.plan.moves and not view.job)
        case _:
            return True


def _way(page: Page, now: AssistantStep, skipped: tuple[AssistantStep, ...]) -> None:
    """Show all steps, and which of them is the current one, which are done, and which skipped."""
    with ui.element("ol").classes("assistant-way"):
        for step in _STEPS[:-1]:
            text = page.words(f"assistant.step_{step}")
            entry = ui.element("li").classes("now" if step is now else "")
            if step is now:
                entry.props('aria-current="step"')
            elif step in skipped:
                entry.classes("skipped")
                text = page.words("assistant.skipped", step=text)
            elif _STEPS.index(step) < _STEPS.index(now):
                entry.classes("over")
            with entry:
                ui.label(text)


def _step(page: Page, step: AssistantStep, opening: bool) -> None:
    words = page.words
    partly = step is AssistantStep.DONE and assistant_pane(page.hub.view).skipped
    ui.label(words(f"assistant.title_{'skipped' if partly else step}")).classes(
        "assistant-title"
    ).props('role="heading" aria-level="1"')
    if opening:
        ui.label(words("assistant.opening")).props('role="status"')
        return
    build: dict[AssistantStep, Callable[[Page], None]] = {
        AssistantStep.RIG: choose_machine,
        AssistantStep.DEVICES: _devices,
        AssistantStep.DIRECTIONS: _directions,
        AssistantStep.VIEWS: _views,
        AssistantStep.SOLVE: _solve,
        AssistantStep.DONE: _done,
    }
    own = runs_cube if step is AssistantStep.SOLVE else CALIBRATING.__contains__
    _news(page, own)  # in sight on small screens, too
    build[step](page)


def _news(page: Page, own: Callable[[str], bool]) -> None:
    """Show why the last command failed; what was told before this step is about something else."""
    show_attention(page, own)
    known = notes_of(page.hub.view, own)

    def draw(notes: tuple[str, ...]) -> None:
        for note in notes[-1:] if notes != known else ():
            ui.label(note).classes("note").props('role="status" lang="en"')

    page.show(lambda view: notes_of(view, own), draw)


def _devices(page: Page) -> None:
    words = page.words
    ui.label(words("assistant.devices_hint")).classes("small")
    page.show(
        lambda view: (view.machine.port, assistant_pane(view).board_trouble),
        lambda _: _board(page),
    )
    page.show(
        lambda view: (
            assistant_pane(view).camera_trouble,
            assistant_pane(view).cameras,
            view.machine.cameras,
        ),
        lambda _: _cameras(page),
    )


def _board(page: Page) -> None:
    words, view = page.words, page.hub.view
    pane = assistant_pane(view)
    if view.machine.port:
        key = "board_virtual" if pane.virtual else "board_found"
        good = words(f"assistant.{key}", port=view.machine.port)
        ui.label(good).classes("verdict good").props('role="status"')
    else:
        trouble(page, words("assistant.no_board"), pane.board_trouble)
        if not pane.virtual:
            build_flash(page)


def _cameras(page: Page) -> None:
    words, view = page.words, page.hub.view
    pane = assistant_pane(view)
    if pane.camera_trouble:
        trouble(page, words("assistant.no_camera"), pane.camera_trouble)
    elif not view.machine.cameras:
        ui.label(words("assistant.no_camera_needed")).classes("verdict")
    else:
        good = words("assistant.cameras_found", number=len(view.machine.cameras))
        ui.label(good).classes("verdict good").props('role="status"')
    with ui.element("div").classes("assistant-cameras"):
        numbers = range(len(view.machine.cameras) if pane.virtual else len(pane.sources))
        for number in numbers:
            with ui.element("div"):
                label = words("run.camera", number=number + 1)
                if number < len(view.machine.cameras):
                    CameraElement(number, label=label)
                if not pane.virtual:
                    _source(pane, number, label)


def _source(pane: AssistantPane, number: int, label: str) -> None:
    """Offer the cameras of this computer for one of the rig's cameras."""
    now = pane.sources[number]
    options = "".join(
        f'<option value="{html.escape(source)}"{" selected" if source == now else ""}>'
        f"{html.escape(f'{source} · {name}' if name else source)}</option>"
        for source, name in ({now: ""} | pane.cameras).items()
    )
    send = (
        f"window.thistlebot.send({{command: 'use_camera', number: {number}, source: this.value}})"
    )
    ui.html(
        f'<label for="source-{number}">{html.escape(label)}</label>'
        f'<select id="source-{number}" onchange="{html.escape(send)}">{options}</select>',
        sanitize=False,
    ).classes("field")


def _directions(page: Page) -> None:
    words = page.words
    ui.label(words("assistant.hands")).classes("small")
    page.show(
        lambda view: (
            _parts(view),
            assistant_pane(view).checked,
            assistant_pane(view).tried,
            view.job,
            calibrate_pane(view).motors.saved,
        ),
        lambda _: _part(page),
    )
    with ui.element("div").classes("assistant-stage"):
        page.show(_next_part, lambda part: _shown_part(page, part))
        _watch(page)


def _shown_part(page: Page, part: MovablePart | None) -> None:
    """Point out a part in the picture of the machine, and show how it has to turn."""
    rig = assistant_pane(page.hub.view).rig
    if rig in NAMES:
        query = urlencode([("part", each) for each in part.moves] if part else [])
        ui.html(f'<img src="picture/rig/{rig}.svg?{query}" alt="">', sanitize=False)
    if part is None or not part.turns:
        return
    turn = part.turns
    cube = SolidCube(SOLVED_FACELETS.text, label=page.words("run.cube"), letters=True)
    cube.point(turn)

    def follow(job: str) -> None:
        if job == "buzz" and page.hub.view.machine.virtual:  # there is nothing else to see
            cube.turn([turn, str(Move.parse(turn).inverse())] * _SWINGS)

    page.follow(lambda view: view.job, follow)


def _part(page: Page) -> None:
    """Show the next part to be checked: first try it, then say how it moved."""
    words, view = page.words, page.hub.view
    parts, part = _parts(view), _next_part(view)
    if part is None:
        ui.label(words("assistant.directions_done")).classes("verdict good").props('role="status"')
        return
    kind = "motor" if part.direction else "action"
    count = words("assistant.count", number=parts.index(part) + 1, total=len(parts))
    ui.label(f"{words(f'assistant.{kind}', part=part.name)} · {count}").classes("strong")
    if view.job:
        ui.label(words("calibrate.doing_buzz", part=part.name)).props('role="status"')
        return
    saved_text(page, calibrate_pane(view).motors.saved)
    asked = assistant_pane(view).tried == part.name
    if asked:
        ui.label(_question(page, part)).props('role="alert"')
    judge = {"command": "judge_part", "part": part.name}
    with ui.element("div").classes("answers"):
        if asked:
            page.order_button("assistant.right", judge | {"right": True}, icon="check")
            if part.turns or part.direction:
                page.order_button("assistant.wrong", judge | {"right": False}, icon="swap_horiz")
            if not part.direction:
                _link(page, "assistant.places", "calibrate&card=motors")
        again = page.order_button(
            "assistant.try_again" if asked else "assistant.try",
            {"command": "try_part", "part": part.name},
            icon="vibration",
        )
        if asked:
            again.props("outline", remove="unelevated")
    others = [each.name for each in parts if each.name != part.name] if part.direction else []
    if asked and others:
        with ui.element("details"):
            with ui.element("summary"):
                ui.label(words("assistant.other"))
            with ui.element("div").classes("answers"):
                for name in others:
                    order = judge | {"right": False, "moved": name}
                    button = ui.button(name).classes("order").props("no-caps outline")
                    button.on("click", js_handler=sending(order))
    with ui.element("details"):
        with ui.element("summary"):
            ui.label(words("assistant.nothing"))
        ui.label(words("assistant.still")).classes("small")
        _link(page, "assistant.check_board", "calibrate&card=board")


def _question(page: Page, part: MovablePart) -> str:
    """Return what is asked about a part that was tried."""
    words = page.words
    if part.direction or not part.turns:
        kind = "motor" if part.direction else "action"
        return words(f"assistant.ask_{kind}", part=part.name)
    way = "anticlockwise" if "'" in part.turns else "clockwise"
    side = words(f"assistant.from_{part.turns[0]}")
    return words(f"assistant.ask_{way}", part=part.name, side=side)


def _views(page: Page) -> None:
    words, pane = page.words, assistant_pane(page.hub.view)
    if pane.virtual:
        ui.label(words("assistant.views_virtual"))
    else:
        ui.label(words("assistant.views_hint"))
    if pane.unseen:
        trouble(page, words("assistant.unseen"), pane.unseen)
    else:
        ui.label(words("assistant.seen")).classes("verdict good").props('role="status"')
    chosen = calibrate_pane(page.hub.view).chosen
    key = "profile" if chosen else "no_profile"
    ui.label(words(f"assistant.{key}", profile=chosen)).classes("small")
    with ui.element("div").classes("answers"):
        _link(page, "assistant.set_views", "calibrate&card=views")
        _link(page, "assistant.set_colours", "calibrate&card=colours")


def _solve(page: Page) -> None:
    words = page.words
    ui.label(words("assistant.solve_hint")).classes("small")

    def text(view: ViewModel) -> str:
        if _complete(view):
            return words("assistant.verified")
        return words(f"run.phase_{view.phase}" if view.job else "assistant.solve_ready")

    page.text(text).classes("strong").props('role="status"')
    with ui.element("div").classes("assistant-stage"):
        SolidCube(label=words("run.cube"), live=True, pace_ms=140)
        _watch(page)


def _watch(page: Page) -> None:
    """Show what the first camera sees, if one is open."""

    def draw(seen: bool) -> None:
        if seen:
            CameraElement(0, label=page.words("run.camera", number=1))

    page.show(lambda view: bool(view.machine.cameras), draw)


def _done(page: Page) -> None:
    skipped = assistant_pane(page.hub.view).skipped
    ui.label(page.words("assistant.done_skipped" if skipped else "assistant.done"))
    with ui.element("div").classes("answers"):
        for step in skipped:
            back = ui.button(page.words(f"assistant.step_{step}"), icon="undo").classes("order")
            back.props("no-caps unelevated").on("click", js_handler=sending(going(step)))
        _link(page, "frame.run", "run", filled=True)
        _link(page, "frame.hand", "hand")
        _link(page, "frame.calibrate", "calibrate")


def _link(page: Page, key: str, tab: str, *, filled: bool = False) -> None:
    button = leading(page.words(key), tab)
    if filled:
        button.props("unelevated", remove="outline")


def _buttons(page: Page, step: AssistantStep, opening: bool, complete: bool) -> None:
    if opening:
        return
    if step is AssistantStep.RIG:
        choosing_buttons(page)
    elif step is AssistantStep.DONE:
        page.order_button("assistant.restart", going(AssistantStep.RIG), icon="restart_alt")
    else:
        number = _STEPS.index(step)
        following = going(_STEPS[number + 1])
        last = following["step"] == AssistantStep.DONE
        go_on = page.order_button(
            f"assistant.{'finish' if last else 'next'}", following, icon="arrow_forward"
        )
        go_on.set_enabled(complete)
        if step is AssistantStep.DEVICES:
            page.order_button("assistant.search", {"command": "find_devices"}, icon="search")
        elif step is AssistantStep.SOLVE:
            page.order_button("run.solve", {"command": "solve"}, icon="play_arrow")
            page.order_button("run.scramble", {"command": "scramble"}, icon="shuffle")
        back = page.order_button("assistant.back", going(_STEPS[number - 1]), icon="arrow_back")
        back.props("outline", remove="unelevated")
        if not complete:  # never where the button to continue is: a double tap must not skip
            skip = page.order_button("assistant.skip", following | {"skips": True})
            skip.props("flat", remove="unelevated")
