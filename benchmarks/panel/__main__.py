"""Measures the panel in a real browser: `python -m benchmarks.panel`.

Needs the extra `dev` and Chromium. With ``--solves N``, that many cubes are solved with a browser
connected, and memory, threads, files and DOM nodes are measured instead; ``--hurry`` runs the
virtual machine faster than real time, and ``--camera`` watches a camera. ``--strangers`` connects
hostile clients (`benchmarks.panel.strangers`), and measures whether STOP and turns are delayed.
``--programs`` does the same with programs that use the HTTP interface.
"""

import contextlib
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator

import httpx
from playwright.sync_api import CDPSession, Page

from benchmarks.panel.connected import LONG, PanelHost, chromium, ended, order, p95, until
from benchmarks.report import Figure, Given, Report, Row, Rows, Tenths, parser_of, run

FRAMES_S = 20.0
IDLE_S = 20.0
"""Time for measuring the load of an idle panel."""
TABS = 10
GUESTS_S = 3.0
"""Time after which all clients are active; there is no condition to wait for."""
SETTLE_MS = 400
TURNINGS = 3
_NOTE_TURNS = """() => {
  window.seen = [];
  const cube = document.querySelector('.run-cube [data-facelets]');
  new MutationObserver(() => {
    const {run, executed} = window.thistlebot.view;
    requestAnimationFrame(() => {
      window.seen.push([run, executed, (performance.timeOrigin + performance.now()) / 1000]);
    });
  }).observe(cube, {attributes: true, attributeFilter: ['data-goal']});
}"""
_NOTE_STOP = """() => {
  const button = document.querySelector('button.stop');
  const note = () => window.stopped = (performance.timeOrigin + performance.now()) / 1000;
  button.addEventListener('pointerdown', note, {capture: true, once: true});
}"""


def summary(what: str, times_s: list[float]) -> Rows:
    """Summarise times."""
    told = f"{what}, {len(times_s)} times"
    yield Figure(f"{told}: median", round(1000 * statistics.median(times_s), 1), "ms")
    yield Figure.at_most(f"{told}: 95th percentile", 1000 * p95(times_s), 100, "ms", 1)
    yield Figure(f"{told}: most", round(1000 * max(times_s), 1), "ms")


def measure_stops(page: Page, host: PanelHost, count: int) -> list[float]:
    """Press STOP in the middle of turns; return the times until the ABORT on the wire."""
    times = []
    for number in range(count):
        order(page, "turn", moves=LONG)
        until(page, f"() => window.thistlebot.view.executed >= {1 + number % 8}")
        page.evaluate(_NOTE_STOP)
        host.drain()
        page.click("button.stop")
        at_s = host.wait("abort", 5.0)["at_s"]
        times.append(at_s - page.evaluate("() => window.stopped"))
        ended(page)
        page.wait_for_timeout(SETTLE_MS)
    return times


def measure_events(page: Page, host: PanelHost, count: int) -> list[float]:
    """Solve cubes; return the times from a turn's event to the start of its animation.

    The picture counts as shown when the browser draws after the cube received the event.
    """
    page.evaluate(_NOTE_TURNS)
    host.records.clear()
    for number in range(count):
        order(page, "scramble" if number % 2 else "solve")
        ended(page)
    page.wait_for_timeout(SETTLE_MS)
    host.drain()
    told = {
        (each["run"], each["done"]): each["at_s"]
        for each in host.records
        if each["told"] == "turned"
    }
    times = []
    for number, executed, seen_s in page.evaluate("() => window.seen"):
        before = told.get((number, executed))
        if before is not None:
            times.append(seen_s - before)
    return times


def measure_frames(page: Page) -> float:
    """Return the number of camera frames per second during solves."""
    frames = "() => Number(document.querySelector('.tb-camera').dataset.frames)"
    began_s, first = time.monotonic(), page.evaluate(frames)
    while time.monotonic() - began_s < FRAMES_S:
        order(page, "scramble")
        ended(page)
        order(page, "solve")
        ended(page)
    return float((page.evaluate(frames) - first) / (time.monotonic() - began_s))


