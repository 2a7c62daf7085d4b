"""The page Run: the cube, the cameras, the moves, and the one big button.

If the machine needs a person, a sheet says why and what to do. The moves are shown by stage, and
the acknowledged ones are marked.
"""

import html
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote

from nicegui import ui

from cube.facelets import SOLVED_FACELETS
from cube.moves import MoveSequence
from cube.patterns import PATTERNS
from cube.state import SOLVED
from frontends.control.view_model.attention import AttentionAction
from frontends.control.view_model.view import ShownPlan, ViewModel
from frontends.panel.pages.attention_card import (
    attention_of,
    leading,
    notes_of,
    runs_cube,
    show_attention,
)
from frontends.panel.pages.best import follow_best, is_best
from frontends.panel.pages.cube_entry import CubeEntry
from frontends.panel.pages.cubes import SolidCube
from frontends.panel.pages.elements import CameraElement, ClockElement, ProgressElement
from frontends.panel.pages.net import build_net
from frontends.panel.pages.page import Page, sending
from thistlebot.events import Phase
from thistlebot.words.mishaps import mishap_text

_MISTAKES = ("3 short", "5 slip", "4 double", "6 unplug", "glare", "cover")
"""What a virtual machine can be asked to do wrong."""


def build_run(page: Page) -> None:
    """Build the page."""
    with ui.element("div").classes("run-grid"):
        _status_bar(page)
        with ui.element("section").classes("run-cube"):
            _hero(page)
        with ui.element("section").classes("run-camera"):
            page.show(lambda view: len(view.machine.cameras), lambda count: _cameras(page, count))
        story = ui.element("section").classes("run-story")
        story.props(f'tabindex="0" aria-label="{page.words("run.moves")}"')
        with story:
            _story(page)
        with ui.element("section").classes("run-sheet") as sheet:
            _sheet(page, sheet)
    with ui.element("aside").classes("actions"):
        _actions(page)


def _hero(page: Page) -> None:
    """Show the cube, with switches for its letters and for the net of its stickers."""
    words = page.words
    cube = SolidCube(
        label=words("run.cube"),
        live=True,
        lettered=True,
        pace_ms=140,
        praise={
            "solved": words("show.solved"),
            "reached": words("show.reached"),
            "replay": words("run.replay"),
        },
    )
    cube.classes("cube-large")
    with ui.element("div").classes("run-switches"):
        letters = ui.button(words("run.letters")).props("flat dense no-caps")
        letters.on("click", js_handler="() => window.thistlebotSettings.toggleLetters()")
        stickers = ui.button(words("run.stickers")).props("flat dense no-caps")
        stickers.on("click", js_handler=_TOGGLE.format("asked", "benched"))
        bench = ui.button(words("run.bench")).props("flat dense no-caps")
        bench.on("click", js_handler=_TOGGLE.format("benched", "asked"))


_TOGGLE = (
    "() => {{ const {{classList}} = document.querySelector('.run-sheet');"
    " classList.toggle('{}'); classList.remove('{}'); }}"
)


def _sheet(page: Page, sheet: ui.element) -> None:
    """Show why the machine waits, and the net for corrections, in front of everything else."""

    def parts(view: ViewModel) -> tuple[bool, bool]:
        attention, look = attention_of(view, runs_cube), view.look
        corrects = attention is not None and AttentionAction.CORRECT in attention.actions
        return attention is not None or look.corrections > 0, corrects or look.corrections > 0

    def change(shown: tuple[bool, bool]) -> None:
        names = [name for name, on in zip(("waits", "corrects"), shown, strict=True) if on]
        sheet.classes(add=" ".join(names), remove="waits corrects")

    with ui.element("div").classes("run-doubt"):
        show_attention(page, runs_cube)
    with ui.element("div").classes("run-net"):
        build_net(page)
    with ui.element("div").classes("run-bench"):
        _bench(page)
    if page.typed:
        sheet.classes(add="benched")
    change(parts(page.hub.view))
    page.follow(parts, change)


def _bench(page: Page) -> None:
    """Add what turns single faces or typed moves, and solves a typed or painted cube."""
    page.show(lambda view: view.machine.faces, _face_buttons).classes("bench-turns")
    orders = (
        ("entry.turn", {"command": "turn"}, "moves"),
        ("entry.solve", {"command": "solve"}, "state"),
    )
    CubeEntry(page, "run", orders)


