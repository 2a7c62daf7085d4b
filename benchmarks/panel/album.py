"""Pictures of a page on all screens, light and dark, and what axe-core finds on them."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Page

from benchmarks.panel.barriers import barriers

Picture = NDArray[np.uint8]
SIZES = {"desk": (1280, 800), "touch": (800, 480), "phone": (390, 844)}
SHADES = ("light", "dark")
DOCUMENTED = (
    "run-turning-desk-light",
    "run-turning-touch-light",
    "run-doubt-phone-light",
    "assistant-rig-desk-light",
    "show-turning-touch-dark",
    "history-turning-phone-light",
    "school-puzzles-touch-light",
    "school-lesson-phone-light",
)
"""The pictures of docs/panel.md."""
QUALITY, SHEET_QUALITY = 80, 55
_SETTLED_MS = 700
_SCALES = {"desk": 0.55, "touch": 0.62, "phone": 0.5}
_GAP_PX = 8
_PAPER = 160


def show(page: Page, size: str, shade: str) -> None:
    """Give a page the size of a screen, and a shade."""
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme="dark" if shade == "dark" else "light")


@dataclass
class Album:
    """Pictures of states, each on all screens.

    Args:
        folder: Where the pictures are written; in it, ``states`` has sheets of them, and ``panel``
            those of the documentation.

    Attributes:
        findings: Number of barriers that axe-core found; they are printed.
    """

    folder: Path
    findings: int = 0

    def add(
        self,
        page: Page,
        state: str,
        before: Callable[[], object] = lambda: None,
        wait_ms: int = _SETTLED_MS,
    ) -> None:
        """Take the pictures of a state.

        Args:
            page: The page.
            state: Its name.
            before: Called before each picture, for a state that does not last.
            wait_ms: How long the page takes to draw.
        """
        taken: dict[str, Picture] = {}
        for size in SIZES:
            for shade in SHADES:
                show(page, size, shade)
                before()
                page.mouse.move(1, 1)
                page.wait_for_timeout(wait_ms)
                name = f"{state}-{size}-{shade}"
                png = page.screenshot(path=self.folder / f"{name}.png")
                taken[f"{size}-{shade}"] = picture = _decoded(png)
                if name in DOCUMENTED:
                    self._write("panel", name, picture, QUALITY)
                front = ".q-dialog" if page.locator(".q-dialog--modal").count() else None
                for found in barriers(page, front):
                    self.findings += 1
                    print(name, found)
        self._write("states", state, sheet(taken), SHEET_QUALITY)

    def _write(self, folder: str, name: str, picture: Picture, quality: int) -> None:
        (self.folder / folder).mkdir(parents=True, exist_ok=True)
        file = self.folder / folder / f"{name}.webp"
        cv2.imwrite(str(file), picture, (cv2.IMWRITE_WEBP_QUALITY, quality))


def sheet(taken: dict[str, Picture]) -> Picture:
    """Return one picture of all: the desktop above, the touch screen and the phone below."""
    small = {name: _smaller(each, _SCALES[name.split("-")[0]]) for name, each in taken.items()}
    rows = [
        _row([small[f"{size}-{shade}"] for size in sizes for shade in SHADES])
        for sizes in (("desk",), ("touch", "phone"))
    ]
    width = max(row.shape[1] for row in rows)
    return np.vstack([_padded(row, row.shape[0] + _GAP_PX, width) for row in rows])


def _smaller(picture: Picture, scale: float) -> Picture:
    height, width = (round(scale * side) for side in picture.shape[:2])
    return np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _row(pictures: list[Picture]) -> Picture:
    height = max(each.shape[0] for each in pictures)
    return np.hstack([_padded(each, height, each.shape[1] + _GAP_PX) for each in pictures])


def _padded(picture: Picture, height: int, width: int) -> Picture:
    whole = np.full((height, width, 3), _PAPER, np.uint8)
    whole[: picture.shape[0], : picture.shape[1]] = picture
    return whole


def _decoded(png: bytes) -> Picture:
    return np.asarray(cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR), np.uint8)
