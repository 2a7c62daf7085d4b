"""The states of the panel's pages, and how a virtual machine gets into each of them."""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from playwright.sync_api import Browser, Page

from benchmarks.panel.album import Album
from benchmarks.panel.connected import PanelHost, ended, order, until
from benchmarks.panel.host import NO_BOARD, NOTHING

DOUBTFUL = "D' B D2 F' R U L2 B2 R D' U2 F2 R' F' L2 F' L2 B2"
"""Makes a cube of which two colours remain possible while `HIDDEN` are."""
HIDDEN = ("F8", "B8")
LONG = "R U F2 L D' B " * 12
_SOON_OVER = 30
SLOW_RIG = "cubotino"
_STILL = "() => document.querySelector('.tb-cube').dataset.busy === 'false'"
_PRAISED_MS = 2500
_HAND = "window.thistlebot?.view?.panes.hand"
_ASSISTANT = "window.thistlebot?.view?.panes.assistant"
_CALIBRATE = "window.thistlebot?.view?.panes.calibrate"


@contextmanager
def opened(
    browser: Browser, rig: str = "", locale: str = "en-US"
) -> Iterator[tuple[PanelHost, Page]]:
    """Serve a panel, and control it from a page.

    Args:
        browser: The browser.
        rig: See `benchmarks.panel.host.main`.
        locale: The browser's language.
    """
    with tempfile.TemporaryDirectory() as home:  # where nothing was set up
        for name in ("CONFIG", "DATA", "STATE"):
            os.environ[f"THISTLEBOT_{name}_DIR"] = f"{home}/{name.lower()}"
        host = PanelHost(1.0, 100.0, rig)
        try:
            page = browser.new_page(viewport={"width": 1280, "height": 800}, locale=locale)
            page.goto(host.url)
            until(page, "() => document.documentElement.dataset.control === 'mine'")
            if rig not in (NO_BOARD, NOTHING):
                until(page, "() => window.thistlebot.view.machine.rig !== ''")
            yield host, page
        finally:
            host.close()


def _send(page: Page, command: str, reached: str, **fields: object) -> None:
    """Send a command that begins no run, until a condition in JavaScript holds."""
    page.evaluate("(order) => window.thistlebot.send(order)", {"command": command} | fields)
    until(page, f"() => {reached}")


def _go(host: PanelHost, page: Page, tab: str, card: str = "") -> None:
    page.goto(f"{host.url}?tab={tab}&card={card}")
    until(page, "() => document.documentElement.dataset.control === 'mine'")


def _turn(page: Page) -> None:
    """Have the machine turn for two seconds or more."""
    if page.evaluate("() => window.thistlebot.view.executed") > _SOON_OVER:
        ended(page)
    if not page.evaluate("() => window.thistlebot.view.job"):
        order(page, "turn", moves=LONG)
    until(page, "() => window.thistlebot.view.executed > 5")


def _stop(page: Page) -> None:
    """Stop the machine in the middle of turns."""
    ended(page)
    _turn(page)
    page.click("button.stop")
    ended(page)


def run_states(host: PanelHost, page: Page, album: Album) -> None:
    """Picture the page Run idle, turning, done, in doubt, and after both kinds of stops."""
    _go(host, page, "run")
    order(page, "put_in")
    ended(page)
    album.add(page, "run-idle")
    page.locator(".actions .q-btn", has_text="grid_view").click()
    album.add(page, "run-patterns")
    page.keyboard.press("Escape")
    page.locator(".panel-header .q-btn", has_text="help_outline").click()
    album.add(page, "run-help")
    page.keyboard.press("Escape")
    album.add(page, "run-turning", partial(_turn, page), 100)
    _stop(page)
    album.add(page, "run-stopped")
    order(page, "solve")
    ended(page)
    until(page, _STILL)
    album.add(page, "run-done", wait_ms=_PRAISED_MS)
    order(page, "turn", moves=DOUBTFUL)
    ended(page)
    host.wish(covered=HIDDEN)
    order(page, "solve")
    ended(page)
    album.add(page, "run-doubt")
    host.wish(covered=())
    order(page, "look")
    ended(page)
    _turn(page)
    host.wish(pressed=True)
    ended(page)
    album.add(page, "run-error")
    host.wish(pressed=False)
    for command in ("dismiss", "align"):
        page.wait_for_timeout(_PRAISED_MS)
        page.evaluate("(command) => window.thistlebot.send({command})", command)
    page.wait_for_timeout(_PRAISED_MS)
    order(page, "solve")
    ended(page)


