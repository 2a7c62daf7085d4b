"""Measures whether every turn is seen: `python -m benchmarks.panel.turning`.

A browser shows a solve on the pages Run, By hand and History and in an exported lesson, while the
virtual machine solves a cube on the same computer. Every turn must be shown as a rotation of at
least six frames, and the cube must end in the right state, also with a processor that is four times
slower (``--slow``). At full speed, 95 % of the frames must come within two frames of the screen.
"""

import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

from playwright.sync_api import Page

from benchmarks.panel.connected import PanelHost, chromium, ended, order, p95, until
from benchmarks.report import Given, Report, Row, Rows, Tenths, parser_of, run
from cube.moves import MoveSequence
from cube.state import SOLVED
from solver.tables import TableStore
from teaching.films.lesson_film import lesson_film
from teaching.films.player import html_film
from teaching.methods.catalogue import load_method
from teaching.methods.method import walk
from thistlebot.config import Folders

FRAMES, FRAME_MS = 6, 33.5
SCRAMBLE = "D F' R2 B2 R U' D2 F2 L2 U' F2 L D' L B' F' R D'"
HAND = "R U2 F' L D B2 R' U F D'"
_RECORD = """() => {
  window.turns = []; window.frames = [];
  const cube = [...document.querySelectorAll('.tb-cube')].find((each) => each.checkVisibility());
  cube.addEventListener('thistlebot:turned', ({detail}) => window.turns.push(detail));
  let [last, turning] = [0, false];
  const frame = (now) => {
    const moves = cube.twisty.queued || !Number.isInteger(cube.twisty.at);
    if (moves && turning) window.frames.push(now - last);
    [last, turning] = [now, moves];
    requestAnimationFrame(frame); };
  requestAnimationFrame(frame); }"""


class TurnsRow(Row):
    """The turns of a solve on one page.

    Attributes:
        page: The page.
        slowed: How many times slower the browser's processor is.
        turns: Turns made.
        shown: Turns shown as rotations, in the right order.
        fewest: Frames of the quickest one.
        frame_ms: 95th percentile of the time between two frames while a layer turns.
        ends_right: Whether the last state is right.
        met: Whether all goals are met.
    """

    page: Annotated[str, "<10"]
    slowed: int
    turns: int
    shown: int
    fewest: int
    frame_ms: Tenths
    ends_right: bool
    met: bool = True


Judged = tuple[str, Sequence[str], str | None]


def judged(page: Page, slowed: int, shown_on: Judged) -> TurnsRow:
    """Compare the shown turns with the real ones.

    Args:
        page: The page, at rest.
        slowed: How many times slower its processor is.
        shown_on: Its name; the turns made; and the state at the end, None if it shows no letters.
    """
    name, moves, facelets = shown_on
    shown = page.evaluate("() => window.turns")
    frames_ms = page.evaluate("() => window.frames") or [0.0]
    names = " ".join(each["turn"] for each in shown).split()
    right = sum(one == other for one, other in zip(names, moves, strict=False))
    fewest = min((each["frames"] for each in shown), default=0)
    end = page.evaluate(
        "() => [...document.querySelectorAll('.tb-cube')]"
        ".find((each) => each.checkVisibility()).dataset.facelets"
    )
    ends_right = facelets is None or end == facelets
    slow_ms = p95(frames_ms)
    quick = slowed > 1 or slow_ms <= FRAME_MS
    met = names == list(moves) and fewest >= FRAMES and quick and ends_right
    return TurnsRow(name, slowed, len(moves), right, fewest, slow_ms, ends_right, met)


def on_run(page: Page, _: PanelHost) -> Judged:
    """Solve a cube on the page Run."""
    order(page, "scramble")
    ended(page)
    until(page, "() => document.querySelector('.run-cube .tb-cube').dataset.busy === 'false'")
    page.evaluate(_RECORD)
    order(page, "solve")
    ended(page)
    until(page, "() => document.querySelector('.run-cube .tb-cube').dataset.busy === 'false'")
    moves = page.evaluate("() => window.thistlebot.view.plan.moves")
    return ("Run", moves, SOLVED.to_facelets().text)


def by_hand(page: Page, host: PanelHost) -> Judged:
    """Make turns on the page By hand, while the machine solves."""
    moves = HAND.split()
    host.wish(hand=[moves, 0])
    page.goto(f"{host.url}?tab=hand")
    until(page, "() => document.querySelector('.hand-cube .tb-cube')?.checkVisibility()")
    until(page, "() => document.documentElement.dataset.control === 'mine'")
    page.wait_for_timeout(1000)
    order(page, "put_in")
    ended(page)
    page.evaluate(_RECORD)
    order(page, "solve")
    for done in range(1, len(moves) + 1):
        host.wish(hand=[moves, done])
        until(page, f"() => window.turns.length >= {done}")
    ended(page)
    return ("By hand", moves, SOLVED.to_facelets().text)


def in_history(page: Page, host: PanelHost) -> Judged:
    """Replay a solve on the page History, while the machine solves."""
    page.goto(f"{host.url}?tab=history")
    solves = page.get_by_role("row").filter(has_text="verified")
    while not page.locator(".replay .tb-cube").count():  # the list is loaded again at times
        solves.first.locator(".run-link").click()
        page.wait_for_timeout(2000)
    until(page, "() => document.documentElement.dataset.control === 'mine'")
    order(page, "put_in")
    ended(page)
    page.evaluate(_RECORD)
    page.get_by_role("button", name="Play", exact=True).click()
    order(page, "solve")
    moves = page.locator(".replay .move-tap").all_inner_texts()
    until(page, f"() => window.turns.length >= {len(moves)}", 180)
    ended(page)
    return ("History", moves, SOLVED.to_facelets().text)


def in_lesson(page: Page, _: PanelHost) -> Judged:
    """Play an exported lesson, while the machine solves."""
    store = TableStore(Folders.of_platform().cache)
    made = walk(load_method("thistlethwaite", store), SOLVED.apply(MoveSequence.parse(SCRAMBLE)))
    moves = [str(move) for step in made.steps for move in step.moves]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "lesson.html"
        file.write_text(html_film(lesson_film(made, "Four stages")), encoding="utf-8")
        page.goto(file.as_uri())
        page.evaluate(_RECORD)
        page.get_by_role("button", name="Play").click()
        until(page, f"() => window.turns.length >= {len(moves)}", 180)
    page.wait_for_timeout(200)
    return ("lesson", moves, None)


def measure(given: Given, _: Report) -> Rows:
    """Open each page in a slow browser, and count the frames of each turn."""
    pages: tuple[Callable[[Page, PanelHost], Judged], ...] = (
        on_run,
        in_history,
        by_hand,
        in_lesson,
    )
    host = PanelHost(1.0, 100.0)
    try:
        with chromium() as browser:
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.goto(host.url)
            until(page, "() => document.documentElement.dataset.control === 'mine'")
            until(page, "() => window.thistlebot.view.tables === null", 900)
            until(page, "() => window.thistlebot.view.cube.facelets")
            session = page.context.new_cdp_session(page)
            for slowed in (1, given.slow):
                page.goto(host.url)
                until(page, "() => document.documentElement.dataset.control === 'mine'")
                session.send("Emulation.setCPUThrottlingRate", {"rate": slowed})
                for show in pages:
                    yield judged(page, slowed, show(page, host))
    finally:
        host.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home:  # a history of its own
        os.environ["THISTLEBOT_DATA_DIR"] = home
        run(parser_of(__doc__, slow=4), measure)
