"""The panel as a person uses it, in a real browser, on the virtual machine."""

from functools import partial

import httpx
import pytest
from panel_pages import begun, controlling, do, ended, fits_at, insist, press
from playwright.sync_api import Page, expect

from chromium import Visit, shoot, until
from cube.facelets import SOLVED_FACELETS
from cube.patterns import PATTERNS
from panel_desk import PanelProcess

pytestmark = pytest.mark.browser

SHOWN = "() => document.querySelector('.run-cube [data-facelets]').dataset.facelets"
LONG = "R U R' U' F D2 " * 20
STORY = "() => document.querySelector('.run-story').innerText"
KEEP_TURNS = """() => { window.turns = [];
  const keep = ({detail}) => { // the last of them may be told when the solve is over
    if (detail.job === 'solve' || window.turns.length) window.turns.push(detail.executed); };
  window.addEventListener('thistlebot:view', keep); }"""


def turned(page: Page, run: int, steps: int = 2) -> None:
    """Wait until so many steps of a later run than the given one were made."""
    given = """([run, steps]) => { const view = window.thistlebot?.view;
      return view?.run > run && view.executed >= steps; }"""
    page.wait_for_function(given, arg=[run, steps], polling=5, timeout=90_000)


def test_a_solve_ends_verified_also_on_a_page_that_is_reloaded_in_the_middle(
    visit: Visit, panel: PanelProcess
) -> None:
    page = controlling(visit, panel)
    twin = visit.open(panel.url)
    run = do(page, panel, command="scramble")["run"]
    panel.wish(hurry=1)
    given = "(run) => window.thistlebot.view.run === run && !window.thistlebot.view.job"
    twin.wait_for_function(given, arg=run)  # a busy computer still tells it of the scramble
    twin.evaluate(KEEP_TURNS)
    run = begun(page, panel, partial(press, page, "Solve"))
    turned(twin, run)
    page.reload()
    view = ended(page, panel, run)
    assert view["verified"]
    twin.wait_for_function(f"(solved) => ({SHOWN})() === solved", arg=SOLVED_FACELETS.text)
    turns = twin.evaluate("() => window.turns")
    assert turns == sorted(turns)
    assert turns[-1] == len(view["plan"]["steps"])
    assert twin.locator(".ribbon .move.turned").count() == len(view["plan"]["moves"])
    legends = ".tb-camera[title*='outlines'], .ribbon:has(.stage-name) + :text('small numbers')"
    assert twin.locator(legends).count() >= 2
    page.wait_for_function("() => window.thistlebot?.view && !window.thistlebot.view.job")
    expect(page.locator("html")).to_have_attribute("data-control", "mine")
    for shown in (SHOWN, STORY):
        until(page, lambda shown=shown: page.evaluate(shown) == twin.evaluate(shown))
    shoot(page, "run-solved-desk")


def test_stop_by_mouse_and_key_stops_the_motors_beside_six_camera_tabs(
    visit: Visit, panel: PanelProcess
) -> None:
    page = controlling(visit, panel, "touch")
    # With it six, as many as a browser has connections to a server for what is no socket.
    for tab in [visit.tab(page.context, panel.url) for _ in range(5)]:
        tab.wait_for_function(
            "() => document.querySelector('.tb-camera')?.dataset.frames > 2", timeout=90_000
        )
    page.bring_to_front()
    panel.wish(hurry=0.25)  # even a busy computer stops faces that turn so slowly in the middle
    turn = "(moves) => window.thistlebot.send({command: 'turn', moves})"
    stop = page.locator("button.stop")
    box = stop.bounding_box() or pytest.fail("there is no STOP")
    for way in ("mouse", "key"):
        stop.focus()
        run = begun(page, panel, partial(page.evaluate, turn, LONG))
        turned(page, run)
        solve = page.get_by_role("button", name="Solve", exact=True)
        expect(solve).to_have_css("pointer-events", "none")  # the machine is busy
        if way == "mouse":  # nobody waits until a page has come to rest for that
            page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        else:
            page.keyboard.press("Enter")
        view = ended(page, panel, run)
        assert view["attention"]["kind"] == "stopped", way
        assert 2 <= view["executed"] < len(view["plan"]["steps"]), way
        expect(page.get_by_role("alert")).to_be_visible()
    shoot(page, "run-stopped-touch")


