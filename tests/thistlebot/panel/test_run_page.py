"""The panel as a person uses it, in a real browser, on the virtual machine."""

import contextlib
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from chromium import SIZES, Visit, barriers, shoot
from cube.facelets import SOLVED_FACELETS
from cube.random_states import random_state
from panel_desk import PanelProcess

pytestmark = pytest.mark.browser

SHOWN = "() => document.querySelector('.run-cube [data-facelets]').dataset.facelets"
SEED = 3
HIDDEN = ("F8", "B8")
LONG = "R U R' U' F D2 " * 20
TAKE = """() => {
  if (document.documentElement.dataset.control === 'mine') return true;  // it took it by itself
  const buttons = [...document.querySelectorAll('button')];
  const button = buttons.find((one) => one.innerText === 'Take control');
  button?.click();
  return Boolean(button);
}"""
STORY = "() => document.querySelector('.run-story').innerText"


@pytest.fixture(scope="module")
def panel(tmp_path_factory: pytest.TempPathFactory, cache_folder: object) -> Iterator[PanelProcess]:
    yield from _served(tmp_path_factory, cache_folder)


@pytest.fixture(scope="module")
def doubtful_panel(
    tmp_path_factory: pytest.TempPathFactory, cache_folder: object
) -> Iterator[PanelProcess]:
    """A finger hides stickers from all cameras, and a little of those beside them."""
    covered = [*HIDDEN]
    yield from _served(tmp_path_factory, cache_folder, covered=covered, seed=SEED)


@pytest.fixture(scope="module")
def slow_panel(
    tmp_path_factory: pytest.TempPathFactory, cache_folder: object
) -> Iterator[PanelProcess]:
    """Its faces turn so slowly that even a busy computer stops them in the middle."""
    yield from _served(tmp_path_factory, cache_folder, hurry=0.1)


def _served(
    factory: pytest.TempPathFactory, cache_folder: object, **wishes: Any
) -> Iterator[PanelProcess]:
    folder = factory.mktemp("panel")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("CONFIG", "STATE", "DATA"):
            patch.setenv(f"THISTLEBOT_{name}_DIR", str(folder / name.lower()))
        patch.setenv("THISTLEBOT_CACHE_DIR", str(cache_folder))
        panel = PanelProcess(**wishes)
    try:
        yield panel.ready()
    finally:
        assert panel.close() == 6  # asked to end


def controlling(visit: Visit, panel: PanelProcess, size: str = "desk", **options: Any) -> Page:
    """Open the panel in a browser that controls the machine."""
    panel.until(lambda view: not view["job"])
    page = visit.open(panel.url, size, **options)
    expect(page.locator("html")).to_have_attribute("data-control", "mine", timeout=15_000)
    return page


def press(page: Page, name: str) -> None:
    """Press a button once."""
    page.get_by_role("button", name=name, exact=True).first.click()


def press_stop(page: Page) -> None:
    """Press STOP where it is; nobody waits until a page has come to rest for that."""
    box = page.locator("button.stop").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def begin(page: Page, panel: PanelProcess, name: str) -> int:
    """Press a button until a run has begun: on a busy computer an order comes too late at times.

    Returns:
        The number of the run before.
    """
    run = panel.view()["run"]
    for _ in range(10):
        press(page, name)
        deadline_s = time.monotonic() + 2
        while time.monotonic() < deadline_s:
            if panel.view()["run"] > run:
                return run
            page.wait_for_timeout(10)
    raise AssertionError(f"{name} begins nothing")


def begin_long(page: Page, panel: PanelProcess) -> int:
    """Have many moves turned, so that there is time to stop them; return the run before."""
    run = panel.view()["run"]
    for _ in range(10):
        page.evaluate("(moves) => window.thistlebot.send({command: 'turn', moves})", LONG)
        deadline_s = time.monotonic() + 2
        while time.monotonic() < deadline_s:
            if panel.view()["run"] > run:
                return run
            page.wait_for_timeout(10)
    raise AssertionError("nothing begins")


def run_ended(page: Page, panel: PanelProcess, run: int) -> dict[str, Any]:
    """Wait, with a living page, until a later run than the given one has ended."""
    deadline_s = time.monotonic() + 60
    while True:
        view = panel.view()
        if view["run"] > run and not view["job"]:
            return view
        assert time.monotonic() < deadline_s, view
        page.wait_for_timeout(20)


@pytest.fixture(autouse=True)
def _control_is_free_again(visit: Visit) -> Iterator[None]:
    yield
    for context in visit._contexts:
        for page in context.pages:
            with contextlib.suppress(Exception):  # a page that a test has closed
                page.evaluate("() => window.thistlebot.give()")


