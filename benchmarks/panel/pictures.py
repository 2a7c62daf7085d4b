"""Takes the pictures of docs/panel.md: `python -m benchmarks.panel.pictures FOLDER`."""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from benchmarks.panel.__main__ import PanelHost, ended, order, until

SIZES = {"desk": (1280, 800), "touch": (800, 480), "phone": (390, 844)}
TABS = ("run", "hand", "calibrate", "history")
DRAWN_MS = 1500


def take(page: Page, folder: Path, name: str) -> None:
    """Write a picture of a page, once everything on it is still."""
    page.wait_for_timeout(DRAWN_MS)
    page.screenshot(path=folder / f"{name}.png")


def main(folder: Path) -> None:
    """Take all pictures, of a machine that has solved a few cubes."""
    folder.mkdir(parents=True, exist_ok=True)
    host = PanelHost(1.0, 100.0)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"),
                args=[] if os.getuid() else ["--no-sandbox"],
            )
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.goto(host.url)
            until(page, "() => document.documentElement.dataset.control === 'mine'")
            until(page, "() => window.thistlebot.view.cube.facelets")
            for command in ("solve", "put_in", "solve", "put_in", "solve", "put_in"):
                order(page, command)
                ended(page)
            order(page, "solve")
            until(page, "() => window.thistlebot.view.executed > 6")
            for size, (width, height) in SIZES.items():
                page.set_viewport_size({"width": width, "height": height})
                for tab in TABS:
                    page.goto(f"{host.url}?tab={tab}")
                    take(page, folder, f"{tab}-{size}")
                page.goto(f"{host.url}show")
                take(page, folder, f"show-{size}")
            browser.close()
    finally:
        host.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home:  # a history of its own
        os.environ["THISTLEBOT_DATA_DIR"] = home
        main(Path(sys.argv[1]))
