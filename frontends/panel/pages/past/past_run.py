"""The replay of one run: its cube move by move, its times, its pictures."""

from collections.abc import Callable

from nicegui import ui

from frontends.panel.pages.cubes import ReplayElement
from frontends.panel.pages.page import Page, stage_numbers
from frontends.panel.pages.past.past_charts import seconds
from thistlebot.journal.one_run import OneRun
from thistlebot.journal.rows import RunRow


def build_past_run(page: Page, shown: OneRun, back: Callable[[], None]) -> None:
    """Build the page."""
    words = page.words
    with ui.element("div").classes("past-head"):
        label = words("history.back")
        ui.button(label, icon="arrow_back", on_click=back).props("flat dense no-caps")
        ui.label(words("history.run", number=shown.number)).classes("status")
        if shown.whole:
            button = ui.button(words("history.bundle"), icon="download").props(
                f'flat dense no-caps href="api/v1/runs/{shown.number}/bundle.zip" download'
            )
            button.classes("bundle")
    with ui.element("div").classes("past-run"):
        if shown.steps:
            with ui.element("section").classes("replay"):
                _replay(page, shown)
        with ui.element("section").classes("past-facts"):
            _facts(page, shown)
            _pictures(page, shown)


def outcome(row: RunRow, page: Page) -> str:
    """Return how a run ended."""
    return page.words(f"history.outcome_{row.outcome.value.replace(' ', '_')}")


_CONTROLS = ("replay", "first", "before", "play", "pause", "next", "last", "place", "speed")


def _replay(page: Page, shown: OneRun) -> None:
    """Show the cube of the run, turn by turn."""
    words = page.words
    told = {name: words(f"history.{name}") for name in _CONTROLS}
    told |= {
        "moves": words("run.moves"),
        "stages": words("run.stages"),
        "step": words("history.step", done="{done}", total="{total}"),
    }
    stages = stage_numbers(step.stage for step in shown.steps)
    steps = [
        {"state": step.facelets, "turn": step.move, "stage": stage, "made": step.turned}
        for step, stage in zip(shown.steps, stages, strict=True)
    ]
    ReplayElement(steps, scheme=shown.scheme, words=told)


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
        for phase, time_s in shown.times.by_phase.items():
            if shown.whole:
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
            address = f"api/v1/runs/{shown.number}/pictures/{number}.jpg"
            with ui.element("a").props(f'href="{address}" target="_blank"'):
                ui.element("img").props(f'src="{address}" alt="{label}" loading="lazy"')
