"""The page Show: the machine for an audience, full screen.

This module also contains the clock of a solve, with a chime at the end.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from nicegui import background_tasks, run, ui
from nicegui.element import Element

from cube.errors import ThistlebotError
from cube.facelets import SOLVED_FACELETS
from frontends.control.view_model.reducer import LAWS, STAGES, Thoughts, thoughts_of
from frontends.control.view_model.view import ViewModel
from frontends.panel.pages.elements import SolidCube
from frontends.panel.pages.frame import build_head, build_stop
from frontends.panel.pages.history import WRITTEN_AFTER_S
from frontends.panel.pages.page import Page
from frontends.panel.pages.past_run import seconds
from thistlebot.events import Phase
from thistlebot.journal.one_run import best_since

_STATIC = Path(__file__).parent.parent / "static"


class ClockElement(Element, component=_STATIC / "clock.js"):
    """Counts from the press until the cube is seen, from `thistlebot:view`.

    Args:
        jobs: The names of the timed jobs; for others it stays at zero.
        point: The decimal separator.
        sound_on: The button's text while sound is on.
        sound_off: The button's text while sound is off.
    """

    def __init__(self, jobs: Sequence[str], *, point: str, sound_on: str, sound_off: str) -> None:
        super().__init__()
        with self._props.suspend_updates():
            self._props["jobs"] = list(jobs)
            self._props["point"] = point
            self._props["sound-on"] = sound_on
            self._props["sound-off"] = sound_off


TIMED = ("solve", "copy", "resume", "proceed")
"""Timed jobs."""


def build_show(page: Page) -> None:
    """Build the page."""
    words = page.words
    build_head(page, "show.css")
    ui.context.client.content.classes("show")
    with ui.element("main").classes("show-grid"):
        with ui.element("section").classes("show-cube"):
            SolidCube(label=words("run.cube"), live=True, pace_ms=260)
        with ui.element("section").classes("show-told"):
            with ui.element("div").classes("show-head"):
                ui.label("Thistlebot").classes("show-name")
                page.show(lambda view: view.machine.virtual, lambda on: _virtual(page, virtual=on))
                _buttons(page)
            with ui.element("div").classes("show-clock"):
                ClockElement(
                    TIMED,
                    point=words("show.point"),
                    sound_on=words("show.sound_on"),
                    sound_off=words("show.sound_off"),
                )
                page.order_button("run.solve", {"command": "solve"}, icon="play_arrow")
            page.show(lambda view: _said(page, view), _say)
            _Thinking(page)
            _records(page)
    ui.html('<div id="panel-message" role="status" aria-live="polite"></div>', sanitize=False)
    build_stop(page)


def _buttons(page: Page) -> None:
    words = page.words
    whole = ui.button(icon="fullscreen").props(f'flat round aria-label="{words("show.whole")}"')
    whole.on(
        "click",
        js_handler="() => document.fullscreenElement ? document.exitFullscreen()"
        " : document.documentElement.requestFullscreen()",
    )
    leave = ui.button(icon="close").props(f'flat round aria-label="{words("show.leave")}"')
    leave.on("click", js_handler="() => { location.href = '/' }")


def _virtual(page: Page, *, virtual: bool) -> None:
    if virtual:
        ui.label(page.words("frame.virtual")).classes("badge virtual")


def _said(page: Page, view: ViewModel) -> tuple[str, str]:
    """Return the state of the machine, as a class and a text."""
    words = page.words
    if view.attention is not None:
        return "wait", words("show.wait")
    if view.verified and not view.job and view.plan.moves:
        solved = view.cube.facelets == SOLVED_FACELETS.text
        return "done", words("show.solved" if solved else "show.reached")
    if view.job and view.phase is Phase.EXECUTE:
        moves = len(view.plan.moves)
        return "busy", words("show.turning", done=view.cube.turned, total=moves)
    if view.job:
        return "busy", words(f"show.phase_{view.phase}" if view.phase in _TOLD else "show.busy")
    return "idle", words("show.idle")


_TOLD = (Phase.SCAN, Phase.DECODE, Phase.PLAN, Phase.VERIFY)


def _say(said: tuple[str, str]) -> None:
    kind, text = said
    ui.label(text).classes(f"show-status {kind}").props('role="status"')


class _Thinking:
    """What each stage reduces to zero; built once, so that the bars move smoothly."""

    def __init__(self, page: Page) -> None:
        words = page.words
        self._words = words
        label = words("show.thoughts")
        with ui.element("section").classes("thoughts").props(f'aria-label="{label}"') as self._all:
            self._stages = [self._stage(gauges) for gauges in STAGES]
            with ui.element("div").classes("laws"):
                self._laws = [ui.label().classes("law") for _ in LAWS]
        self._unknown = ui.label(words("show.unknown")).classes("small")
        self.tell(thoughts_of(page.hub.view))
        page.follow(thoughts_of, self.tell)

    def _stage(self, names: tuple[str, ...]) -> "_Stage":
        with ui.element("div").classes("stage") as place:
            mark = ui.label().classes("stage-mark").props('aria-hidden="true"')
            with ui.element("div").classes("stage-gauges"):
                bars = [self._gauge(name) for name in names]
        return _Stage(place, mark, bars)

    def _gauge(self, name: str) -> "_Bar":
        with ui.element("div").classes("gauge").props(f'data-gauge="{name}"'):
            ui.label(self._words(f"show.{name}")).classes("gauge-name")
            with ui.element("div").classes("gauge-bar").props('aria-hidden="true"'):
                bar = ui.element("div").classes("gauge-left")
            return _Bar(bar, ui.label().classes("gauge-count"))

    def tell(self, thoughts: Thoughts | None) -> None:
        """Show the present values."""
        self._all.set_visibility(thoughts is not None)
        self._unknown.set_visibility(thoughts is None)
        if thoughts is None:
            return
        for number, (stage, gauges) in enumerate(zip(self._stages, thoughts.stages, strict=True)):
            reached = thoughts.level > number
            kind = "reached" if reached else "now" if thoughts.level == number else "later"
            stage.place.classes(replace=f"stage {kind}")
            stage.mark.set_text("✓" if reached else str(number + 1))
            for bar, gauge in zip(stage.bars, gauges, strict=True):
                bar.left.style(f"width: {100 * gauge.left / gauge.most:.0f}%")
                bar.count.set_text(str(gauge.left))
        orbit = thoughts.orbit
        values = (orbit.corner_twist, orbit.edge_flip, orbit.parity)
        for label, name, value in zip(self._laws, LAWS, values, strict=True):
            label.set_text(f"{self._words(f'show.law_{name}')} = {value} {'✗' if value else '✓'}")
            label.classes(replace="law broken" if value else "law kept")


@dataclass(frozen=True, slots=True)
class _Bar:
    left: ui.element
    count: ui.label


@dataclass(frozen=True, slots=True)
class _Stage:
    place: ui.element
    mark: ui.label
    bars: list[_Bar]


def _records(page: Page) -> None:
    """Show the best time and the number of solves today; the journal is read in another thread."""
    words, folders = page.words, page.setup.folders
    with ui.element("div").classes("records"):
        label = ui.label().classes("record-best")
        page.text(lambda view: words("show.count", number=view.solved))

    async def read(wait_s: float) -> None:
        await asyncio.sleep(wait_s)
        midnight = datetime.now().replace(hour=0, minute=0, second=0, microsecond=0)
        machine = page.hub.view.machine
        virtual = machine.virtual or page.setup.choices.virtual
        try:
            best = await run.io_bound(best_since, folders, midnight, machine.rig, virtual=virtual)
        except ThistlebotError:
            best = None  # the page History reports problems with the journal
        if not label.is_deleted:
            label.set_text(words("show.best", time=seconds(best, words)))

    def ask(*waits_s: float) -> None:
        for wait_s in waits_s:
            background_tasks.create(read(wait_s), name="best of the day")

    def ended(part: tuple[int, bool]) -> None:
        if not part[1]:
            ask(*WRITTEN_AFTER_S)

    ask(0.0)
    page.follow(lambda view: (view.run, bool(view.job)), ended)