def test_solve_turns_the_cube_and_ends_verified(visit: Visit, panel: PanelProcess) -> None:
    page = controlling(visit, panel)
    page.evaluate(
        """() => { window.turns = 0;
        const count = ({detail}) => { if (detail.event === 'turned') window.turns++; };
        window.addEventListener('thistlebot:event', count); }"""
    )
    run = begin(page, panel, "Solve")
    view = run_ended(page, panel, run)
    assert view["verified"]
    expect(page.locator(".status")).to_contain_text("Seen solved")
    page.wait_for_function(f"(solved) => ({SHOWN})() === solved", arg=SOLVED_FACELETS.text)
    assert page.evaluate("() => window.turns") == len(view["plan"]["steps"])
    assert page.locator(".ribbon .move.turned").count() == len(view["plan"]["moves"])
    shoot(page, "run-solved-desk")


def test_stop_in_mid_solve_stops_the_motors(visit: Visit, slow_panel: PanelProcess) -> None:
    panel = slow_panel
    page = controlling(visit, panel)
    run = begin_long(page, panel)
    page.wait_for_function("() => window.thistlebot.view.executed >= 3", polling=5)
    press_stop(page)
    view = run_ended(page, panel, run)
    assert view["attention"]["kind"] == "stopped"
    assert 3 <= view["executed"] < len(view["plan"]["steps"])
    expect(page.get_by_role("alert")).to_be_visible()
    shoot(page, "run-stopped-desk")


def test_stop_by_keyboard(visit: Visit, slow_panel: PanelProcess) -> None:
    panel = slow_panel
    page = controlling(visit, panel)
    run = begin_long(page, panel)
    page.wait_for_function("() => window.thistlebot.view.executed >= 2", polling=5)
    page.locator("button.stop").focus()
    page.keyboard.press("Enter")
    assert run_ended(page, panel, run)["attention"]["kind"] == "stopped"


def test_a_page_reloaded_in_mid_solve_equals_its_twin(visit: Visit, panel: PanelProcess) -> None:
    twin = visit.open(panel.url)
    page = visit.open(panel.url)
    controller = twin if twin.evaluate("() => !!window.thistlebot.lease") else page
    other = page if controller is twin else twin
    run_ended(controller, panel, begin(controller, panel, "Scramble"))
    run = begin(controller, panel, "Solve")
    other.wait_for_function("() => window.thistlebot.view.executed >= 2", polling=5)
    controller.reload()
    run_ended(controller, panel, run)
    controller.wait_for_function("() => window.thistlebot?.view && !window.thistlebot.view.job")
    expect(controller.locator("html")).to_have_attribute("data-control", "mine", timeout=15_000)
    for shown in (SHOWN, STORY):
        deadline_s = time.monotonic() + 10
        while controller.evaluate(shown) != other.evaluate(shown):
            assert time.monotonic() < deadline_s, (
                controller.evaluate(shown),
                other.evaluate(shown),
            )
            controller.wait_for_timeout(50)


def test_two_browsers_one_controls(visit: Visit, panel: PanelProcess) -> None:
    one = controlling(visit, panel)
    other = visit.open(panel.url)
    expect(other.locator("html")).to_have_attribute("data-control", "other")
    run = panel.view()["run"]
    press(other, "Solve")
    expect(other.locator("#panel-message")).to_contain_text("watching")
    assert panel.view()["run"] == run
    one.evaluate("() => window.thistlebot.give()")
    other.wait_for_function(TAKE)
    expect(other.locator("html")).to_have_attribute("data-control", "mine", timeout=5_000)
    run_ended(other, panel, begin(other, panel, "Scramble"))


def test_solve_tapped_while_the_server_hangs_moves_nothing(
    visit: Visit, panel: PanelProcess
) -> None:
    page = controlling(visit, panel)
    run = panel.view()["run"]
    with panel.paused():
        page.wait_for_timeout(1000)
        press(page, "Solve")
        page.wait_for_timeout(4000)
    expect(page.locator("#panel-message")).not_to_be_empty(timeout=10_000)
    page.wait_for_timeout(500)
    assert panel.view()["run"] == run


def test_stop_beside_six_camera_tabs(visit: Visit, slow_panel: PanelProcess) -> None:
    panel = slow_panel
    page = controlling(visit, panel, "touch")
    tabs = [visit.tab(page.context, panel.url) for _ in range(6)]
    for tab in tabs:
        tab.wait_for_function(
            "() => document.querySelector('.tb-camera')?.dataset.frames > 2", timeout=90_000
        )
    page.bring_to_front()
    run = begin_long(page, panel)
    page.wait_for_function("() => window.thistlebot.view.executed >= 2", polling=5)
    press_stop(page)
    view = run_ended(page, panel, run)
    assert view["attention"]["kind"] == "stopped"
    assert view["executed"] < len(view["plan"]["steps"])


