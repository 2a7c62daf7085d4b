"""Takes the pictures of docs/panel.md: `python -m benchmarks.panel.pictures FOLDER`.

A virtual machine is brought into the state of each picture, and Chromium pictures the page.
"""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import Browser, Page

from benchmarks.panel.connected import PanelHost, chromium, ended, order, until
from benchmarks.panel.host import NOTHING

SIZES = {"desk": (1280, 800), "touch": (800, 480), "phone": (390, 844)}
QUALITY = 80
DOUBTFUL = "D' B D2 F' R U L2 B2 R D' U2 F2 R' F' L2 F' L2 B2"
"""Makes a cube of which two colours remain possible while `HIDDEN` are."""
HIDDEN = ("F8", "B8")
LONG = "R U F2 L D' B " * 12
_SOON_OVER = 30
_SETTLED_MS, _TURNING_MS, _DRAWN_MS = 700, 100, 2500
"""Waits before a picture: of a page at rest, of turns, and of a page that draws a film."""


class PanelPictures:
    """Takes pictures of one machine's panel.

    Args:
        host: The panel.
        page: A page that controls it.
        folder: Where the pictures are written.
    """

    def __init__(self, host: PanelHost, page: Page, folder: Path) -> None:
        self.host, self.page, self._folder = host, page, folder

    def take(self, state: str, size: str, shade: str = "light", wait_ms: int = _SETTLED_MS) -> None:
        """Picture the page as it is now, on a screen, light or dark."""
        width, height = SIZES[size]
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.emulate_media(color_scheme="dark" if shade == "dark" else "light")
        self.page.mouse.move(1, 1)
        self.page.wait_for_timeout(wait_ms)
        png = np.frombuffer(self.page.screenshot(), np.uint8)
        picture = cv2.imdecode(png, cv2.IMREAD_COLOR)
        assert picture is not None
        file = self._folder / f"{state}-{size}-{shade}.webp"
        cv2.imwrite(str(file), picture, (cv2.IMWRITE_WEBP_QUALITY, QUALITY))

    def go(self, place: str) -> None:
        """Open a page of the panel, and control the machine from it."""
        self.page.goto(f"{self.host.url}{place}")
        until(self.page, "() => document.documentElement.dataset.control === 'mine'")

    def turn(self) -> None:
        """Have the machine turn for two seconds or more."""
        if self.page.evaluate("() => window.thistlebot.view.executed") > _SOON_OVER:
            ended(self.page)
        if not self.page.evaluate("() => window.thistlebot.view.job"):
            order(self.page, "turn", moves=LONG)
        until(self.page, "() => window.thistlebot.view.executed > 5")


def picture_machine(pictures: PanelPictures) -> None:
    """Picture the pages of the usual machine."""
    host, page = pictures.host, pictures.page
    pictures.go("?tab=run")
    order(page, "put_in")
    ended(page)
    for size in ("desk", "touch"):
        pictures.turn()
        pictures.take("run-turning", size, wait_ms=_TURNING_MS)
    ended(page)
    order(page, "solve")
    ended(page)
    order(page, "turn", moves=DOUBTFUL)
    ended(page)
    host.wish(covered=HIDDEN)
    order(page, "solve")
    ended(page)
    pictures.take("run-doubt", "phone")
    host.wish(covered=())
    for command in ("look", *("put_in", "solve") * 6):
        order(page, command)
        ended(page)
    pictures.go("?tab=history")
    page.locator(".run-link").first.click()
    page.locator(".replay-speed").select_option("0.25")
    page.locator(".replay-button").nth(2).click()  # plays
    pictures.take("history-turning", "phone", wait_ms=300)
    pictures.go("?tab=school&card=lessons")
    page.locator("[data-lesson=theorem]").click()
    page.locator(".school-question").first.wait_for()
    pictures.take("school-lesson", "phone")
    pictures.go("?tab=school&card=puzzles")
    page.wait_for_timeout(_DRAWN_MS)
    page.locator(".school-fields > .q-btn").click()
    page.locator(".school-film").wait_for()
    pictures.take("school-puzzles", "touch", wait_ms=_DRAWN_MS)
    page.goto(f"{host.url}show")
    page.locator(".show-lock").click()
    until(page, "() => document.documentElement.dataset.control === 'mine'")
    pictures.turn()
    pictures.take("show-turning", "touch", "dark", wait_ms=_TURNING_MS)


@contextmanager
def opened(browser: Browser, rig: str) -> Iterator[tuple[PanelHost, Page]]:
    """Serve a panel of a machine (`benchmarks.panel.host.main`), and control it from a page."""
    with tempfile.TemporaryDirectory() as home:  # where nothing was set up
        for name in ("CONFIG", "DATA", "STATE"):
            os.environ[f"THISTLEBOT_{name}_DIR"] = f"{home}/{name.lower()}"
        host = PanelHost(100.0, rig)
        try:
            page = browser.new_page(viewport={"width": 1280, "height": 800}, locale="en-US")
            page.goto(host.url)
            until(page, "() => document.documentElement.dataset.control === 'mine'")
            yield host, page
        finally:
            host.close()


def main(folder: Path) -> None:
    """Take all pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with chromium() as browser:
        with opened(browser, "") as (host, page):
            until(page, "() => window.thistlebot.view.machine.rig !== ''")
            picture_machine(PanelPictures(host, page, folder))
        with opened(browser, NOTHING) as (host, page):
            page.locator(".rig-card").first.wait_for()
            PanelPictures(host, page, folder).take("assistant-rig", "desk")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
