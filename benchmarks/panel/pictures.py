"""Takes pictures of the panel: `python -m benchmarks.panel.pictures FOLDER`.

With ``--states``, every page is pictured in all its states, on all screens, light and dark, to be
looked at; otherwise only the pictures of docs/panel.md are taken.
"""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page

from benchmarks.panel.__main__ import PanelHost, chromium, ended, order, until
from benchmarks.panel.turning import HAND

SIZES = {"desk": (1280, 800), "touch": (800, 480), "phone": (390, 844)}
SHADES = ("light", "dark")
TABS = ("run", "hand", "calibrate", "history", "school", "assistant")
DRAWN_MS = 1500
DOUBTFUL = "D' B D2 F' R U L2 B2 R D' U2 F2 R' F' L2 F' L2 B2"
"""Makes a cube of which two colours remain possible while `HIDDEN` are."""
HIDDEN = ("F8", "B8")
SLOW_RIG = "cubotino"
_STILL = "() => document.querySelector('.tb-cube').dataset.busy === 'false'"


@contextmanager
def opened(browser: Browser, rig: str = "") -> Iterator[tuple[PanelHost, Page]]:
    """Serve a panel, and control it from a page."""
    host = PanelHost(1.0, 100.0, rig)
    try:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(host.url)
        until(page, "() => document.documentElement.dataset.control === 'mine'")
        until(page, "() => window.thistlebot.view.machine.rig !== ''")
        yield host, page
    finally:
        host.close()


def take(page: Page, folder: Path, name: str, wait_ms: int = DRAWN_MS) -> None:
    """Write a picture of a page, once everything on it is still."""
    page.wait_for_timeout(wait_ms)
    page.screenshot(path=folder / f"{name}.png")


def documented(browser: Browser, folder: Path) -> None:
    """Take the pictures of the documentation, of a machine that has solved a few cubes."""
    with opened(browser) as (host, page):
        for command in ("solve", "put_in", "solve", "put_in", "solve", "put_in"):
            order(page, command)
            ended(page)
        order(page, "solve")
        until(page, "() => window.thistlebot.view.executed > 6")
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            for tab in TABS:
                page.goto(f"{host.url}?tab={tab}")
                if tab == "school":
                    page.wait_for_selector(".school-sheet")
                take(page, folder, f"{tab}-{size}")
            page.goto(f"{host.url}show")
            take(page, folder, f"show-{size}")


def run_states(host: PanelHost, page: Page, folder: Path, look: str) -> None:
    """Picture the page Run idle, turning, done, in doubt, and after both kinds of stops."""
    page.goto(host.url)
    until(page, "() => document.documentElement.dataset.control === 'mine'")
    order(page, "put_in")
    ended(page)
    take(page, folder, f"run-idle-{look}")
    order(page, "turn", moves="R U F2 L D' B " * 12)
    until(page, "() => window.thistlebot.view.executed > 9")
    take(page, folder, f"run-turning-{look}", 0)
    page.click("button.stop")
    ended(page)
    take(page, folder, f"run-stopped-{look}")
    order(page, "solve")
    ended(page)
    until(page, _STILL)
    take(page, folder, f"run-done-{look}", 2500)
    order(page, "turn", moves=DOUBTFUL)
    ended(page)
    host.wish(covered=HIDDEN)
    order(page, "solve")
    ended(page)
    take(page, folder, f"run-doubt-{look}")
    host.wish(covered=())
    order(page, "look")
    ended(page)
    order(page, "turn", moves="R U F2 L D' B " * 12)
    until(page, "() => window.thistlebot.view.executed > 5")
    host.wish(pressed=True)
    ended(page)
    take(page, folder, f"run-error-{look}")
    host.wish(pressed=False)
    for command in ("dismiss", "align"):
        page.wait_for_timeout(DRAWN_MS)
        page.evaluate("(command) => window.thistlebot.send({command})", command)
    page.wait_for_timeout(2 * DRAWN_MS)
    order(page, "solve")
    ended(page)


def other_states(host: PanelHost, page: Page, folder: Path, look: str) -> None:
    """Picture the pages By hand, History and Show in their states."""
    page.goto(f"{host.url}?tab=hand")
    take(page, folder, f"hand-idle-{look}")
    moves = HAND.split()
    for name, done in (("turning", 3), ("done", len(moves))):
        host.wish(hand=[moves, done])
        take(page, folder, f"hand-{name}-{look}", 3 * DRAWN_MS)
    host.wish(hand=None)
    page.goto(f"{host.url}?tab=history")
    take(page, folder, f"history-idle-{look}")
    solved = page.get_by_role("row").filter(has_text="verified")
    solved.first.locator(".run-link").click()
    page.locator(".replay .tb-cube").wait_for()
    page.get_by_role("button", name="Play", exact=True).click()
    take(page, folder, f"history-turning-{look}")
    page.goto(f"{host.url}show")
    take(page, folder, f"show-idle-{look}")
    page.locator(".show-lock").click()
    until(page, "() => document.documentElement.dataset.control === 'mine'")
    order(page, "scramble")
    until(page, "() => window.thistlebot.view.executed > 6")
    take(page, folder, f"show-turning-{look}", 0)
    ended(page)
    order(page, "solve", target="superflip")
    ended(page)
    until(page, _STILL)
    take(page, folder, f"show-pattern-{look}", 2500)
    order(page, "solve")
    ended(page)
    until(page, _STILL)
    take(page, folder, f"show-done-{look}", 2500)
    page.evaluate("() => window.thistlebot.give()")


def in_all_states(browser: Browser, folder: Path) -> None:
    """Take pictures of every page in every state."""
    looks = [(size, shade) for size in SIZES for shade in SHADES]

    def dress(page: Page, size: str, shade: str) -> str:
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme="dark" if shade == "dark" else "light")
        return f"{size}-{shade}"

    with opened(browser) as (host, page):
        for size, shade in looks:
            run_states(host, page, folder, dress(page, size, shade))
            other_states(host, page, folder, dress(page, size, shade))
    with opened(browser, SLOW_RIG) as (_, page):
        order(page, "solve")
        until(page, "() => window.thistlebot.view.look.glimpsed.filter(Boolean).length > 26")
        for size, shade in looks:
            take(page, folder, f"run-looking-{dress(page, size, shade)}", 300)


def main(folder: Path, *, states: bool) -> None:
    """Take pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with chromium() as browser:
        (in_all_states if states else documented)(browser, folder)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home:  # a history of its own
        os.environ["THISTLEBOT_DATA_DIR"] = home
        main(Path(sys.argv[-1]), states="--states" in sys.argv)
