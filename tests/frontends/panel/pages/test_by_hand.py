"""Solving by hand in a real browser, before a rendered webcam or a recorded video; no rig."""

from collections.abc import Callable
from functools import partial

import pytest
from panel_pages import TAKE, fits, fits_at, insist
from playwright.sync_api import Page, expect

from chromium import Visit
from cube.facelets import SOLVED_FACELETS
from panel_desk import PanelProcess

pytestmark = pytest.mark.browser

MOVES = "R U2 F'"
READY = "window.thistlebot?.view?.job === ''"
CALM = "window.thistlebot?.view?.attention === null"
HAND = "window.thistlebot?.view?.panes.hand"
MINE = f"() => ({TAKE})() && document.documentElement.dataset.control === 'mine'"


def by_hand(page: Page, name: str = "By hand") -> Page:
    page.get_by_role("tab", name=name).click()
    expect(page.locator(".hand-page")).to_be_visible()
    return page


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


@pytest.mark.parametrize("sizes", [1, pytest.param(3, marks=pytest.mark.exhaustive)])
def test_without_a_board_a_cube_is_solved_by_taps(
    hand_panel: PanelProcess, visit: Visit, sizes: int
) -> None:
    """At three sizes, guests with other languages look on."""
    hand_panel.wish(person=MOVES, faces=2)
    touch = visit.open(hand_panel.url, "touch")
    expect(touch.locator(".boardless")).to_be_visible()
    fits_at(touch, ("phone", "touch"), "run-no-board", judged="touch")
    touch.get_by_role("button", name="By hand", exact=True).first.click()
    expect(touch.locator(".hand-begin")).to_be_visible()
    names = {"fr-FR": "À la main", "ru-RU": "Вручную"}

    def look(name: str, judged: str, *guests: tuple[str, str]) -> None:
        if sizes == 1:
            return
        fits_at(touch, ("desk", "phone", "touch"), f"hand-{name}", judged=judged)
        for size, locale in guests:
            page = visit.open(hand_panel.url, size, locale=locale, color_scheme="dark")
            fits(by_hand(page, names[locale]), size, f"hand-{name}-{locale}", judged=False)
            page.goto("about:blank")

    look("intro", "", ("desk", "fr-FR"))
    order = "window.thistlebot.send({command: 'hand_begin', camera: 'nowhere.avi'}, {run: false})"
    touch.wait_for_function("() => window.thistlebot?.view?.machine.rig !== ''", timeout=60_000)
    press(touch, lambda: touch.evaluate(order), "window.thistlebot?.view?.attention != null")
    expect(touch.locator(".hand-intro .attention")).to_contain_text("nowhere.avi")
    fits(touch, "touch", "hand-no-camera", judged=False)
    right = "document.querySelector('.hand-intro .attention button')?.click()"
    touch.wait_for_function(f"() => {{ {right}; return {READY} && {CALM}; }}", polling=200)
    begin(touch)
    touch.wait_for_function(f"() => {HAND}?.captured.length >= 2", timeout=60_000)
    look("scan", "desk")
    hand_panel.wish(faces=6)
    wait_for(touch, "turn")
    look("turn", "phone", ("phone", "ru-RU"))
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
