"""The page Run: the cube, the cameras, the moves, and the one big button."""

from dataclasses import dataclass

from nicegui import ui

from cube.facelets import SOLVED_FACELETS
from cube.patterns import PATTERNS
from thistlebot.control.showing.view import ViewModel
from thistlebot.panel.elements.camera import CameraElement
from thistlebot.panel.elements.cube import SolidCube
from thistlebot.panel.pages.attention import show_attention
from thistlebot.panel.pages.correcting import build_net
from thistlebot.panel.pages.page import Page, sending
from thistlebot.panel.pages.ribbon import Ribbon
from thistlebot.runs.events import Phase


def build_run(page: Page) -> None:
    """Build the page."""
    with ui.element("div").classes("run-grid"):
        with ui.element("section").classes("run-camera"):
            page.show(lambda view: len(view.machine.cameras), lambda count: _cameras(page, count))
        with ui.element("section").classes("run-cube"):
            cube = SolidCube(label=page.words("run.cube"), live=True, letters=True)
            cube.classes("cube-large")
        with ui.element("section").classes("run-net"):
            build_net(page)
        story = ui.element("section").classes("run-story")
        story.props(f'tabindex="0" aria-label="{page.words("run.moves")}"')
        with story:
            show_attention(page)
            _story(page)
    with ui.element("aside").classes("actions"):
        _actions(page)


def _cameras(page: Page, count: int) -> None:
    if not count:
        ui.icon("videocam_off", size="3rem").props('aria-hidden="true"')
        return
    words = page.words
    labels = {number: words("run.camera", number=number + 1) for number in range(count)}
    if count == 1:
        CameraElement(0, label=labels[0], live=True)
        return
    with ui.tabs().props("dense no-caps").classes("camera-tabs") as tabs:
        for number, label in labels.items():
            ui.tab(str(number), label=label)
    with ui.tab_panels(tabs, value="0", animated=False).classes("camera-panels"):
        for number, label in labels.items():
            with ui.tab_panel(str(number)):
                CameraElement(number, label=label, live=True)


@dataclass(frozen=True, slots=True)
class _Status:
    """What the line above the moves says."""

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


def _story(page: Page) -> None:
    words = page.words

    status = ui.label().props('role="status"')

    def tell_status(part: _Status) -> None:
        status.set_text(_status_text(page, part))
        status.classes(replace=f"status {part.phase}")

    tell_status(_Status.of(page.hub.view))
    page.follow(_Status.of, tell_status)
    Ribbon(page)
    with ui.element("div").classes("progress"):
        bar = ui.linear_progress(show_value=False)
        bar.props(f'instant-feedback aria-label="{words("run.moves")}"')
        label = ui.label()

        def tell(part: tuple[int, int]) -> None:
            done, total = part
            bar.set_value(done / total if total else 0)
            label.set_text(words("run.progress", done=done, total=total) if total else "")

        def steps(view: ViewModel) -> tuple[int, int]:
            return view.executed, len(view.plan.steps)

        tell(steps(page.hub.view))
        page.follow(steps, tell)
    page.text(lambda view: _tables_text(page, view)).classes("small")
    page.text(lambda view: words("run.solved_today", number=view.solved)).classes("small")
    page.show(lambda view: view.notes, _notes)


def _status_text(page: Page, part: _Status) -> str:
    words = page.words
    if part.verified and part.planned and not part.job:
        key = "run.verified" if part.solved else "run.reached"
        return words(key, time=f"{part.total_s:.1f}")
    if part.phase is Phase.DONE and part.solved and not part.planned:
        return words("run.solved_already")
    if not part.job and not part.known:
        return words("run.unknown")
    return words(f"run.phase_{part.phase}")


def _tables_text(page: Page, view: ViewModel) -> str:
    if view.tables is None:
        return ""
    return page.words("run.tables", percent=round(100 * view.tables))


def _notes(notes: tuple[str, ...]) -> None:
    for note in notes:
        ui.label(note).classes("note")


def _actions(page: Page) -> None:
    words = page.words
    solve = page.order_button("run.solve", {"command": "solve"}, icon="play_arrow", classes="solve")
    solve.props('size="xl"')
    page.order_button("run.scramble", {"command": "scramble"}, icon="shuffle")
    with ui.button(words("run.more"), icon="expand_more").props("no-caps outline"), ui.menu():
        for key, order in (
            ("dry_run", {"command": "solve", "dry_run": True}),
            ("look", {"command": "look"}),
            ("remember", {"command": "remember"}),
            ("copy", {"command": "copy"}),
            ("resume", {"command": "resume"}),
        ):
            ui.menu_item(words(f"run.{key}")).on("click", js_handler=sending(order))
        if page.hub.view.machine.virtual or page.shop.choices.virtual:
            entry = ui.menu_item(words("run.put_in"))
            entry.on("click", js_handler=sending({"command": "put_in"}))
        ui.separator()
        with (
            ui.menu_item(words("run.patterns"), auto_close=False),
            ui.menu().props('anchor="top end" self="top start"'),
        ):
            for pattern in PATTERNS:
                order = {"command": "solve", "target": pattern.name}
                ui.menu_item(pattern.name).on("click", js_handler=sending(order))
