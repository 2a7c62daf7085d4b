"""One run again: its cube turned move by move, what it took, what the cameras saw."""

from collections.abc import Callable

from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from thistlebot.history.one_run import OneRun
from thistlebot.journal.rows import RunRow
from thistlebot.panel.elements.cube import SolidCube
from thistlebot.panel.pages.history_charts import PHASES, seconds
from thistlebot.panel.pages.page import Page

_STEP_S = 0.7
_PACE_MS = 400


def build_past_run(page: Page, shown: OneRun, back: Callable[[], None]) -> None:
    """Build it.

    Args:
        page: The page.
        shown: The run.
        back: Called when its reader wants to leave it.
    """
    words = page.words
    with ui.element("div").classes("past-head"):
        label = words("history.back")
        ui.button(label, icon="arrow_back", on_click=back).props("flat dense no-caps")
        ui.label(words("history.run", number=shown.number)).classes("status")
        if shown.whole:
            button = ui.button(words("history.bundle"), icon="download").props(
                f'flat dense no-caps href="/history/{shown.number}/bundle" download'
            )
            button.classes("bundle")
    with ui.element("div").classes("past-run"):
        if shown.steps:
            with ui.element("section").classes("replay"):
                _Replay(page, shown)
        with ui.element("section").classes("past-facts"):
            _facts(page, shown)
            _pictures(page, shown)


def outcome(row: RunRow, page: Page) -> str:
    """Say how a run ended."""
    return page.words(f"history.outcome_{row.outcome.value.replace(' ', '_')}")


class _Replay:
    """The cube of a run, at one of its steps."""

    def __init__(self, page: Page, shown: OneRun) -> None:
        self._steps = shown.steps
        self._at = 0
        words = page.words
        self._cube = SolidCube(
            self._steps[0].facelets,
            label=words("history.replay"),
            letters=True,
            scheme=shown.scheme,
            pace_ms=_PACE_MS,
        )
        with ui.element("div").classes("replay-buttons").props('role="group"'):
            self._button("skip_previous", words("history.first"), lambda: self._go(0))
            self._button("chevron_left", words("history.before"), lambda: self._go(self._at - 1))
            self._play = self._button("play_arrow", words("history.play"), self._toggle)
            self._button("chevron_right", words("history.next"), self._forward)
            self._button("skip_next", words("history.last"), lambda: self._go(self._most))
            self._count = ui.label().classes("replay-count").props('aria-live="polite"')
        self._slider = ui.slider(min=0, max=self._most, value=0, step=1)
        self._slider.props(f'aria-label="{words("history.place")}"')
        self._slider.on_value_change(self._slid)
        self._timer = ui.timer(_STEP_S, self._tick, active=False)
        self._words = words
        self._chips = self._ribbon()
        self._tell()

    @property
    def _most(self) -> int:
        return len(self._steps) - 1

    def _button(self, icon: str, label: str, act: Callable[[], None]) -> ui.button:
        button = ui.button(icon=icon, on_click=act).props("flat round")
        return button.props(f'aria-label="{label}"')

    def _ribbon(self) -> list[ui.element]:
        chips = []
        with ui.element("ol").classes("ribbon").props(f'aria-label="{self._words("run.moves")}"'):
            for step in self._steps[1:]:
                chip = ui.element("li").classes("move" if step.turned else "move unturned")
                with chip:
                    ui.label(step.move or "…")
                    if step.stage:
                        ui.label(step.stage).classes("stage-name")
                chips.append(chip)
        return chips

    def _slid(self, event: ValueChangeEventArguments[float | None]) -> None:
        place = int(event.value or 0)
        if place != self._at:
            self._go(place)

    def _toggle(self) -> None:
        if self._timer.active:
            self._stop()
            return
        if self._at == self._most:
            self._go(0)
        self._timer.activate()
        self._play.props(f'icon=pause aria-label="{self._words("history.pause")}"')

    def _stop(self) -> None:
        self._timer.deactivate()
        self._play.props(f'icon=play_arrow aria-label="{self._words("history.play")}"')

    def _tick(self) -> None:
        if self._at < self._most:
            self._forward()
        if self._at == self._most:
            self._stop()

    def _forward(self) -> None:
        if self._at == self._most:
            return
        self._at += 1
        step = self._steps[self._at]
        if step.move is None:
            self._cube.show(step.facelets)
        else:
            self._cube.turn([step.move], step.facelets)
        self._tell()

    def _go(self, place: int) -> None:
        self._at = max(0, min(self._most, place))
        self._cube.show(self._steps[self._at].facelets)
        self._tell()

    def _tell(self) -> None:
        self._slider.set_value(self._at)
        self._count.set_text(self._words("history.step", done=self._at, total=self._most))
        for number, chip in enumerate(self._chips):
            chip.classes(
                add="turned" if number < self._at else "",
                remove="" if number < self._at else "turned",
            )


def _facts(page: Page, shown: OneRun) -> None:
    words, row = page.words, shown.row
    told = [
        ("when", row.when),
        ("outcome", outcome(row, page)),
        ("time", seconds(row.seconds, words)),
        ("turns", "–" if row.turns is None else str(row.turns)),
        ("rig", row.rig),
    ]
    if row.first_right is not None:
        told.append(("first", words("history.yes" if row.first_right else "history.no")))
    with ui.element("dl").classes("facts"):
        for key, value in told:
            _pair(words(f"history.column_{key}"), value)
        for phase, time_s in shown.phases:
            if phase in PHASES:
                _pair(words(f"history.phase_{phase}"), seconds(time_s, words))
    if row.told:
        ui.label(row.told).classes("note").props('lang="en"')
    if not shown.whole:
        ui.label(words("history.given_up")).classes("note")


def _pair(name: str, value: str) -> None:
    with ui.element("dt"):
        ui.label(name)
    with ui.element("dd"):
        ui.label(value)


def _pictures(page: Page, shown: OneRun) -> None:
    with ui.element("div").classes("past-pictures"):
        for place, (number, camera) in enumerate(shown.pictures, start=1):
            label = page.words("history.picture", number=place, camera=camera + 1)
            address = f"/history/{shown.number}/{number}.jpg"
            with ui.element("a").props(f'href="{address}" target="_blank"'):
                ui.element("img").props(f'src="{address}" alt="{label}" loading="lazy"')