def hand_states(host: PanelHost, page: Page, album: Album) -> None:
    """Picture the page By hand: before, while faces are shown, in doubt, turning, and done."""
    _go(host, page, "hand")
    album.add(page, "hand-idle")
    host.wish(faces=2)
    page.locator(".hand-begin").click()
    until(page, f"() => {_HAND}?.captured.length === 2")
    album.add(page, "hand-looking")
    host.wish(faces=6, turned="U D")
    until(page, f"() => {_HAND}?.attention")
    album.add(page, "hand-doubt")
    host.wish(turned="")
    _send(page, "hand_redo", f"{_HAND}?.phase === 'turn'")
    for done in range(1, 4):
        _send(page, "hand_next", f"{_HAND}?.way.done >= {done}")
    album.add(page, "hand-turning")
    moves = page.evaluate(f"() => {_HAND}?.way.moves.length")
    for done in range(4, moves + 1):
        _send(page, "hand_next", f"{_HAND}?.way.done >= {done}")
    album.add(page, "hand-done", wait_ms=_PRAISED_MS)
    _send(page, "hand_end", "window.thistlebot.view.job === ''")


def calibrate_states(host: PanelHost, page: Page, album: Album) -> None:
    """Picture the cards of the page Calibrate."""
    _go(host, page, "calibrate", "colours")
    album.add(page, "calibrate-colours-idle")
    order(page, "measure_colours")
    ended(page)
    album.add(page, "calibrate-colours-done")
    _send(page, "save_colours", f"{_CALIBRATE}.profiles.length", profile="Town hall")
    _go(host, page, "calibrate", "views")
    _send(page, "open_view", f"{_CALIBRATE}.points.camera === 0", camera=0)
    album.add(page, "calibrate-views")
    _go(host, page, "calibrate", "motors")
    album.add(page, "calibrate-motors-idle")
    order(page, "measure_motors", faces="F")
    ended(page)
    album.add(page, "calibrate-motors-done")
    _go(host, page, "calibrate", "profiles")
    album.add(page, "calibrate-venues")


def history_states(host: PanelHost, page: Page, album: Album) -> None:
    """Picture the list of runs, and a run that is shown again."""
    _go(host, page, "history")
    for command in ("put_in", "solve") * 6:
        order(page, command)
        ended(page)
    page.reload()
    page.locator(".run-link").first.wait_for()
    album.add(page, "history-idle")
    page.locator(".run-link").first.click()
    page.locator(".replay-speed").select_option("0.25")
    page.locator(".replay-button").nth(2).click()  # plays
    album.add(page, "history-turning", wait_ms=300)


def school_states(host: PanelHost, page: Page, album: Album) -> None:
    """Picture the cards of the page School, with answers."""
    _go(host, page, "school", "lessons")
    page.locator(".school-sheet").first.wait_for()
    album.add(page, "school-lessons")
    page.locator("[data-lesson=theorem]").click()
    page.locator(".school-question").first.wait_for()
    album.add(page, "school-lesson")
    answers = {"learn": ".school-film", "word": "pre", "puzzles": ".school-film"}
    for card, answer in answers.items():
        _go(host, page, "school", card)
        page.wait_for_timeout(_PRAISED_MS)
        page.locator(".school-fields > .q-btn").click()
        page.locator(answer).wait_for()
        album.add(page, f"school-{card}", wait_ms=_PRAISED_MS)
    _go(host, page, "school", "word")
    page.locator(".school-fields input").first.fill("R Q")
    page.locator(".school-fields > .q-btn").click()
    page.locator(".verdict.bad").wait_for()
    album.add(page, "school-error")


