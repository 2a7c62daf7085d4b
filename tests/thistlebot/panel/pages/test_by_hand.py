"""Solving by hand in a real browser, before a rendered webcam or a recorded video; no rig."""

import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from hand_pages import hand_panel, printing_its_address
from hand_video import record
from playwright.sync_api import Error, Page, expect

from chromium import Visit, barriers, shoot, until
from cube.facelets import SOLVED_FACELETS
from cube.moves import MoveSequence
from cube.state import SOLVED
from vision.live.capture import CAPTURE_ORDER

pytestmark = pytest.mark.browser

MOVES = "R U2 F'"
READY = "window.thistlebot.view.job === ''"
CALM = "window.thistlebot.view.attention === null"
HAND = "window.thistlebot.view.panes.hand"
CLEARANCE = """() => {
  const box = (each) => each.getBoundingClientRect();
  const stop = box(document.querySelector(".stop"));
  const gap = ({ left, right, top, bottom }) => Math.hypot(
    Math.max(0, stop.left - right, left - stop.right),
    Math.max(0, stop.top - bottom, top - stop.bottom));
  const seen = (each) => {
    const page = box(each.closest(".panel-page") ?? each);
    const { left, right, top, bottom } = box(each);
    return { left, right, top: Math.max(top, page.top), bottom: Math.min(bottom, page.bottom) };
  };
  const controls = [...document.querySelectorAll("button, select, [role=gridcell]")];
  const others = controls.filter((each) => !each.matches(".stop") && box(each).width > 0);
  return Math.min(...others.map(seen).filter((one) => one.bottom > one.top).map(gap));
}"""
SCROLLS = """() => {
  const page = document.querySelectorAll(".hand-page, .hand-page *");
  const places = [document.documentElement, ...page];
  const may = (each) => ["auto", "scroll"].includes(getComputedStyle(each).overflowY);
  return places.filter((each, number) => number === 0 || may(each)).map((each) => [
    each.className, each.scrollHeight - each.clientHeight, each.scrollWidth - each.clientWidth]);
}"""