def test_two_browsers_order_in_turn_and_late_taps_move_nothing(
    visit: Visit, panel: PanelProcess
) -> None:
    one, other = controlling(visit, panel), controlling(visit, panel)
    run = panel.view()["run"]
    with panel.paused():
        press(one, "Solve")
        one.wait_for_timeout(800)  # an order is carried out within half a second, or never
    expect(one.locator("#panel-message")).not_to_be_empty()
    one.wait_for_timeout(300)
    assert panel.view()["run"] == run
    ended(other, panel, begun(other, panel, partial(press, other, "Scramble")))
    one.evaluate("() => (window.before = window.thistlebot.socket.socket).close()")
    one.wait_for_function("() => window.before !== thistlebot.socket.socket && thistlebot.alive")
    ended(one, panel, begun(one, panel, partial(press, one, "Scramble")))


@pytest.mark.exhaustive
def test_the_page_fits_and_speaks_the_browsers_language(visit: Visit, panel: PanelProcess) -> None:
    page = visit.open(panel.url, "touch", locale="fr-FR")
    page.wait_for_function("() => document.querySelector('.tb-camera')?.dataset.frames > 0")
    expect(page.locator(".solve")).to_contain_text("Résoudre")
    fits_at(page, ("touch", "desk"), "run-light", judged="touch")
    page.emulate_media(color_scheme="dark")
    fits_at(page, ("phone",), "run-dark")
    page.evaluate("() => window.thistlebotSettings.shade('light')")
    page.wait_for_function("() => document.querySelector('.body--light')")
    page.evaluate("() => window.thistlebotSettings.language('ru')")
    expect(page.locator(".solve")).to_contain_text("Собрать")
    for locale, solve in (("ru-RU", "Собрать"), ("de-DE", "Solve")):  # we speak no German
        assert solve in httpx.get(panel.url, headers={"accept-language": locale}).text


@pytest.mark.exhaustive
def test_a_tap_on_a_picture_makes_the_pattern(visit: Visit, panel: PanelProcess) -> None:
    page = controlling(visit, panel, "touch")
    press(page, "Patterns")
    cards = page.locator(".pattern-card")
    expect(cards).to_have_count(len(PATTERNS))
    shoot(page, "run-patterns-touch")

    def tap() -> None:
        if not cards.first.is_visible():
            press(page, "Patterns")
        page.get_by_role("button", name="checkerboard").click()

    view = ended(page, panel, begun(page, panel, tap))
    assert view["verified"]
    made = next(each for each in PATTERNS if each.name == "checkerboard")
    assert view["cube"]["facelets"] == made.state.to_facelets().text
    expect(cards.first).to_be_hidden()
    assert do(page, panel, command="solve")["verified"]  # the pages of other tests show a solve


def test_moves_are_typed_and_a_cube_is_painted_and_solved(
    visit: Visit, panel: PanelProcess
) -> None:
    page = visit.open(f"{panel.url}?tab=run&cube=%5BR%2C%20U%5D", "touch")
    expect(page.locator("html")).to_have_attribute("data-control", "mine")
    field = page.locator(".run-bench input")
    expect(field).to_have_value("[R, U]")
    do(page, panel, command="scramble")  # nothing waits for a person any more
    view = ended(page, panel, begun(page, panel, partial(press, page, "Turn these moves")))
    assert view["plan"]["moves"] == ["R", "U", "R'", "U'"]
    fits_at(page, ("touch", "desk", "phone"), "run-bench")
    field.fill(SOLVED_FACELETS.text)
    net = page.locator(".run-bench .tb-net")
    for sticker, colour in (("U8", "F"), ("F2", "U")):  # an edge is flipped
        net.locator(f"[data-facelet={sticker}]").click()
        net.get_by_role("button", name=f"{sticker}: ").nth("URFDLB".index(colour)).click()
    verdict = page.locator(".run-bench .entry-verdict")
    expect(verdict).to_contain_text("edge")
    field.fill("R U2 F'")
    expect(verdict).to_contain_text("can be solved")
    view = ended(page, panel, begun(page, panel, partial(press, page, "Solve this cube")))
    assert view["verified"]
    expect(page.locator(".run-story a")).to_have_text("R U2 F'")
    page.get_by_role("tab", name="By hand").click()
    page.locator(".hand-entry input").fill("R U2 F'")
    given = partial(page.locator(".hand-entry button", has_text="Solve").click)
    insist(given, lambda: expect(page.locator(".hand-turn")).to_be_visible())
    assert panel.until(lambda view: view["panes"]["hand"]["way"])["panes"]["hand"]["way"][
        "moves"
    ] == ["F", "U2", "R'"]
