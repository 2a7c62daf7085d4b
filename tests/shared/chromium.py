"""A real browser for tests: Debian's Chromium, driven by Playwright."""

import os
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
SCREENSHOTS = ROOT / "build" / "screenshots"
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")

PATIENCE_MS = 60_000  # a busy computer decides no test
SIZES = {"touch": (800, 480), "phone": (390, 844), "desk": (1280, 800)}
"""The 7-inch touch screen, a phone and a desktop, in CSS pixels."""


def chromium() -> str | None:
    return next((found for name in PROGRAMS if (found := shutil.which(name))), None)


@contextmanager
def started() -> Iterator[Browser]:
    """Start Chromium; it draws by software, alike on every machine."""
    sandbox = [] if os.name == "nt" or os.getuid() else ["--no-sandbox"]  # root has none
    expect.set_options(timeout=PATIENCE_MS)
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
    """Pages that a test has opened, and what went wrong on them.

    A tab is used again by later tests. Whoever changes it for good, as by `Page.add_init_script`,
    closes it.
    """

    browser: Browser
    wrong: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    _allowed: tuple[str, ...] = ("data:", "blob:")
    _opened: list[tuple[Page, str]] = field(default_factory=list)
    _free: dict[str, list[Page]] = field(default_factory=lambda: defaultdict(list))

    def open(
        self, url: str, size: str | tuple[int, int] = "desk", *, settle: bool = True, **media: Any
    ) -> Page:
        """Open a page in a profile that no other page has; wait until NiceGUI is ready."""
        width, height = SIZES[size] if isinstance(size, str) else size
        free = self._free[locale := media.pop("locale", "en-US")]
        page = free.pop() if free else self._new(self.browser.new_context(locale=locale))
        self._opened.append((page, locale))
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(**{"color_scheme": "light", "reduced_motion": "no-preference"} | media)
        return self._go(page, url, settle=settle)

    def tab(self, context: BrowserContext, url: str) -> Page:
        return self._go(self._new(context), url)

    def _new(self, context: BrowserContext) -> Page:
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", lambda said: said.type != "error" or self.wrong.append(said.text))
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("request", lambda sent: self._watch(sent.url))
        return page

    def _go(self, page: Page, url: str, *, settle: bool = True) -> Page:
        home = "/".join(url.split("/")[:3])
        self._allowed += (home, home.replace("http", "ws", 1))
        page.goto(url)
        if settle:
            page.wait_for_function("() => window.did_handshake === true")
        return page

    def _watch(self, url: str) -> None:
        if not url.startswith(self._allowed):
            self.foreign.append(url)

    def leave(self) -> list[str]:
        """Forget what the pages have stored, and return what went wrong on them."""
        wrong = self.wrong + self.foreign
        for page, locale in self._opened:
            try:
                page.evaluate(
                    "() => [localStorage, sessionStorage].forEach((each) => each.clear())"
                )
                for tab in page.context.pages[1:]:
                    tab.close()
                page.goto("about:blank")
                page.mouse.move(0, 0)
                page.context.clear_cookies()
                self._free[locale].append(page)
            except Error:  # it was closed, or can store nothing
                page.context.close()
        for each in (self.wrong, self.foreign, self._opened):
            each.clear()
        self._allowed = Visit._allowed
        return wrong


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


def until(page: Page, condition: Callable[[], bool], timeout_s: float = 10) -> None:
    """Let the page live until something is true here."""
    for _ in range(int(timeout_s / 0.02)):
        if condition():
            return
        page.wait_for_timeout(20)
    raise AssertionError("waited in vain")


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