@pytest.fixture
def address(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """A panel before which a person sits who shows faces, and turns if the test says so."""
    with hand_panel(tmp_path, MOVES, getattr(request, "param", "shows")) as address:
        yield address


@pytest.fixture
def video_panel(tmp_path: Path) -> Iterator[str]:
    """The program itself on a free port, with a video of six faces as its camera."""
    file = tmp_path / "faces.avi"
    record(file, SOLVED.apply(MoveSequence.parse(MOVES).inverse()), CAPTURE_ORDER)
    options = ["--camera", file.name, "--port", "/dev/no-such-port", "--method", "thistlethwaite"]
    command = [sys.executable, "-m", "thistlebot", "serve", "--http-port", "0", *options]
    with printing_its_address(command, tmp_path) as address:
        yield address


def by_hand(page: Page, name: str = "By hand") -> Page:
    page.get_by_role("tab", name=name).click()
    expect(page.locator(".hand-begin")).to_be_visible()
    return page


def begin(page: Page) -> None:
    """Wait for the machine, and press Begin."""
    page.wait_for_function("() => document.documentElement.dataset.control === 'mine'")
    page.wait_for_function("() => window.thistlebot.view.machine.rig !== ''", timeout=60_000)
    page.wait_for_function(
        "() => { document.querySelector('.hand-begin').click();"
        " return window.thistlebot.view.job === 'by_hand'; }",
        polling=500,
        timeout=60_000,
    )


def wait_for(page: Page, phase: str) -> None:
    page.wait_for_function(f"() => {HAND}?.phase === '{phase}'", timeout=90_000)


def done(page: Page) -> int:
    return page.evaluate(f"() => {HAND}.way.done")


def press(page: Page, act: Callable[[], None], until: str) -> None:
    """Give an order; on a busy computer it may come too late, and is given again.

    Args:
        page: The page that gives it.
        act: Taps or presses.
        until: What is true once it is carried out, in JavaScript.
    """
    for _ in range(5):
        act()
        try:
            page.wait_for_function(f"() => {until}", timeout=6000)
        except Error:
            continue
        return
    raise AssertionError(f"given in vain, until {until}")


def fits(page: Page, size: str, name: str) -> None:
    """Keep a picture; nothing scrolls that may not, and nothing comes near STOP."""
    page.wait_for_timeout(400)
    shoot(page, f"hand-{name}-{size}")
    for which, down, aside in page.evaluate(SCROLLS):
        assert aside <= 0, (which, aside)
        assert down <= 0 or size == "phone", (which, down)
    assert page.evaluate(CLEARANCE) >= 48
    assert not barriers(page)
    # While axe-core works, a slow page hears nothing: it may be taken for lost, and load again.
    expect(page.locator(".hand-page")).to_be_visible(timeout=20_000)


def test_a_cube_is_solved_by_taps_at_three_sizes(address: str, visit: Visit) -> None:
    """One browser controls; the others, in other languages, show the same."""
    touch = by_hand(visit.open(address, "touch"))
    desk = by_hand(visit.open(address, "desk", locale="fr-FR"), "À la main")
    phone = by_hand(visit.open(address, "phone", locale="ru-RU", color_scheme="dark"), "Вручную")
    pages = {"touch": touch, "desk": desk, "phone": phone}

    def look(name: str) -> None:
        for size, page in pages.items():
            fits(page, size, name)

    look("intro")
    begin(touch)
    touch.wait_for_function(f"() => {HAND}?.captured.length >= 2", timeout=60_000)
    expect(desk.get_by_text("Montrez la")).to_be_visible(timeout=20_000)
    look("scan")
    wait_for(touch, "turn")
    expect(touch.get_by_text("Hold the cube so: white up, green towards you.")).to_be_visible()
    expect(phone.get_by_text("Держите кубик так: сверху белый, к себе зелёный.")).to_be_visible()
    follow = touch.get_by_role("button", name="The camera sees the turns")
    press(touch, follow.click, f"{HAND}.followed.on === false")
    expect(touch.get_by_text("Tap Next after each turn")).to_be_visible()
    look("turn")
    total = touch.evaluate(f"() => {HAND}.way.moves.length")
    press(touch, touch.get_by_role("button", name="Next").click, f"{HAND}.way.done === 1")
    touch.locator(".panel-name").click()  # away from the button, which takes the space bar itself
    press(touch, partial(touch.keyboard.press, "Space"), f"{HAND}.way.done === 2")
    press(touch, partial(touch.keyboard.press, "ArrowLeft"), f"{HAND}.way.done === 1")
    look("step")
    for number in range(1, total):
        assert done(touch) == number
        press(touch, partial(touch.keyboard.press, "Space"), f"{HAND}.way.done === {number + 1}")
    expect(touch.get_by_text("Solved!")).to_be_visible()
    assert touch.evaluate(f"() => {HAND}.way.facelets") == SOLVED_FACELETS.text
    look("done")
    twin = visit.open(f"{address}/?tab=hand", "desk")
    expect(twin.get_by_text("Solved!")).to_be_visible()
    touch.reload()
    expect(touch.get_by_text("Solved!")).to_be_visible()
    touch.wait_for_function("() => document.documentElement.dataset.control === 'mine'")
    end = touch.locator(".hand-turn").get_by_role("button", name="End")
    press(touch, end.click, READY)
    expect(touch.locator(".hand-begin")).to_be_visible()
    assert touch.evaluate("() => window.thistlebot.view.machine.board") == ""


def test_a_camera_that_is_not_there_is_no_dead_end(video_panel: str, visit: Visit) -> None:
    page = by_hand(visit.open(video_panel, "touch"))
    begin(page)
    order = "window.thistlebot.send({command: 'hand_begin', camera: 'nowhere.avi'}, {run: false})"
    press(page, page.locator(".hand-scan .hand-ending button").last.click, READY)
    press(page, lambda: page.evaluate(order), "window.thistlebot.view.attention !== null")
    expect(page.locator(".hand-intro .attention")).to_contain_text("nowhere.avi does not exist")
    fits(page, "touch", "no-camera")
    press(page, page.get_by_role("button", name="All right").click, f"{READY} && {CALM}")
    begin(page)
    wait_for(page, "scan")


@pytest.mark.parametrize("address", ["turns"], indirect=True)
def test_the_camera_sees_every_turn(address: str, visit: Visit) -> None:
    """From the first face to the solved cube nobody touches the screen."""
    page = by_hand(visit.open(address, "touch"))
    begin(page)
    wait_for(page, "turn")
    page.wait_for_function("() => document.querySelectorAll('.hand-small .tb-seen').length === 9")
    shoot(page, "hand-follow-touch")
    wait_for(page, "done")
    expect(page.get_by_text("Solved!")).to_be_visible()
    assert page.evaluate(f"() => {HAND}.way.strays") == []
    frames = page.evaluate("() => Number(document.querySelector('.tb-camera').dataset.frames)")
    assert frames > 0


def test_a_sticker_is_corrected_by_tap_and_taken_back(address: str, visit: Visit) -> None:
    page = by_hand(visit.open(address, "touch"))
    begin(page)
    wait_for(page, "turn")
    before = page.evaluate(f"() => {HAND}.net.facelets")
    page.locator(".hand-turn").get_by_role("button", name="Correct stickers").click()
    large = page.locator(".hand-corrector")
    cell = large.locator("[data-facelet=U1]")
    expect(cell).to_be_visible()
    until(page, lambda: (cell.bounding_box() or {"width": 0})["width"] >= 24)  # it opens slowly
    assert page.evaluate(CLEARANCE) >= 48
    other = "F" if before[0] != "F" else "R"

    def tell() -> None:
        cell.click()
        page.keyboard.press(other)

    press(page, tell, f"{HAND}.corrected.count === 1")
    expect(large.get_by_text("Changed: U1 is")).to_be_visible()
    page.wait_for_timeout(400)
    shoot(page, "hand-correct-touch")
    undone = f"{HAND}.corrected.count === 0 && {HAND}.phase === 'turn'"
    press(page, large.get_by_role("button", name="Undo").click, undone)
    assert page.evaluate(f"() => {HAND}.net.facelets") == before
    large.get_by_role("button", name="Close").click()
    expect(large).to_be_hidden()


def test_a_video_is_a_camera_and_no_rig_is_needed(video_panel: str, visit: Visit) -> None:
    """As `thistlebot serve --camera FILE` on a computer without a board."""
    page = by_hand(visit.open(video_panel, "phone"))
    begin(page)
    wait_for(page, "turn")
    expect(page.get_by_text("The camera gives no more pictures")).to_be_visible(timeout=20_000)
    total = page.evaluate(f"() => {HAND}.way.moves.length")
    for number in range(total):
        following = page.get_by_role("button", name="Next")
        press(page, following.click, f"{HAND}.way.done === {number + 1}")
    expect(page.get_by_text("Solved!")).to_be_visible()
