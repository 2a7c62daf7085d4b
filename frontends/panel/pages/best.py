"""The best time of the day, which the journal knows a little after each run."""

import asyncio
from collections.abc import Callable
from datetime import datetime

from nicegui import background_tasks, run

from cube.errors import ThistlebotError
from cube.facelets import SOLVED_FACELETS
from frontends.control.view_model.view import ViewModel
from frontends.panel.pages.page import Page
from thistlebot.journal.overview import best_since

WRITTEN_AFTER_S = (0.5, 2.5)
"""Delay until the row of a finished run is searched."""
_ROUNDED_S = 0.005


def follow_best(page: Page, tell: Callable[[float | None], None]) -> None:
    """Report the best time of the day, now and after each run; the journal is read in a thread.

    Args:
        page: The page.
        tell: Receives it in seconds; None if there is none. It is not called for a closed page.
    """
    client = page.client

    async def read(wait_s: float) -> None:
        await asyncio.sleep(wait_s)
        midnight = datetime.now().replace(hour=0, minute=0, second=0, microsecond=0)
        machine = page.hub.view.machine
        virtual = machine.virtual or page.setup.choices.virtual
        folders = page.setup.folders
        try:
            best = await run.io_bound(best_since, folders, midnight, machine.rig, virtual=virtual)
        except ThistlebotError:
            best = None  # the page History reports problems with the journal
        if client.id in type(client).instances:
            tell(best)

    def ask(*waits_s: float) -> None:
        for wait_s in waits_s:
            background_tasks.create(read(wait_s), name="best of the day")

    def ended(part: tuple[int, bool]) -> None:
        if not part[1]:
            ask(*WRITTEN_AFTER_S)

    ask(0.0)
    page.follow(lambda view: (view.run, bool(view.job)), ended)


def is_best(view: ViewModel, best_s: float | None) -> bool:
    """Return whether the run that just ended was a verified solve in the best time of the day."""
    if best_s is None or view.job or view.last_job != "solve" or not view.verified:
        return False
    if not view.plan.moves or view.cube.facelets != SOLVED_FACELETS.text:
        return False
    return view.times.get("total_s", best_s + 1) <= best_s + _ROUNDED_S
