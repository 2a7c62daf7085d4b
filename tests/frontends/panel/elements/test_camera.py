"""The camera's canvas in a real browser: frames, pauses, losses, polygons and points."""

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page

from chromium import Visit, barriers, shoot, until

pytestmark = pytest.mark.browser

FRAMES = "() => Number(document.querySelector('.tb-camera').dataset.frames)"
STATE = "() => document.querySelector('.tb-camera').dataset.state"
MIDDLE = """() => { const canvas = document.querySelector("canvas");
  const at = [canvas.width / 2, canvas.height / 2, 1, 1];
  return [...canvas.getContext("2d").getImageData(...at).data].slice(0, 3); }"""
SQUARE = [[100.0, 80.0], [200.0, 80.0], [200.0, 180.0], [100.0, 180.0]]


Do = Callable[..., None]
Told = Callable[[], Any]


def jpeg(grey: int, width: int = 320, height: int = 240) -> bytes:
    done, data = cv2.imencode(".jpg", np.full((height, width, 3), grey, np.uint8))
    assert done
    return data.tobytes()


def add(page: Page, address: str, frame: bytes) -> None:
    assert page.request.post(f"{address}/frames", data=frame).ok


def tell(page: Page, view: dict[str, Any]) -> None:
    """What `command.js` does with each view."""
    page.evaluate(
        "view => window.dispatchEvent(new CustomEvent('thistlebot:view', {detail: view}))", view
    )


def drawn(page: Page, more: int = 3) -> None:
    page.wait_for_function(f"count => ({FRAMES})() >= count", arg=page.evaluate(FRAMES) + more)


def test_frames_are_drawn_and_acknowledged_and_a_lost_socket_is_opened_again(
    visit: Visit, address: str, told: Told
) -> None:
    """An empty and a broken one are passed over."""
    page = visit.open(f"{address}/camera")
    assert page.get_by_role("status").text_content() == "…"
    for frame in (b"", jpeg(90)[:40], jpeg(40)):
        add(page, address, frame)
    drawn(page)
    assert not page.get_by_role("status").is_visible()
    assert np.allclose(page.evaluate(MIDDLE), 40, atol=2)
    assert page.evaluate("() => Number(document.querySelector('.tb-camera').dataset.broken)") >= 2
    add(page, address, jpeg(200))
    drawn(page)
    assert np.allclose(page.evaluate(MIDDLE), 200, atol=2)
    (acknowledged,) = told()["sockets"]
    assert acknowledged == list(range(1, len(acknowledged) + 1))
    add(page, address, b"close")
    until(page, lambda: len(told()["sockets"]) == 2)
    drawn(page)


def test_a_picture_off_the_screen_or_in_a_hidden_tab_asks_for_nothing(
    visit: Visit, address: str, told: Told
) -> None:
    page = visit.open(f"{address}/camera?below=3000")
    add(page, address, jpeg(90))
    page.wait_for_timeout(300)
    assert told()["sockets"] == []
    page.locator("canvas").scroll_into_view_if_needed()
    drawn(page)
    hide = """value => {
      Object.defineProperty(document, "hidden", {value, configurable: true});
      document.dispatchEvent(new Event("visibilitychange")); }"""
    page.evaluate(hide, True)
    assert page.evaluate(STATE) == "paused"
    page.wait_for_timeout(100)
    count = len(told()["sockets"][0])
    page.wait_for_timeout(300)
    assert len(told()["sockets"][0]) == count
    page.evaluate(hide, False)
    drawn(page)
    assert len(told()["sockets"]) == 2
    page.evaluate("() => window.scrollTo(0, 0)")
    page.wait_for_function(f"() => ({STATE})() === 'paused'")


def test_what_was_seen_is_drawn_over_it(visit: Visit, address: str) -> None:
    """Marks are in pixels of the camera, also where frames are smaller than its pictures."""
    page = visit.open(f"{address}/camera?live=true")
    polygon = page.locator("polygon[data-facelet=F1]")
    for larger, frames in (1, [jpeg(120)]), (4, [b'{"size": [1280, 960]}', jpeg(120, 640, 480)]):
        for frame in frames:
            add(page, address, frame)
            drawn(page)
        square = [[larger * x, larger * y] for x, y in SQUARE]
        seen = {"facelet": "F1", "polygons": [square], "colour": "red", "confidence": 0.3}
        marks = [{"camera": 3, **seen}, {"camera": 1, **seen}, {"camera": 1, **seen}]
        tell(page, {"phase": "scan", "look": {"marks": marks}})
        assert polygon.count() == 1
        assert polygon.get_attribute("stroke") == "#c41e3a"
        assert polygon.get_attribute("data-sure") == "poor"
        canvas, box = page.locator("canvas").bounding_box(), polygon.bounding_box()
        scale = canvas["width"] / 320
        assert box["x"] - canvas["x"] == pytest.approx(100 * scale, abs=4)
        assert box["width"] == pytest.approx(100 * scale, abs=6)
        shoot(page, "element-camera")
        tell(page, {"phase": "execute", "look": {"marks": marks}})  # the cube has moved since
        assert polygon.count() == 0


def test_points_are_dragged_and_moved_by_keys(
    visit: Visit, address: str, do: Do, told: Told
) -> None:
    page = visit.open(f"{address}/camera")
    add(page, address, jpeg(60))
    drawn(page)
    do(page, "place", {"U1": [100, 80], "U3": [200, 80]})
    point = page.get_by_role("button", name="U1: 100, 80")
    box, canvas = point.bounding_box(), page.locator("canvas").bounding_box()
    assert box is not None
    scale = canvas["width"] / 320
    x, y = canvas["x"] + 100 * scale, canvas["y"] + 80 * scale
    page.mouse.move(x + 3, y)
    page.mouse.down()
    page.mouse.move(x + 3 + 30 * scale, y + 20 * scale, steps=4)
    page.mouse.up()
    page.get_by_role("button", name="U1: 130, 100").wait_for()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift+ArrowDown")
    page.get_by_role("button", name="U1: 129, 110").wait_for()
    until(page, lambda: len(told()["told"]) >= 3)
    assert [event["points"][0] for _, event in told()["told"]] == [
        {"name": "U1", "x": pytest.approx(130, abs=0.2), "y": pytest.approx(100, abs=0.2)},
        {"name": "U1", "x": pytest.approx(129, abs=0.2), "y": pytest.approx(100, abs=0.2)},
        {"name": "U1", "x": pytest.approx(129, abs=0.2), "y": pytest.approx(110, abs=0.2)},
    ]
    do(page, "place", {"U1": [10, 10], "U3": [-5, 500]})
    page.get_by_role("button", name="U1: 10, 10").wait_for()
    assert barriers(page) == []
    shoot(page, "element-camera-points")
