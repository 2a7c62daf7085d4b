"""The page History: statistics of solves, and replays of runs."""

import asyncio
import html
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from nicegui import background_tasks, run, ui
from nicegui.events import ValueChangeEventArguments

from cube.errors import ThistlebotError
from frontends.panel.pages.best import WRITTEN_AFTER_S
from frontends.panel.pages.page import Page
from frontends.panel.pages.past.past_charts import phases_chart, seconds, times_chart
from frontends.panel.pages.past.past_run import build_past_run, outcome
from thistlebot.journal.one_run import one_run
from thistlebot.journal.overview import Overview, overview_of
from thistlebot.journal.rows import RunRow, local_time
from thistlebot.journal.run_times import RunTimes
from thistlebot.journal.statistics import Averages

_NUMBER_BUTTON = """
<q-td :props="props"><q-btn flat dense no-caps class="run-link" :label="String(props.row.number)"
  :aria-label="props.row.label" @click="$parent.$emit('open', props.row.number)" /></q-td>"""

_TABLE = (
    """flat dense :rows-per-page-options="[10]" """
    """:pagination-label="(first, last, all) => `${first}–${last} / ${all}`" """
)


def build_history(page: Page) -> None:
    """Build the page."""
    _History(page)


class _History:
    """The overview, or one run in its place; the journal is read only while the tab is visible."""

    def __init__(self, page: Page) -> None:
        self._page = page
        view = page.hub.view
        self._virtual = view.machine.virtual or page.setup.choices.virtual
        self._tab = ui.context.slot.parent
        self._tabs = self._tab.parent_slot.parent if self._tab.parent_slot else None
        self._rig = ""
        self._opened: int | None = None
        self._reading = False
        self._place = ui.element("div").classes("past")
        with ui.element("aside").classes("actions"):
            self._actions()
        if isinstance(self._tabs, ui.tab_panels):
            self._tabs.on_value_change(self._tab_changed)
        page.follow(lambda view: (view.run, bool(view.job)), lambda part: self._ended(part[1]))
        with self._place:
            ui.spinner(size="lg")
        if self._shown and page.card.isdecimal():
            self._open(int(page.card))
        elif self._shown:
            self._load()

    @property
    def _shown(self) -> bool:
        return isinstance(self._tabs, ui.tab_panels) and self._tabs.value == "history"

    def _tab_changed(self, _: ValueChangeEventArguments[Any]) -> None:
        if self._shown:
            self._load()

    def _ended(self, busy: bool) -> None:
        if self._shown and not busy and self._opened is None:
            background_tasks.create(self._load_again(), name="history again")

    async def _load_again(self) -> None:
        """Read again when the journal has had time to write: no turn waits for it."""
        for wait_s in WRITTEN_AFTER_S:
            await asyncio.sleep(wait_s)
            if self._shown and self._opened is None:
                self._load()

    def _actions(self) -> None:
        words = self._page.words
        self._csv = ui.button(words("history.csv"), icon="download").props("no-caps outline")
        toggle = (
            ui.toggle(
                {False: words("history.real"), True: words("history.virtual")}, value=self._virtual
            )
            .classes("past-kind")
            .props("no-caps spread dense")
        )
        toggle.on_value_change(self._machine_changed)
        self._link_csv()

    def _machine_changed(self, event: ValueChangeEventArguments[Any]) -> None:
        self._virtual, self._rig = bool(event.value), ""
        self._link_csv()
        self._opened = None
        self._load()

    def _link_csv(self) -> None:
        query = "?virtual=1" if self._virtual else ""
        self._csv.props(f'href="api/v1/runs.csv{query}" download')

    def _load(self) -> None:
        if not self._reading:
            self._reading = True
            background_tasks.create(self._read(), name="history")

    async def _read(self) -> None:
        try:
            folders, virtual = self._page.setup.folders, self._virtual
            found = await run.io_bound(overview_of, folders, virtual=virtual, rig=self._rig)
        except ThistlebotError as error:
            self._fill(partial(_trouble, str(error)))
            return
        finally:
            self._reading = False
        if found is not None:  # otherwise the server is about to end
            self._fill(lambda: self._overview(found))

    def _fill(self, build: Callable[[], object]) -> None:
        if self._place.is_deleted:
            return
        self._place.clear()
        with self._place:
            build()

    def _open(self, number: int) -> None:
        self._opened = number
        self._keep_address(f"&card={number}")
        background_tasks.create(self._show_run(number), name="past run")

    async def _show_run(self, number: int) -> None:
        try:
            found = await run.io_bound(one_run, self._page.setup.folders, str(number))
        except ThistlebotError as error:
            self._fill(partial(_trouble, str(error)))
            return
        if found is not None:
            self._fill(lambda: build_past_run(self._page, found, self._back))

    def _keep_address(self, card: str = "") -> None:
        """Keep the run in the address: a reloaded page, or a copied address, shows it again."""
        code = f"history.replaceState(null, '', '?tab=history{card}')"
        self._page.client.run_javascript(code)

    def _back(self) -> None:
        self._opened = None
        self._keep_address()
        self._load()

    def _overview(self, found: Overview) -> None:
        words = self._page.words
        if found.note:
            ui.label(found.note).classes("note")
        if not found.rows:
            ui.label(words("history.none")).classes("past-none")
            return
        if len(found.rigs) > 1:
            self._choose_rig(found)
        self._figures(found)
        with ui.element("div").classes("charts"):
            with ui.element("figure"):
                ui.label(words("history.times")).classes("chart-title")
                ui.html(times_chart(found.solves, words), sanitize=False)
                _legend([(name, words(f"history.{name}")) for name in ("ao5", "ao12")])
            with ui.element("figure"):
                ui.label(words("history.phases")).classes("chart-title")
                ui.html(phases_chart(found.times, words), sanitize=False)
                phases = RunTimes().by_phase
                _legend([(f"phase-{each}", words(f"history.phase_{each}")) for each in phases])
        self._table(found)

    def _choose_rig(self, found: Overview) -> None:
        words = self._page.words
        rigs = {"": words("history.all_rigs"), **{name: name for name in sorted(found.rigs)}}
        choice = ui.select(rigs, value=self._rig, label=words("history.which_rig"))
        choice.classes("past-rig").props("dense outlined options-dense")
        choice.on_value_change(self._rig_changed)
        ui.label(words("history.on_rig", rig=found.rig)).classes("small")

    def _rig_changed(self, event: ValueChangeEventArguments[Any]) -> None:
        self._rig = str(event.value)
        self._load()

    def _figures(self, found: Overview) -> None:
        words, summary = self._page.words, found.summary
        figures = (
            ("solves", str(summary.solves), ""),
            ("best", seconds(summary.best_s, words), ""),
            ("ao5", *self._average(summary.ao5)),
            ("ao12", *self._average(summary.ao12)),
            ("first_right", _percent(summary.first_right), ""),
            ("verified", _percent(summary.verified), ""),
        )
        with ui.element("dl").classes("figures"):
            for key, value, more in figures:
                with ui.element("div"):
                    with ui.element("dt"):
                        ui.label(words(f"history.{key}"))
                    with ui.element("dd").classes(f"figure-{key}"):
                        ui.label(value)
                        if more:
                            ui.label(more).classes("small")

    def _average(self, averages: Averages) -> tuple[str, str]:
        words = self._page.words
        if averages.current is None:
            return "–", words("history.too_few")
        best = seconds(averages.best, words)
        return seconds(averages.current, words), words("history.best_of", time=best)

    def _table(self, found: Overview) -> None:
        words = self._page.words
        names = ("number", "when", "outcome", "time", "turns", "rig")
        columns = [
            {"name": name, "field": name, "label": words(f"history.column_{name}"), "align": "left"}
            for name in names
        ]
        rows = [self._row(number, row) for number, row in found.rows]
        table = ui.table(columns=columns, rows=rows, row_key="number", pagination=10)
        table.classes("runs").props(_TABLE)
        table.add_slot("body-cell-number", _NUMBER_BUTTON)
        table.on("open", lambda event: self._open(int(event.args)))

    def _row(self, number: int, row: RunRow) -> dict[str, Any]:
        words = self._page.words
        return {
            "number": number,
            "label": words("history.open", number=number),
            "when": when(row),
            "outcome": outcome(row, self._page),
            "time": seconds(row.seconds, words),
            "turns": "–" if row.turns is None else row.turns,
            "rig": row.rig,
        }


def _trouble(text: str) -> None:
    ui.label(text).props('role="alert" lang="en"')


def when(row: RunRow) -> str:
    """Return when a run began, in short form: only the time for today."""
    began = local_time(row.began)
    today = began.date() == datetime.now().date()
    return began.strftime("%H:%M:%S" if today else "%Y-%m-%d %H:%M")


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.0f} %"


def _legend(names: list[tuple[str, str]]) -> None:
    entries = "".join(
        f'<li><span class="key {kind}"></span>{html.escape(text)}</li>' for kind, text in names
    )
    ui.html(f'<ul class="legend">{entries}</ul>', sanitize=False)
