"""Takes the pictures of docs/panel.md: `python -m benchmarks.panel_pictures FOLDER`.

A virtual machine is brought into the state of each picture, and Chromium pictures the page.
"""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import Page

sys.path.append(str(Path(__file__).parents[1] / "tests" / "shared"))
from panel_pages import begun, controlling, do, ended

from chromium import SIZES, Visit, started
from panel_desk import PanelProcess

QUALITY = 80
DOUBTFUL = "D' B D2 F' R U L2 B2 R D' U2 F2 R' F' L2 F' L2 B2"
"""Makes a cube of which two colours remain possible while `HIDDEN` are."""
HIDDEN = ("F8", "B8")
LONG = "R U F2 L D' B " * 12
_SOON_OVER = 30
_SETTLED_MS, _TURNING_MS, _DRAWN_MS = 700, 100, 2500
"""Waits before a picture: of a page at rest, of turns, and of a page that draws a film."""
_TABLES_S = 900.0
"""The first time, the solver's tables are built."""


class PanelPictures:
    """Takes pictures of one machine's panel.

    Args:
        panel: The panel.
        page: A page that controls it.
        folder: Where the pictures are written.
    """

    def __init__(self, panel: PanelProcess, page: Page, folder: Path) -> None:
        self.panel, self.page, self._folder = panel, page, folder

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
        self.page.goto(f"{self.panel.url}{place}")
        self.page.wait_for_function("() => document.documentElement.dataset.control === 'mine'")

    def do(self, command: str, **fields: str) -> None:
        """Have a command carried out to its end."""
        do(self.page, self.panel, command=command, **fields)

    def turn(self) -> None:
        """Have the machine turn for two seconds or more."""
        if self.panel.view()["executed"] > _SOON_OVER:
            self.rest()
        if not self.panel.view()["job"]:
            order = "moves => window.thistlebot.send({command: 'turn', moves})"
            begun(self.page, self.panel, lambda: self.page.evaluate(order, LONG))
        self.panel.until(lambda view: view["executed"] > 5)

    def rest(self) -> None:
        """Wait until nothing turns."""
        ended(self.page, self.panel, -1)


def picture_machine(pictures: PanelPictures) -> None:
    """Picture the pages of the usual machine."""
    panel, page = pictures.panel, pictures.page
    pictures.go("?tab=run")
    pictures.do("put_in")
    for size in ("desk", "touch"):
        pictures.turn()
        pictures.take("run-turning", size, wait_ms=_TURNING_MS)
    pictures.rest()
    pictures.do("solve")
    pictures.do("turn", moves=DOUBTFUL)
    panel.wish(covered=HIDDEN)
    pictures.do("solve")
    pictures.take("run-doubt", "phone")
    panel.wish(covered=())
    for command in ("look", *("put_in", "solve") * 6):
        pictures.do(command)
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
    page.goto(f"{panel.url}show")
    page.locator(".show-lock").click()
    page.wait_for_function("() => document.documentElement.dataset.control === 'mine'")
    pictures.turn()
    pictures.take("show-turning", "touch", "dark", wait_ms=_TURNING_MS)


@contextmanager
def served(**given: str | float) -> Iterator[PanelProcess]:
    """Serve a panel where nothing was set up; see `tests/shared/panel_host.py`."""
    with tempfile.TemporaryDirectory() as folder:
        panel = PanelProcess(Path(folder), **given)
        try:
            yield panel
        finally:
            panel.close()


def main(folder: Path) -> None:
    """Take all pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with started() as browser:
        visit = Visit(browser)
        with served(budget_ms=100.0) as panel:
            panel.until(lambda view: "calibrate" in view["panes"], _TABLES_S)
            picture_machine(PanelPictures(panel, controlling(visit, panel), folder))
        with served(first="yes") as panel:
            page = controlling(visit, panel)
            page.locator(".rig-card").first.wait_for()
            PanelPictures(panel, page, folder).take("assistant-rig", "desk")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
