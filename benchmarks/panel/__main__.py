"""Measures the panel in a real browser: `python -m benchmarks.panel --stops 40`.

Needs the extra `dev` and Chromium. STOP is pressed in the middle of turns, and cubes are solved;
the server and the browser run on this computer.
"""

import statistics
import time

from playwright.sync_api import Page, WebSocket

from benchmarks.panel.connected import LONG, PanelHost, chromium, ended, order, p95, until
from benchmarks.report import Figure, Given, Report, Rows, parser_of, run

IDLE_S = 20.0
"""Time for measuring the load of an idle panel."""
SETTLE_MS = 400
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
    turned = [each for each in host.records if each["told"] == "turned"]
    told = {(each["run"], each["done"]): each["at_s"] for each in turned}
    return [
        seen_s - told[run, executed]
        for run, executed, seen_s in page.evaluate("() => window.seen")
        if (run, executed) in told
    ]


def told_to(page: Page) -> list[str]:
    """Return the messages of the command socket to a page; the list grows."""
    messages: list[str] = []

    def opened(socket: WebSocket) -> None:
        if socket.url.endswith("/ws/command"):
            socket.on("framereceived", lambda text: messages.append(str(text)))

    page.on("websocket", opened)
    return messages


def measure(given: Given, _: Report) -> Rows:
    """Open the panel in a browser, and measure."""
    host = PanelHost(given.budget_ms)
    try:
        with chromium() as browser:
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            told = told_to(page)
            began_s = time.monotonic()
            page.goto(host.url)
            until(page, "() => document.querySelector('.solve') && window.thistlebot?.view")
            first_s = time.monotonic() - began_s
            yield Figure.at_most("the first page", first_s, 2, "s", 2)
            until(page, "() => document.documentElement.dataset.control === 'mine'")
            until(page, "() => window.thistlebot.view.cube.facelets")
            until(page, "() => window.thistlebot.view.tables === null", 900)
            if given.cubes:
                told.clear()
                times_s = measure_events(page, host, given.cubes)
                yield from summary("event to screen", times_s)
                kilobytes = sum(map(len, told)) / given.cubes / 1000
                yield Figure("messages to a tab for one cube", round(kilobytes, 1), "kB")
            if given.stops:
                yield from summary("STOP to wire", measure_stops(page, host, given.stops))
            page.goto("about:blank")
            before_s = host.cpu_s()
            time.sleep(IDLE_S)
            idle = (host.cpu_s() - before_s) / IDLE_S
            yield Figure.at_most("share of a core, idle, no page open", idle, 0.03, "", 4)
    finally:
        host.close()


if __name__ == "__main__":
    run(parser_of(__doc__, budget_ms=100.0, stops=40, cubes=20), measure)
