"""Solving by hand in a real browser, before a rendered webcam or a recorded video; no rig."""

from collections.abc import Callable
from functools import partial

import pytest
from panel_pages import fits_at, insist
from playwright.sync_api import Page, expect

from chromium import Visit
from cube.facelets import SOLVED_FACELETS
from panel_desk import PanelProcess

pytestmark = pytest.mark.browser

MOVES = "R U2 F'"
READY = "window.thistlebot?.view?.job === ''"
HAND = "window.thistlebot?.view?.panes.hand"
MINE = "() => document.documentElement.dataset.control === 'mine'"


def begin(page: Page) -> None:
    page.wait_for_function(MINE, polling=500)
    page.wait_for_function("() => window.thistlebot?.view?.machine.rig !== ''", timeout=60_000)
    begun = partial(page.wait_for_function, "() => window.thistlebot?.view?.job === 'by_hand'")
    insist(page.locator(".hand-begin").click, partial(begun, timeout=3000))


def wait_for(page: Page, phase: str) -> None:
    page.wait_for_function(f"() => {HAND}?.phase === '{phase}'", timeout=90_000)


def press(page: Page, act: Callable[[], object], until: str, most_ms: float = 6000) -> None:
    """Give an order, in control, until a condition in JavaScript holds; so long each time."""
    insist(
        lambda: (page.wait_for_function(MINE, polling=500), act()),
        lambda: page.wait_for_function(f"() => {until}", timeout=most_ms),
    )


@pytest.mark.parametrize("fitted", [False, pytest.param(True, marks=pytest.mark.exhaustive)])
def test_without_a_board_a_cube_is_solved_by_taps(
    hand_panel: PanelProcess, visit: Visit, fitted: bool
) -> None:
    hand_panel.wish(person=MOVES, faces=2)
    touch = visit.open(hand_panel.url, "touch")
    expect(touch.locator(".boardless")).to_be_visible()
    fits_at(touch, ("phone", "touch"), "run-no-board", judged="touch")
    touch.get_by_role("button", name="By hand", exact=True).first.click()
    expect(touch.locator(".hand-begin")).to_be_visible()

    def look(name: str, judged: str) -> None:
        if fitted:
            fits_at(touch, ("desk", "phone", "touch"), f"hand-{name}", judged=judged)

    look("intro", "")
    begin(touch)
    touch.wait_for_function(f"() => {HAND}?.captured.length >= 2", timeout=60_000)
    look("scan", "desk")
    hand_panel.wish(faces=6)
    wait_for(touch, "turn")
    look("turn", "phone")
    total = touch.evaluate(f"() => {HAND}?.way.moves.length")
    press(touch, touch.get_by_role("button", name="Next").click, f"{HAND}?.way.done === 1")
    touch.locator(".panel-name").click()  # away from the button, which takes the space bar itself
    press(touch, partial(touch.keyboard.press, "Space"), f"{HAND}?.way.done === 2")
    press(touch, partial(touch.keyboard.press, "ArrowLeft"), f"{HAND}?.way.done === 1")
    for number in range(1, total):
        press(touch, partial(touch.keyboard.press, "Space"), f"{HAND}?.way.done === {number + 1}")
    expect(touch.get_by_text("Solved!")).to_be_visible()
    assert touch.evaluate(f"() => {HAND}?.way.facelets") == SOLVED_FACELETS.text
    look("done", "")
    touch.reload()
    expect(touch.get_by_text("Solved!")).to_be_visible()
    press(touch, touch.locator(".hand-turn").get_by_role("button", name="End").click, READY)
    expect(touch.locator(".hand-begin")).to_be_visible()
    assert touch.evaluate("() => window.thistlebot.view.machine.board") == ""