def show_states(host: PanelHost, page: Page, album: Album) -> None:
    """Picture the page Show."""
    page.goto(f"{host.url}show")
    album.add(page, "show-idle")
    page.locator(".show-lock").click()
    until(page, "() => document.documentElement.dataset.control === 'mine'")
    album.add(page, "show-turning", partial(_turn, page), 100)
    _stop(page)
    album.add(page, "show-stopped")
    for name, fields in (("pattern", {"target": "superflip"}), ("done", {})):
        order(page, "solve", **fields)
        ended(page)
        until(page, _STILL)
        album.add(page, f"show-{name}", wait_ms=_PRAISED_MS)
    page.evaluate("() => window.thistlebot.give()")


def looking_states(_: PanelHost, page: Page, album: Album) -> None:
    """Picture a rig that turns the cube to look at it."""

    def look() -> None:
        if page.evaluate("() => window.thistlebot.view.job"):
            page.click("button.stop")
            ended(page)
        order(page, "look")
        seen = "window.thistlebot.view.look.glimpsed.filter(Boolean).length"
        until(page, f"() => {seen} > 17 && {seen} < 54")

    album.add(page, "run-looking", look, 200)


def boardless_states(host: PanelHost, page: Page, album: Album) -> None:
    """Picture the pages of a machine whose board is unplugged."""
    page.wait_for_timeout(_PRAISED_MS)
    album.add(page, "run-no-board")
    for tab, card in (("calibrate", "motors"), ("history", "")):
        _go(host, page, tab, card)
        album.add(page, f"{tab}-no-board")
    page.goto(f"{host.url}show")
    album.add(page, "show-no-board")
    _go(host, page, "assistant")
    _send(page, "go_to_step", f"{_ASSISTANT}.step === 'devices'", step="devices")
    album.add(page, "assistant-no-board")


def assistant_states(_: PanelHost, page: Page, album: Album) -> None:
    """Picture the first steps on a computer where nothing was set up."""
    page.locator(".rig-card").first.wait_for()
    album.add(page, "assistant-rig")
    _send(page, "choose_rig", f"{_ASSISTANT}.step === 'devices'", rig="three", virtual=True)
    until(page, "() => document.querySelectorAll('.verdict.good').length === 2")
    album.add(page, "assistant-devices")
    for step in ("directions", "views", "solve", "done"):
        _send(page, "go_to_step", f"{_ASSISTANT}.step === '{step}'", step=step)
        if step == "directions":
            page.locator(".answers .order").first.click()
            until(page, f"() => {_ASSISTANT}.tried && !window.thistlebot.view.job")
        elif step == "solve":
            order(page, "solve")
            ended(page)
        album.add(page, f"assistant-{step}")


SCENES: tuple[tuple[str, tuple[Callable[[PanelHost, Page, Album], None], ...]], ...] = (
    ("", (run_states, hand_states, calibrate_states, history_states, school_states, show_states)),
    (SLOW_RIG, (looking_states,)),
    (NO_BOARD, (boardless_states,)),
    (NOTHING, (assistant_states,)),
)
"""For each machine, as `benchmarks.panel.host` names it, what is pictured on it, in order."""


def in_all_states(browser: Browser, album: Album, only: str = "", locale: str = "en-US") -> None:
    """Picture every page in every state.

    Args:
        browser: The browser.
        album: Takes the pictures.
        only: A part of a scene's name, to picture only these scenes.
        locale: The browser's language.
    """
    for rig, scenes in SCENES:
        chosen = [each for each in scenes if only in each.__name__]
        if chosen:
            with opened(browser, rig, locale) as (host, page):
                for scene in chosen:
                    scene(host, page, album)
