"""A real browser for tests: Debian's Chromium, driven by Playwright."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    Request,
    sync_playwright,
)

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


Profiles = dict[tuple[tuple[str, Any], ...], list[Page]]
"""Tabs that no test uses now, each in a browser profile of its own, by the options of that."""


@dataclass
class Visit:
    """Pages that one test has opened, and what went wrong on them.

    A tab is used again by later tests, with nothing left in it but what the browser has loaded and
    compiled. Whoever changes it for good, as by `Page.add_init_script`, closes it.
    """

    browser: Browser
    free: Profiles = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    _opened: list[tuple[Page, dict[str, Any]]] = field(default_factory=list)
    _allowed: tuple[str, ...] = ("data:", "blob:")

    def open(
        self, url: str, size: str | tuple[int, int] = "desk", *, settle: bool = True, **options: Any
    ) -> Page:
        """Open a page in a browser profile that no other page of this test has.

        Args:
            url: Its address.
            size: One of `SIZES`, or width and height.
            settle: Wait until NiceGUI's socket has shaken hands.
            options: As of `Browser.new_context`, such as ``color_scheme="dark"``.
        """
        width, height = SIZES[size] if isinstance(size, str) else size
        free = self.free.setdefault(tuple(options.items()), [])
        page = free.pop() if free else self.browser.new_context(**options).new_page()
        self._opened.append((page, options))
        page.set_viewport_size({"width": width, "height": height})
        return self._go(page, url, settle=settle)

    def tab(self, context: BrowserContext, url: str, *, settle: bool = True) -> Page:
        """Open one more page in a profile."""
        return self._go(context.new_page(), url, settle=settle)

    def _go(self, page: Page, url: str, *, settle: bool) -> Page:
        home = "/".join(url.split("/")[:3])
        self._allowed += (home, home.replace("http", "ws", 1))
        page.on("console", self._hear)
        page.on("pageerror", self._fail)
        page.on("request", self._watch)
        page.goto(url)
        if settle:
            page.wait_for_function("() => window.did_handshake === true")
        return page

    def _hear(self, said: ConsoleMessage) -> None:
        if said.type == "error":
            self.wrong.append(said.text)

    def _fail(self, error: Error) -> None:
        self.wrong.append(str(error))

    def _watch(self, sent: Request) -> None:
        if not sent.url.startswith(self._allowed):
            self.foreign.append(sent.url)

    @property
    def pages(self) -> list[Page]:
        """What is open."""
        return [tab for page, _ in self._opened for tab in page.context.pages]

    def close(self) -> None:
        """Leave the pages; what they have stored is forgotten."""
        for page, options in self._opened:
            context = page.context
            try:
                page.evaluate(
                    "() => [localStorage, sessionStorage].forEach((each) => each.clear())"
                )
                for tab in context.pages:
                    tab.close() if tab is not page else self._leave(page, options)
            except Error:  # it was closed, or can store nothing
                context.close()
            else:
                self.free[tuple(options.items())].append(page)

    def _leave(self, page: Page, options: dict[str, Any]) -> None:
        page.remove_listener("console", self._hear)
        page.remove_listener("pageerror", self._fail)
        page.remove_listener("request", self._watch)
        page.goto("about:blank")
        page.mouse.move(0, 0)
        page.emulate_media(color_scheme=options.get("color_scheme", "light"))
        page.context.clear_cookies()


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