def _face_buttons(faces: str) -> None:
    for move in (face + turn for turn in ("", "'") for face in faces):
        button = ui.button(move).classes("order begins").props("no-caps outline dense")
        button.on("click", js_handler=sending({"command": "turn", "moves": move}))


def _cameras(page: Page, count: int) -> None:
    words = page.words
    if not count:
        with ui.element("div").classes("no-camera"):
            ui.icon("videocam_off", size="3rem").props('aria-hidden="true"')
            ui.label(words("run.no_camera"))
        return
    labels = {number: words("run.camera", number=number + 1) for number in range(count)}
    if count == 1:
        CameraElement(0, label=labels[0], live=True, legend=words("run.marks"))
        return
    with ui.tabs().props("dense no-caps").classes("camera-tabs") as tabs:
        for number, label in labels.items():
            ui.tab(str(number), label=label)
    with ui.tab_panels(tabs, value="0", animated=False).classes("camera-panels"):
        for number, label in labels.items():
            with ui.tab_panel(str(number)):
                CameraElement(number, label=label, live=True, legend=words("run.marks"))


@dataclass(frozen=True, slots=True)
class _Status:
    """The status line above the moves."""

    phase: Phase
    job: str
    verified: bool | None
    solved: bool
    known: bool
    planned: bool
    total_s: float

    @classmethod
    def of(cls, view: ViewModel) -> "_Status":
        return cls(
            view.phase,
            view.job,
            view.verified,
            view.cube.facelets == SOLVED_FACELETS.text,
            view.cube.facelets is not None,
            bool(view.plan.moves),
            view.times.get("total_s", 0.0),
        )


def _status_bar(page: Page) -> None:
    """Show the clock, what the machine is doing, and its progress: on every screen at the top."""
    words = page.words
    with ui.element("section").classes("run-status"):
        ClockElement(
            point=words("number.point"),
            sound_on=words("show.sound_on"),
            sound_off=words("show.sound_off"),
        )
        status = ui.label().props('role="status"')
        best = ui.label().classes("run-best")
        told = words("run.progress", done="{done}", total="{total}")
        ProgressElement("bar", label=words("run.moves"), words=told).classes("progress")
        page.text(lambda view: _mishaps_text(page, view)).classes("run-mishaps")

    def tell_status(part: _Status) -> None:
        status.set_text(_status_text(page, part))
        status.classes(replace=f"status {part.phase}")

    def tell_best(best_s: float | None) -> None:
        best.set_text(words("run.new_best") if is_best(page.hub.view, best_s) else "")

    def clear_best(_: int) -> None:
        best.set_text("")

    tell_status(_Status.of(page.hub.view))
    page.follow(_Status.of, tell_status)
    follow_best(page, tell_best)
    page.follow(lambda view: view.run, clear_best)


def _story(page: Page) -> None:
    words = page.words
    ProgressElement("chips", label=words("run.moves"), words=words("run.stages"))
    page.show(lambda view: _scramble_of(view.plan), lambda moves: _scramble(page, moves))
    page.text(lambda view: _tables_text(page, view)).classes("small")
    solved = page.text(lambda view: words("run.solved_today", number=view.solved))
    solved.classes("small run-solved")
    page.show(
        lambda view: (_boardless(view), notes_of(view, runs_cube)),
        lambda part: _notes(page, *part),
    )


@lru_cache(maxsize=8)
def _scramble_of(plan: ShownPlan) -> str:
    """Return the moves that make the cube before a solution from the solved one."""
    back = MoveSequence.parse(" ".join(plan.moves)).inverse()
    return str(back) if SOLVED.apply(back).to_facelets().text == plan.before else ""


def _scramble(page: Page, moves: str) -> None:
    """Show a scramble as csTimer reads it; its link opens the same cube anywhere."""
    if moves:
        with ui.element("div").classes("small"):
            ui.label(page.words("entry.scramble")).classes("inline")
            ui.link(moves, f"?tab=run&cube={quote(moves)}")


def _boardless(view: ViewModel) -> bool:
    """Return whether the machine is open, and its board is missing."""
    return bool(view.machine.rig) and not view.machine.board and view.attention is None


