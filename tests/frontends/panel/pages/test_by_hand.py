"""Solving by hand in a real browser, before a rendered webcam or a recorded video; no rig."""

from collections.abc import Callable
from functools import partial

import pytest
from hand_video import record
from panel_pages import TAKE, fits, fits_at, insist
from playwright.sync_api import Page, expect

from chromium import Visit
from cube.facelets import SOLVED_FACELETS
from cube.moves import MoveSequence
from cube.state import SOLVED
from panel_desk import PanelProcess
from vision.live.capture import CAPTURE_ORDER

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
    """Wait for the machine, and press Begin."""
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


def test_a_cube_is_solved_by_taps_at_three_sizes(hand_panel: PanelProcess, visit: Visit) -> None:
    """One browser controls; those that look on, in other languages, show the same."""
    hand_panel.wish(person=MOVES, faces=2)
    touch = by_hand(visit.open(hand_panel.url, "touch"))
    names = {"fr-FR": "À la main", "ru-RU": "Вручную"}

    def look(name: str, judged: str, *guests: tuple[str, str]) -> None:
        fits_at(touch, ("desk", "phone", "touch"), f"hand-{name}", judged=judged)
        for size, locale in guests:
            page = visit.open(hand_panel.url, size, locale=locale, color_scheme="dark")
            fits(by_hand(page, names[locale]), size, f"hand-{name}-{locale}", judged=False)
            page.goto("about:blank")

    look("intro", "", ("desk", "fr-FR"))
    begin(touch)
    touch.wait_for_function(f"() => {HAND}?.captured.length >= 2", timeout=60_000)
    look("scan", "desk")
    hand_panel.wish(faces=6)
    wait_for(touch, "turn")
    follow = touch.get_by_role("button", name="The camera follows your turns")
    press(touch, follow.click, f"{HAND}?.followed.on === false", most_ms=30_000)  # not undone
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


def test_a_camera_that_is_not_there_is_no_dead_end_and_a_video_is_one(
    hand_panel: PanelProcess, visit: Visit
) -> None:
    """As `thistlebot serve --camera FILE` on a computer without a board."""
    state = SOLVED.apply(MoveSequence.parse(MOVES).inverse())
    record(hand_panel.folder / "faces.avi", state, CAPTURE_ORDER)
    page = by_hand(visit.open(hand_panel.url, "phone"))
    begin(page)
    order = "window.thistlebot.send({command: 'hand_begin', camera: 'nowhere.avi'}, {run: false})"
    end = "[...document.querySelectorAll('.hand-scan .hand-ending button')].at(-1)?.click()"
    page.wait_for_function(f"() => {{ {end}; return {READY}; }}", polling=200)  # or the film has
    press(page, lambda: page.evaluate(order), "window.thistlebot?.view?.attention != null")
    expect(page.locator(".hand-intro .attention")).to_contain_text("nowhere.avi")
    fits(page, "phone", "hand-no-camera", judged=False)
    right = "document.querySelector('.hand-intro .attention button')?.click()"
    page.wait_for_function(f"() => {{ {right}; return {READY} && {CALM}; }}", polling=200)
    begin(page)
    wait_for(page, "turn")
    page.wait_for_function(f"() => {HAND}?.followed.lost !== ''", timeout=30_000)
    for number in range(page.evaluate(f"() => {HAND}?.way.moves.length")):
        following = page.get_by_role("button", name="Next")
        press(page, following.click, f"{HAND}?.way.done === {number + 1}")
    expect(page.get_by_text("Solved!")).to_be_visible()
