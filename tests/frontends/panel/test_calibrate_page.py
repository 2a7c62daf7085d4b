"""The page Calibrate and the first run as a person sees them, in a real browser."""

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from hand_video import record
from panel_pages import begun, controlling, ended, fits_at, insist, press
from playwright.sync_api import Locator, Page, expect

from chromium import Visit, shoot, until
from cube.state import SOLVED
from documents.typed_toml import load_document
from panel_desk import PanelProcess, served
from vision.colours.profile import ColourProfile
from vision.live.capture import CAPTURE_ORDER

pytestmark = pytest.mark.browser

CARDS = ("Cameras", "Motors", "Colour profiles", "Board", "Colours")


def opened(visit: Visit, panel: PanelProcess, size: str = "desk", card: str = "Colours") -> Page:
    """Open a card of the page in a browser that controls the machine."""
    page = controlling(visit, panel, size)
    page.get_by_role("tab", name="Calibrate").click()
    show(page, card)
    return page


def show(page: Page, card: str) -> None:
    page.get_by_role("tab", name=card, exact=True).click()
    expect(page.locator(".card")).to_have_count(1)


def ordered(page: Page, button: str, seen: Locator, count: int) -> None:
    """Press a button until so many elements are seen."""
    counted = partial(expect(seen).to_have_count, count, timeout=6000)
    insist(partial(press, page, button), counted)


@pytest.mark.exhaustive
def test_each_card_fits_and_gives_its_orders(visit: Visit, panel: PanelProcess) -> None:
    """What becomes of them is told by the jobs, and how points are dragged by the element."""
    page = opened(visit, panel, "touch")
    ended(page, panel, begun(page, panel, partial(press, page, "Measure")))
    expect(page.locator(".pairs td.pass")).to_have_count(15)
    for card in CARDS:
        show(page, card)
        if card == "Cameras":
            ordered(page, "Camera 1", page.locator(".tb-point"), 7)
        if card == "Board":
            ordered(page, "Check everything", page.locator(".board-part .verdict.good"), 7)
            page.locator(".board-part details").evaluate("(each) => each.open = true")
        name = f"calibrate-{card.lower()}"
        fits_at(page, ("phone", "touch"), name, judged="touch", within=".calibrate")
    page.get_by_label("Name of the profile", exact=True).fill("Hall")
    ordered(page, "Save and use", page.get_by_text("Hall (virtual)").first, 1)
    show(page, "Colour profiles")
    page.get_by_label("New name").fill("Stage")
    ordered(page, "Copy", page.locator(".part-list li"), 2)
    ordered(page, "Use no profile", page.get_by_text("in use"), 0)
    show(page, "Motors")
    buzz = page.get_by_role("button", name="Move R a little").click
    assert ended(page, panel, begun(page, panel, buzz))["attention"] is None
    run = begun(page, panel, partial(press, page, "Find speed"))
    panel.until(lambda view: view["panes"]["calibrate"]["motors"]["trials"])
    page.get_by_role("button", name="Stop", exact=False).last.click()
    assert ended(page, panel, run)["panes"]["calibrate"]["motors"]["doing"] == ""
    show(page, "Cameras")
    ordered(page, "Camera 1", page.locator(".verdict.good"), 1)
    page.locator(".tb-point").first.focus()
    before = panel.view()["panes"]["calibrate"]["points"]["points"]
    page.keyboard.press("ArrowLeft")
    panel.until(lambda view: view["panes"]["calibrate"]["points"]["points"] != before)


@pytest.mark.exhaustive
def test_a_person_shows_the_faces_and_a_real_profile_is_written(
    visit: Visit, hand_panel: PanelProcess
) -> None:
    """What is measured and written is told by the job in each run."""
    record(hand_panel.folder / "faces.avi", SOLVED, "".join(CAPTURE_ORDER))
    page = opened(visit, hand_panel, "touch")
    ordered(page, "By hand", page.get_by_role("button", name="Capture now"), 1)
    seen = page.locator(".captured .order, .pairs td.pass")  # it may be over before we look
    expect(seen.nth(1)).to_be_visible()
    shoot(page, "calibrate-by-hand")
    expect(page.locator(".pairs td.pass")).to_have_count(15, timeout=60_000)
    page.wait_for_function("() => window.thistlebot.view.job === ''")
    page.get_by_label("Name of the profile", exact=True).fill("Зал")
    file = hand_panel.folder / "config" / "profiles" / "Зал.toml"
    insist(partial(press, page, "Save and use"), partial(until, page, file.is_file))
    assert load_document(file, ColourProfile).name == "Зал"


FIRST_RUN_S = 180
ACTIONS = 4
"""Of the rig `three`."""


@pytest.fixture
def first_panel(tmp_path: Path) -> Iterator[PanelProcess]:
    with served(tmp_path, first=True) as panel:
        yield panel


def test_a_first_run_leads_from_nothing_to_a_verified_solve(
    first_panel: PanelProcess, visit: Visit
) -> None:
    panel, began_s = first_panel, time.monotonic()
    page = controlling(visit, panel)
    expect(page.get_by_role("radio")).to_have_count(7)
    fits_at(page, ("desk",), "assistant-rig")
    page.get_by_role("radio", name="three").check()
    found = expect(page.locator(".verdict.good")).to_have_count
    insist(partial(press, page, "Try it virtually"), partial(found, 2, timeout=20_000))
    panel.wish(hurry=8)
    page.reload()  # it resumes where it stopped
    found(2)
    now = page.locator("[aria-current=step]")
    insist(partial(press, page, "Continue"), partial(expect(now).to_have_text, "Directions"))
    press(page, "Skip this step")
    expect(page.locator(".assistant-way .skipped")).to_have_text("Directions: skipped")
    insist(partial(press, page, "Back"), partial(expect(now).to_have_text, "Directions"))
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