def measure_idle(host: PanelHost) -> float:
    """Return the share of a core that the server takes while idle."""
    before = host.cpu_s()
    time.sleep(IDLE_S)
    return (host.cpu_s() - before) / IDLE_S


@contextlib.contextmanager
def strangers(host: PanelHost) -> Iterator[None]:
    """Connect hostile clients."""
    guests = subprocess.Popen([sys.executable, "-m", "benchmarks.panel.strangers", host.url])
    try:
        time.sleep(GUESTS_S)
        yield
    finally:
        guests.kill()
        guests.wait()


@contextlib.contextmanager
def tabs(page: Page, url: str) -> Iterator[None]:
    """Open the panel in more tabs, each with its own profile, and show the first one again."""
    browser = page.context.browser
    assert browser is not None
    others = [browser.new_page() for _ in range(TABS)]
    for each in others:
        each.goto(url)
        until(each, "() => window.thistlebot?.view")
        each.evaluate("() => window.thistlebot.give()")  # taken while the first tab was too slow
    page.evaluate("() => window.thistlebot.take()")
    page.bring_to_front()
    yield
    for each in others:
        each.close()


def stops_by_request(page: Page, host: PanelHost, count: int) -> list[float]:
    """Stop turns by ``POST /stop`` from a program; return the times until the ABORT on the wire."""
    times = []
    with httpx.Client(timeout=30) as client:
        for number in range(count):
            host.drain()
            order(page, "turn", moves=LONG * 4)  # still turning when a late page has noticed it
            while host.wait("turned")["done"] <= number % 8:
                pass  # read from the host: a page beside ten others may receive it too late
            asked_s = time.time()
            client.post(f"{host.url}stop")
            times.append(host.wait("abort", 30.0)["at_s"] - asked_s)
            ended(page)
            page.wait_for_timeout(SETTLE_MS)
    return times


def turning_s(page: Page, host: PanelHost) -> float:
    """Return the duration of a sequence of moves."""
    host.drain()
    host.records.clear()
    order(page, "turn", moves=LONG)
    ended(page)
    page.wait_for_timeout(SETTLE_MS)
    host.drain()
    told = [each["at_s"] for each in host.records if each["told"] == "turned"]
    return float(told[-1] - told[0])


def among_strangers(page: Page, host: PanelHost, given: Given) -> Rows:
    """Measure whether hostile clients delay STOP or turns, and their after-effects."""
    quiet_s, before_mb = turning_s(page, host), host.sizes()[0]
    with strangers(host):
        yield from summary(
            "STOP by request, among strangers", stops_by_request(page, host, given.stops)
        )
        slower = 100 * (turning_s(page, host) / quiet_s - 1)
        yield Figure.at_most("turns are slower by", slower, 2, "%", 1)
        with tabs(page, host.url):  # drawn by the same processors
            yield from summary(
                f"STOP by request, and {TABS} tabs", stops_by_request(page, host, given.stops)
            )
        yield Figure("resident memory meanwhile", host.sizes()[0], "MB")
    time.sleep(IDLE_S)
    more = 100 * (host.sizes()[0] / before_mb - 1)
    yield Figure.at_most(f"more than {before_mb:.0f} MB is kept afterwards", more, 10, "%", 1)


def among_programs(page: Page, host: PanelHost, given: Given) -> Rows:
    """Measure whether programs delay turns or STOP, and their waiting times."""
    quiet_s = [turning_s(page, host) for _ in range(TURNINGS)]
    command = [sys.executable, "-m", "benchmarks.panel.programs", host.url]
    programs = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        time.sleep(GUESTS_S)
        yield from summary("STOP by request", stops_by_request(page, host, given.stops))
        beside_s = [turning_s(page, host) for _ in range(TURNINGS)]
    finally:
        programs.terminate()
        said, _ = programs.communicate()
    slower = 100 * (statistics.median(beside_s) / statistics.median(quiet_s) - 1)
    yield Figure.at_most("turns are slower by", slower, 2, "%", 1)
    yield from summary("an answer", json.loads(said))