def _status_text(page: Page, part: _Status) -> str:
    words = page.words
    if part.verified and part.planned and not part.job:
        key = "run.verified" if part.solved else "run.reached"
        return words(key, time=words.number(part.total_s, ".1f"))
    if part.phase is Phase.DONE and part.solved and not part.planned:
        return words("run.solved_already")
    if not part.job and not part.known:
        return words("run.unknown")
    return words(f"run.phase_{part.phase}")


def _mishaps_text(page: Page, view: ViewModel) -> str:
    """Return which turns went wrong; it stays after the solve."""
    told = (mishap_text(each, page.words, corrected=bool(view.verified)) for each in view.mishaps)
    return " · ".join(told)


def _tables_text(page: Page, view: ViewModel) -> str:
    if view.tables is None:
        return ""
    return page.words("run.tables", percent=round(100 * view.tables))


def _notes(page: Page, boardless: bool, notes: tuple[str, ...]) -> None:
    words = page.words
    if boardless:
        with ui.element("div").classes("boardless").props('role="status"'):
            ui.label(words("attention.link"))
            with ui.element("div").classes("attention-actions"):
                leading(words("frame.hand"), "hand")
                leading(words("frame.assistant"), "assistant")
    with ui.element("details" if boardless else "div"):
        if boardless and notes:
            with ui.element("summary").classes("small"):
                ui.label(words("run.details"))
        for note in notes:
            ui.label(note).classes("note").props('lang="en"')


@contextmanager
def _submenu(title: str) -> Iterator[None]:
    with (
        ui.menu_item(title, auto_close=False),
        ui.menu().props('anchor="top end" self="top start"'),
    ):
        yield


def _actions(page: Page) -> None:
    words = page.words
    solve = page.order_button("run.solve", {"command": "solve"}, icon="play_arrow", classes="solve")
    solve.props('size="xl"')
    page.order_button("run.scramble", {"command": "scramble"}, icon="shuffle")
    _patterns(page)
    more = ui.button(words("run.more"), icon="expand_more").props("no-caps outline")
    with more, ui.menu() as menu:
        for key, order in (
            ("dry_run", {"command": "solve", "dry_run": True}),
            ("look", {"command": "look"}),
            ("remember", {"command": "remember"}),
            ("copy", {"command": "copy"}),
        ):
            entry = ui.menu_item(words(f"run.{key}")).classes("begins")
            entry.on("click", js_handler=sending(order))
        if page.hub.view.machine.virtual or page.setup.choices.virtual:
            entry = ui.menu_item(words("run.put_in"))
            entry.on("click", js_handler=sending({"command": "put_in"}))
            with _submenu(words("run.mistakes")):
                for mistake in _MISTAKES:
                    entry = ui.menu_item(
                        words(f"run.mistake_{mistake.split()[-1]}"), on_click=menu.close
                    )
                    order = {"command": "solve", "mistake": mistake}
                    entry.on("click", js_handler=sending(order))


def _patterns(page: Page) -> None:
    """Add the button that opens the grid of patterns, which is built at the first tap."""
    name = html.escape(page.words("run.patterns"))
    with ui.dialog().props(f'aria-label="{name}"') as dialog:
        grid = ui.element("div").classes("sheet patterns")

    def show() -> None:
        if not grid.default_slot.children:
            with grid:
                _pattern_grid(page, dialog)
        dialog.open()

    button = ui.button(page.words("run.patterns"), icon="grid_view", on_click=show)
    button.props("no-caps outline")


def _pattern_grid(page: Page, dialog: ui.dialog) -> None:
    words = page.words
    with ui.element("div").classes("patterns-grid"):
        for pattern in PATTERNS:
            card = ui.element("button").classes("order begins pattern-card")
            card.props(f'type="button" data-pattern="{pattern.slug}"')
            with card:
                ui.html(f'<img src="picture/pattern/{pattern.slug}.svg" alt="">', sanitize=False)
                ui.label(words(f"pattern.{pattern.slug}"))
            order = {"command": "solve", "target": pattern.name}
            card.on("click", js_handler=sending(order))
            card.on("click", dialog.close, [])
    with ui.element("div").classes("sheet-buttons"):
        ui.button(words("run.close"), on_click=dialog.close).props("no-caps outline")