def test_a_foreign_page_can_do_nothing(visit: Visit, panel: PanelProcess) -> None:
    page = visit.open(panel.url)
    page.goto("data:text/html,<title>foreign</title>")
    opened = page.evaluate(
        """(url) => new Promise((tell) => {
          const socket = new WebSocket(url.replace('http', 'ws') + 'ws/command');
          socket.onopen = () => tell(true);
          socket.onerror = () => tell(false); })""",
        panel.url,
    )
    assert not opened
    status = page.evaluate(
        "(url) => fetch(url + 'stop', {method: 'POST'}).then((got) => got.status, () => 0)",
        panel.url,
    )
    assert status == 0
    visit.wrong.clear()  # the browser reports both refusals
    visit.foreign.clear()


def test_a_misread_is_corrected_by_tap(visit: Visit, doubtful_panel: PanelProcess) -> None:
    page = controlling(visit, doubtful_panel)
    run = begin(page, doubtful_panel, "Solve")
    view = run_ended(page, doubtful_panel, run)
    assert view["attention"], view
    assert not view["look"]["accepted"]
    assert view["executed"] == 0
    shoot(page, "run-attention-desk")
    true = random_state(np.random.default_rng(SEED)).to_facelets().text
    for sticker in HIDDEN:
        if doubtful_panel.view()["look"]["accepted"]:
            break
        told = true["URFDLB".index(sticker[0]) * 9 + int(sticker[1]) - 1]
        page.locator(f'.run-net [data-facelet="{sticker}"]').click()
        page.locator(f'.run-net [data-tool="{told}"]').click()
        page.wait_for_timeout(700)
    assert doubtful_panel.view()["look"]["accepted"]
    shoot(page, "run-corrected-desk")
    view = run_ended(page, doubtful_panel, begin(page, doubtful_panel, "Go on"))
    assert view["executed"] == len(view["plan"]["steps"]) > 0


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("shade", ["light", "dark"])
def test_the_page_fits_and_nothing_is_near_stop(
    visit: Visit, panel: PanelProcess, size: str, shade: str
) -> None:
    page = visit.open(panel.url, size, color_scheme=shade)
    page.wait_for_function("() => document.querySelector('.tb-camera')?.dataset.frames > 0")
    width, height = SIZES[size]
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    if size != "phone":
        assert page.evaluate("() => document.documentElement.scrollHeight") <= height
        assert page.evaluate(
            "() => [...document.querySelectorAll('.run-grid, .actions')].every("
            "(each) => each.scrollHeight <= each.clientHeight + 1)"
        )
    near = page.evaluate(
        """() => { const stop = document.querySelector('.stop').getBoundingClientRect();
        const main = document.querySelector('.panel-main');
        const seen = (each) => { // what scrolls is seen within the page only
          const box = each.getBoundingClientRect(), frame = main.getBoundingClientRect();
          if (!main.contains(each)) return box;
          const top = Math.max(box.top, frame.top), bottom = Math.min(box.bottom, frame.bottom);
          const {left, right} = box;
          return {left, right, top, bottom, width: bottom > top ? right - left : 0}; };
        const pressed = 'button, a, [role=tab], [role=button], [tabindex="0"]';
        return [...document.querySelectorAll(pressed)]
          .filter((each) => !each.matches('.stop') && each.offsetParent)
          .filter((each) => { const box = seen(each);
            const across = Math.max(stop.left - box.right, box.left - stop.right, 0);
            const down = Math.max(stop.top - box.bottom, box.top - stop.bottom, 0);
            return box.width && Math.hypot(across, down) < 48; })
          .map((each) => each.outerHTML.slice(0, 120)); }"""
    )
    assert near == []
    assert barriers(page) == []
    shoot(page, f"run-{size}-{shade}")


@pytest.mark.parametrize(
    ("locale", "solve", "stop"),
    [("fr-FR", "Résoudre", "STOP"), ("ru-RU", "Собрать", "СТОП"), ("de-DE", "Solve", "STOP")],
)
def test_the_page_speaks_the_browsers_language(
    visit: Visit, panel: PanelProcess, locale: str, solve: str, stop: str
) -> None:
    page = visit.open(panel.url, "touch", locale=locale)
    expect(page.locator(".solve")).to_contain_text(solve)
    expect(page.locator("button.stop")).to_have_text(stop)
    shoot(page, f"run-touch-{locale[:2]}")