class SizesRow(Row):
    """The size of the server and the page after a number of solves."""

    solves: int
    verified: int
    resident_mb: Tenths
    threads: int
    files: int
    dom_nodes: int
    listeners: int
    heap_mb: Tenths


class UnverifiedRow(Row):
    """A solve whose cube was not seen solved."""

    solve: int
    why: str


def nodes(session: CDPSession) -> tuple[int, int, float]:
    """Return the page's nodes and listeners and MB in the browser."""
    session.send("HeapProfiler.collectGarbage")
    told = session.send("Performance.getMetrics")["metrics"]
    found = {each["name"]: each["value"] for each in told}
    heap_mb = round(found["JSHeapUsedSize"] / 2**20, 1)
    return int(found["Nodes"]), int(found["JSEventListeners"]), heap_mb


def solve_many(page: Page, host: PanelHost, solves: int) -> Rows:
    """Solve cubes one after the other, and report the sizes from time to time."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    verified = 0
    for number in range(solves + 1):
        if number % max(1, solves // 20) == 0:
            yield SizesRow(number, verified, *host.sizes(), *nodes(session))
        order(page, "put_in")
        ended(page)
        order(page, "solve")
        ended(page)
        if page.evaluate("() => window.thistlebot.view.verified"):
            verified += 1
        else:
            yield UnverifiedRow(
                number, str(page.evaluate("() => window.thistlebot.view.attention"))
            )


def figures(page: Page, host: PanelHost, given: Given) -> Rows:
    """Measure the speed and the costs of the panel."""
    until(page, "() => window.thistlebot.view.tables === null", 900)
    yield from summary("event to screen", measure_events(page, host, given.cubes))
    yield from summary("STOP to wire", measure_stops(page, host, given.stops))
    yield Figure.at_least("camera frames a second beside solves", measure_frames(page), 15, "", 1)
    yield Figure("share of a core, idle, with a live camera", round(measure_idle(host), 3))
    page.goto("about:blank")
    yield Figure.at_most("share of a core, idle, no page open", measure_idle(host), 0.03, "", 4)
    for name, size in zip(("resident memory, MB", "threads", "files"), host.sizes(), strict=True):
        yield Figure(name, size)


def measure(given: Given, _: Report) -> Rows:
    """Open the panel in a browser, and measure."""
    host = PanelHost(given.hurry, given.budget_ms)
    try:
        with chromium() as browser:
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            network, loaded = page.context.new_cdp_session(page), [0]
            ended = "Network.loadingFinished"
            network.on(ended, lambda told: loaded.append(told["encodedDataLength"]))
            network.send("Network.enable")
            began_s = time.monotonic()
            page.goto(host.url)
            until(page, "() => document.querySelector('.solve') && window.thistlebot?.view")
            first_s = time.monotonic() - began_s
            until(page, "() => document.documentElement.dataset.control === 'mine'")
            until(page, "() => window.thistlebot.view.cube.facelets")
            page.wait_for_timeout(1000)
            if given.solves:
                if not given.camera:  # rendering its pictures would take most of the time
                    page.evaluate("() => document.querySelector('.run-camera').remove()")
                yield from solve_many(page, host, given.solves)
            elif given.programs:
                until(page, "() => window.thistlebot.view.tables === null", 900)
                yield from among_programs(page, host, given)
            elif given.strangers:
                until(page, "() => window.thistlebot.view.tables === null", 900)
                yield from among_strangers(page, host, given)
            else:
                yield Figure.at_most("the first page", first_s, 2, "s", 2)
                yield Figure.at_most("its size, as sent", sum(loaded) / 1000, 1300, "kB", 0)
                yield from figures(page, host, given)
    finally:
        host.close()


if __name__ == "__main__":
    sizes = {"stops": 40, "cubes": 20, "solves": 0}
    modes = {"camera": False, "strangers": False, "programs": False}
    run(parser_of(__doc__, hurry=1.0, budget_ms=100.0, **modes, **sizes), measure)
