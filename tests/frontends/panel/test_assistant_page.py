"""The first run as a person sees it, in a real browser: from nothing to a verified solve."""

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from panel_pages import begun, controlling, ended, fits_at, insist, press
from playwright.sync_api import expect

from chromium import Visit
from panel_desk import PanelProcess

pytestmark = pytest.mark.browser

FIRST_RUN_S = 180
ACTIONS = 4
"""Of the rig `three`."""


@pytest.fixture
def first_panel(tmp_path: Path) -> Iterator[PanelProcess]:
    """A panel on a computer where nothing was set up."""
    panel = PanelProcess(tmp_path, first=True)
    try:
        yield panel.ready()
    finally:
        assert panel.close() == 6


def test_a_first_run_leads_from_nothing_to_a_verified_solve(
    first_panel: PanelProcess, visit: Visit
) -> None:
    panel, began_s = first_panel, time.monotonic()
    page = controlling(visit, panel)
    expect(page.get_by_role("radio")).to_have_count(10)
    fits_at(page, ("desk",), "assistant-rig")
    page.get_by_role("radio", name="three").check()
    found = expect(page.locator(".verdict.good")).to_have_count
    insist(partial(press, page, "Try it virtually"), partial(found, 2, timeout=20_000))
    panel.wish(hurry=8)
    page.reload()  # it resumes where it stopped
    found(2)
    now = page.locator("[aria-current=step]")
    insist(partial(press, page, "Continue"), partial(expect(now).to_have_text, "Directions"))
    for number in range(ACTIONS):
        run = begun(page, panel, partial(press, page, "Try it"))
        assert ended(page, panel, run)["attention"] is None

        def checked(number: int = number) -> None:
            panel.until(
                lambda view: len(view["panes"]["assistant"]["checked"]) > number, timeout_s=3
            )

        insist(partial(press, page, "Yes"), checked)
    fits_at(page, ("touch", "phone", "desk"), "assistant-directions", judged=("desk",))
    for step in ("Views and colours", "Test solve"):
        insist(partial(press, page, "Continue"), partial(expect(now).to_have_text, step))
    run = begun(page, panel, partial(press, page, "Solve"))
    view = ended(page, panel, run)
    assert view["verified"], (view["attention"], view["notes"])
    assert time.monotonic() - began_s < FIRST_RUN_S
    finished = page.get_by_role("button", name="Begin again")
    insist(partial(press, page, "Finish"), expect(finished).to_be_visible)
    page.goto(panel.url)
    expect(page.get_by_role("tab", name="Run")).to_have_attribute("aria-selected", "true")
