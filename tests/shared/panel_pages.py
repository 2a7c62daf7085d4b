"""What tests do with the panel's pages in a browser."""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from playwright.sync_api import Error, Page, expect

from chromium import PATIENCE_MS, SIZES, Visit, barriers, shoot, until
from panel_desk import PanelProcess

CLEAR_PX = 48
"""So far from STOP is everything else that can be pressed."""
_NEAR_STOP = """(clear) => {
  const stop = document.querySelector(".stop").getBoundingClientRect();
  const seen = (each) => { // what scrolls is seen within its frame only
    let {left, right, top, bottom} = each.getBoundingClientRect();
    for (let up = each.parentElement; up; up = up.parentElement) {
      if (getComputedStyle(up).overflowY === "visible") continue;
      const frame = up.getBoundingClientRect();
      [top, bottom] = [Math.max(top, frame.top), Math.min(bottom, frame.bottom)];
      [left, right] = [Math.max(left, frame.left), Math.min(right, frame.right)];
    }
    return {left, right, top, bottom};
  };
  const pressed = "button, input, select, a, [role=tab], [role=button], [role=gridcell],"
    + " [tabindex='0']";
  return [...document.querySelectorAll(pressed)]
    .filter((each) => !each.matches(".stop") && each.checkVisibility())
    .map((each) => [each.outerHTML.slice(0, 120), seen(each)])
    .filter(([, box]) => box.right > box.left && box.bottom > box.top)
    .filter(([, box]) => Math.hypot(
      Math.max(stop.left - box.right, box.left - stop.right, 0),
      Math.max(stop.top - box.bottom, box.top - stop.bottom, 0)) < clear)
    .map(([text]) => text);
}"""
_COMES_TO_REST = """() => { // what moves for a moment is at its end at once
  const moving = document.getAnimations().filter((each) => each.playState === "running"
    && each.effect.getComputedTiming().iterations !== Infinity);
  moving.forEach((each) => each.finish());
  document.querySelectorAll(".q-ripple").forEach((each) => each.remove());
  return !moving.length; }"""
_SCROLLS = """() => {
  const may = (each) => ["auto", "scroll"].includes(getComputedStyle(each).overflowY);
  const hand = [...document.querySelectorAll(".hand-page, .hand-page *")].filter(may);
  const others = "html, .run-grid, .actions, .card-body > section, .card, .show-page";
  return [...document.querySelectorAll(others), ...hand]
    .filter((each) => each.checkVisibility() && each.clientHeight)
    .filter((each) => each.scrollWidth > each.clientWidth + 1
      || each.scrollHeight > each.clientHeight + 1)
    .map((each) => each.className || each.tagName);
}"""


def controlling(visit: Visit, panel: PanelProcess, size: str = "desk", **options: Any) -> Page:
    """Open the panel in a browser that controls the machine."""
    page = visit.open(panel.url, size, **options)
    expect(page.locator("html")).to_have_attribute("data-control", "mine")
    return page


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).first.click()


def insist(give: Callable[[], object], seen: Callable[[], object]) -> None:
    """Give an order until its effect is seen: on a busy computer it comes too late at times."""
    for _ in range(5):
        give()
        expect.set_options(timeout=5_000)
        try:
            seen()
        except (AssertionError, Error):
            continue
        finally:
            expect.set_options(timeout=PATIENCE_MS)
        return
    raise AssertionError("given in vain")


def begun(page: Page, panel: PanelProcess, give: Callable[[], object]) -> int:
    """Give an order until a run has begun, and return the number of the run before."""
    run: int = panel.view()["run"]
    for _ in range(20):
        give()
        deadline_s = time.monotonic() + 2
        while time.monotonic() < deadline_s:
            if panel.view()["run"] > run:
                return run
            page.wait_for_timeout(20)
    raise AssertionError("no run begins")


def ended(page: Page, panel: PanelProcess, run: int) -> dict[str, Any]:
    """Wait, with a living page, until a later run than the given one has ended; return the view."""
    view: dict[str, Any] = {}

    def over() -> bool:
        view.update(panel.view())
        return bool(view["run"] > run and not view["job"])

    until(page, over, 120)
    return view


def do(page: Page, panel: PanelProcess, **command: str) -> dict[str, Any]:
    """Have a command carried out to its end, and return the view then."""
    give = lambda: page.evaluate("order => window.thistlebot.send(order)", command)  # noqa: E731
    return ended(page, panel, begun(page, panel, give))


def fits_at(
    page: Page, sizes: tuple[str, ...], name: str, *, judged: str | None = None, **options: Any
) -> None:
    """Call `fits` at several sizes; axe-core judges those named in `judged`, all unless given."""
    for size in sizes:
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        fits(page, size, name, judged=judged is None or size in judged, **options)


def fits(
    page: Page, size: str, name: str, *, judged: bool = True, within: str | None = None
) -> None:
    """Keep a picture of a page; all of it is seen, and nothing comes near STOP.

    A phone scrolls downwards, and nothing else scrolls. axe-core judges what is `within`.
    """
    for _ in range(2):
        with suppress(Error):  # a page that was silent for too long is loaded again meanwhile
            _judge(page, size, name, judged=judged, within=within)
            return
        page.wait_for_load_state()
    _judge(page, size, name, judged=judged, within=within)


def _judge(page: Page, size: str, name: str, *, judged: bool, within: str | None) -> None:
    page.mouse.move(1, 1)
    page.wait_for_function(_COMES_TO_REST)
    shoot(page, f"{name}-{size}")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= SIZES[size][0]
    if size != "phone":
        assert page.evaluate(_SCROLLS) == []
    if page.locator(".stop").count():
        assert page.evaluate(_NEAR_STOP, CLEAR_PX) == []
    if judged:
        found = barriers(page, within)
        assert not found, "\n".join(found)
