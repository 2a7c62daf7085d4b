"""A real browser for tests: Debian's Chromium, driven by Playwright."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Error, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
SCREENSHOTS = ROOT / "build" / "screenshots"
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")

SIZES = {"touch": (800, 480), "phone": (390, 844), "desk": (1280, 800)}
"""The 7-inch touch screen, a phone and a desktop, in CSS pixels."""


def chromium() -> str | None:
    """Find the browser's program."""
    return next((found for name in PROGRAMS if (found := shutil.which(name))), None)


@contextmanager
def started() -> Iterator[Browser]:
    """Start Chromium; it draws by software, alike on every machine."""
    sandbox = [] if os.name == "nt" or os.getuid() else ["--no-sandbox"]  # root has none
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium(), args=[*sandbox, "--force-color-profile=srgb"]
        )
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Visit:
    """Pages that one test has opened, and what went wrong on them."""

    browser: Browser
    wrong: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    _contexts: list[BrowserContext] = field(default_factory=list)

    def open(
        self, url: str, size: str | tuple[int, int] = "desk", *, settle: bool = True, **options: Any
    ) -> Page:
        """Open a page in a browser profile of its own.

        Args:
            url: Its address.
            size: One of `SIZES`, or width and height.
            settle: Wait until NiceGUI's socket has shaken hands.
            options: As of `Browser.new_context`, such as ``color_scheme="dark"``.
        """
        width, height = SIZES[size] if isinstance(size, str) else size
        context = self.browser.new_context(viewport={"width": width, "height": height}, **options)
        self._contexts.append(context)
        return self.tab(context, url, settle=settle)

    def tab(self, context: BrowserContext, url: str, *, settle: bool = True) -> Page:
        """Open one more page in a profile."""
        page = context.new_page()
        home = "/".join(url.split("/")[:3])
        allowed = (home, home.replace("http", "ws", 1), "data:", "blob:")
        page.on("console", lambda said: self._hear(said.type, said.text))
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("request", lambda sent: self._watch(sent.url, allowed))
        page.goto(url)
        if settle:
            page.wait_for_function("() => window.did_handshake === true")
        return page

    def _hear(self, kind: str, text: str) -> None:
        if kind == "error":
            self.wrong.append(text)

    def _watch(self, url: str, allowed: tuple[str, ...]) -> None:
        if not url.startswith(allowed):
            self.foreign.append(url)

    def close(self) -> None:
        for context in self._contexts:
            context.close()


def shoot(page: Page, name: str) -> Path:
    """Keep a picture of a page in build/screenshots."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    path = SCREENSHOTS / f"{name}.png"
    for _ in range(3):
        try:
            page.screenshot(path=path)
        except Error:  # a browser that is short of processor time gives up at times
            continue
        return path
    raise AssertionError(f"no picture of {page.url}")


def barriers(page: Page, within: str | None = None) -> list[str]:
    """Run axe-core in a page; return its serious and critical findings.

    Args:
        page: The page, as it is now.
        within: A CSS selector, to judge a part of the page.
    """
    found = Axe().run(page, context=within).response["violations"]
    return [
        f"{each['id']}: {node['html']} ({node['failureSummary']})"
        for each in found
        if each["impact"] in {"serious", "critical"}
        for node in each["nodes"]
    ]


def until(page: Page, condition: Callable[[], bool], timeout_s: float = 10) -> None:
    """Let the page live until something is true here.

    Raises:
        AssertionError: It was not, in that time.
    """
    for _ in range(int(timeout_s / 0.02)):
        if condition():
            return
        page.wait_for_timeout(20)
    raise AssertionError("waited in vain")
