"""The cube and the net in a real browser: what they show, how they turn, how they are tapped."""

import json
import math
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import pytest
from cubes import cube, cube_after
from playwright.sync_api import Page

from chromium import Visit, until
from cube.facelets import SOLVED_FACELETS, facelet_name
from cube.moves import ALL_MOVES, FACES, Move, MoveSequence
from cube.net import SCREEN_COLOURS, WESTERN_SCHEME
from cube.random_states import random_state
from cube.state import SOLVED
from frontends.control.view_model.view import LastLook, ShownCube, ViewModel
from thistlebot.events import Phase

pytestmark = pytest.mark.browser

PLAIN = str(SOLVED_FACELETS)
COLOURS = """() => [..."URFDLB"].flatMap((face) => [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => {
  const element = document.querySelector(`[data-facelet="${face}${n}"]`);
  return getComputedStyle(element.querySelector(".tb-sticker") ?? element).backgroundColor; }))"""
MIDDLES = """() => Object.fromEntries(document.querySelector(".tb-cube").twisty.places()
  .map(({x, y}, index) => ["URFDLB"[Math.floor(index / 9)] + (index % 9 + 1), [x, y]]))"""
SHOWN = "() => document.querySelector('[data-facelets]').dataset.facelets"
# A moment of a turn, from nothing (0) to its end (1).
TURNING = """([facelets, turn, part]) => {
  const {twisty} = document.querySelector(".tb-cube");
  twisty.load([{state: facelets}, {turn, state: facelets}]);
  twisty.seek(part); }"""
# Tail and head on the screen of the arrows beside the face, and the side that each lies on.
ARROW_WAYS = """(move) => {
  const {twisty} = document.querySelector(".tb-cube");
  return twisty.arrows(move).filter(({side}) => side !== null).map(({line, side}) =>
    ["URFDLB"[side], ...line.map((end) => twisty.projected(twisty.view, end))]); }"""
KEEP_TURNS = """() => { window.turns = [];
  addEventListener("thistlebot:turned", ({detail}) => window.turns.push(detail)); }"""


Do = Callable[..., None]
Told = Callable[[], Any]


def rgb(facelets: str) -> list[str]:
    """The colours that stickers must have, as a browser writes them."""
    parts = {face: bytes.fromhex(SCREEN_COLOURS[WESTERN_SCHEME[face]][1:]) for face in FACES}
    return [f"rgb({', '.join(map(str, parts[letter]))})" for letter in facelets]


def view(
    page: Page,
    facelets: str | None,
    turned: int,
    moves: list[str],
    look: dict[str, Any] | None = None,
    *,
    phase: Phase = Phase.EXECUTE,
) -> bool:
    """Tell the view as `command.js` does; return whether the cube is being turned by it."""
    cube = ShownCube(facelets, WESTERN_SCHEME, turned, tuple(moves))
    told = json.loads(
        msgspec.json.encode(
            ViewModel("server", phase=phase, cube=cube, look=LastLook(**(look or {})))
        )
    )
    turning: bool = page.evaluate(
        """view => {
          window.dispatchEvent(new CustomEvent("thistlebot:view", {detail: view}));
          return document.querySelector("[data-facelets]").dataset.busy === "true"; }""",
        told,
    )
    return turning


def wait_for_state(page: Page, facelets: str) -> None:
    page.wait_for_function(
        "facelets => document.querySelector('[data-facelets]').dataset.facelets === facelets"
        " && document.querySelector('[data-facelets]').dataset.busy !== 'true'",
        arg=facelets,
    )


def test_every_move_carries_the_stickers_where_arrows_point_and_mathematics_has_it(
    visit: Visit, address: str
) -> None:
    page = visit.open(f"{address}/cube?facelets={PLAIN}&pace=1")
    resting = page.evaluate(MIDDLES)
    assert len({tuple(map(round, middle)) for middle in resting.values()}) == 54
    for move in map(Move.parse, ("U", "R'", "F2", "D", "L'", "B2")):
        page.evaluate(TURNING, [PLAIN, str(move), 0.9999])
        turned = page.evaluate(MIDDLES)
        for place, facelet in enumerate(SOLVED.apply(move).facelet_places()):
            assert np.allclose(
                turned[facelet_name(facelet)], resting[facelet_name(place)], atol=1.0
            )
    for move, sides in (("R", "UF"), ("U'", "RF"), ("D", "RF"), ("B2", "UR")):
        page.evaluate(TURNING, [PLAIN, move, 0])
        ways = page.evaluate(ARROW_WAYS, move)
        assert sorted(side for side, _, _ in ways) == sorted(sides)
        page.evaluate(TURNING, [PLAIN, move, 0.15])
        turning = page.evaluate(MIDDLES)
        for side, tail, head in ways:
            goes = [n for n in resting if n[0] == side and math.dist(turning[n], resting[n]) > 0.1]
            assert len(goes) == 3
            shown = np.subtract(head, tail)
            gone = np.mean([np.subtract(turning[name], resting[name]) for name in goes], axis=0)
            assert np.dot(gone, shown) > 0.9 * np.linalg.norm(gone) * np.linalg.norm(shown)
    page.evaluate(TURNING, [PLAIN, "U", 0])
    state = SOLVED
    for move in ALL_MOVES:
        state = state.apply(move)
        page.evaluate("move => document.querySelector('.tb-cube').twisty.play([move])", str(move))
        wait_for_state(page, str(state.to_facelets()))


def test_acknowledged_moves_are_all_shown_however_fast_they_come_and_end_exactly(
    visit: Visit, address: str
) -> None:
    page = visit.open(f"{address}/cube?live=true&pace=140")
    page.evaluate(KEEP_TURNS)
    rng = np.random.default_rng(5)
    state = random_state(rng)
    view(page, None, 0, [])
    assert page.evaluate(SHOWN) == "?" * 54
    view(page, str(state.to_facelets()), 0, [])
    assert page.evaluate(SHOWN) == str(state.to_facelets())
    moves: list[str] = []
    for count in (1, 2, 1, 3, *(1,) * 30):
        more = [ALL_MOVES[index] for index in rng.integers(0, 18, count)]
        moves += map(str, more)
        state = state.apply(MoveSequence.of(more))
        assert view(page, str(state.to_facelets()), len(moves), moves)
    wait_for_state(page, str(state.to_facelets()))
    turns = page.evaluate("() => window.turns")
    assert " ".join(each["turn"] for each in turns) == " ".join(moves)
    assert min(each["frames"] for each in turns) >= 6
    elsewhere = str(random_state(rng).to_facelets())
    view(page, elsewhere, len(moves) + 9, moves[-4:])  # more than is known: set at once
    assert page.evaluate(SHOWN) == elsewhere


def test_a_cube_that_stops_or_is_to_move_less_is_shown_as_it_is(
    visit: Visit, address: str, do: Do
) -> None:
    page = visit.open(f"{address}/cube?live=true&facelets={PLAIN}&pace=100000")
    view(page, PLAIN, 0, [])
    facelets = str(cube_after("R U").to_facelets())
    assert view(page, facelets, 2, ["R", "U"])
    assert not view(page, facelets, 2, ["R", "U"], phase=Phase.STOPPED)
    assert page.evaluate(SHOWN) == facelets
    page.emulate_media(reduced_motion="reduce")  # still pictures for who wants less motion
    do(page, "turn", ["R"])
    wait_for_state(page, str(cube_after("R U R").to_facelets()))


def test_a_page_that_is_drawn_late_takes_the_last_view(visit: Visit, address: str) -> None:
    page = visit.open(f"{address}/cube")
    cube = {"facelets": PLAIN, "scheme": WESTERN_SCHEME, "turned": 3, "moves": ["R"]}
    page.add_init_script(f"window.thistlebot = {{view: {json.dumps({'cube': cube})}}}")
    for kind in ("cube", "net"):
        page.goto(f"{address}/{kind}?live=true")
        wait_for_state(page, PLAIN)
    page.close()


def test_it_is_dragged_and_turned_by_keys_to_look_round(visit: Visit, address: str) -> None:
    page = visit.open(f"{address}/cube?facelets={PLAIN}")
    seen = "() => document.querySelector('.tb-cube').twisty.view.flat()"
    first = page.evaluate(seen)
    page.mouse.move(200, 200)
    page.mouse.down()
    page.mouse.move(300, 160)
    page.mouse.up()
    dragged = page.evaluate(seen)
    assert dragged != first
    page.mouse.move(100, 100)  # the button is up
    assert page.evaluate(seen) == dragged
    page.get_by_role("img", name="the cube").focus()
    for key in ("ArrowLeft", "ArrowUp"):
        before = page.evaluate(seen)
        page.keyboard.press(key)
        assert page.evaluate(seen) != before
    page.keyboard.press("Home")
    assert page.evaluate(seen) == first


def test_the_net_shows_a_state_is_walked_with_the_keyboard_and_corrected_by_taps(
    visit: Visit, address: str, do: Do, told: Told
) -> None:
    page = visit.open(f"{address}/net?facelets={PLAIN}&editable=true")
    facelets = str(cube(18).to_facelets())
    for shown in (facelets, PLAIN):
        do(page, "show", shown)
        wait_for_state(page, shown)
        assert page.evaluate(COLOURS) == rgb(shown)
    page.keyboard.press("Tab")
    here = "() => document.activeElement.dataset.facelet"
    assert page.evaluate(here) == "F5"
    seen = []
    for key in ("Right", "Right", "Down", "Left", "Down", "Down"):
        page.keyboard.press(f"Arrow{key}")
        seen.append(page.evaluate(here))
    assert seen == ["F6", "R4", "R7", "F9", "D3", "D6"]
    page.keyboard.press("Enter")
    page.keyboard.press("l")
    page.locator("[data-facelet=F3]").click()
    page.get_by_role("button", name="F3: orange").click()
    page.get_by_role("button", name="turn F anticlockwise").click()
    page.get_by_role("button", name="exchange F").click()
    page.locator("[data-facelet=R1]").click()
    page.locator("[data-facelet=F5]").click()  # a centre names its face
    assert page.get_by_role("button", name="F5:").count() == 0
    until(page, lambda: len(told()["told"]) >= 7)
    assert told()["told"] == [
        ["tap", {"facelet": "D6", "letter": "D"}],
        ["correct", {"facelet": "D6", "letter": "L", "was": "D"}],
        ["tap", {"facelet": "F3", "letter": "F"}],
        ["correct", {"facelet": "F3", "letter": "L", "was": "F"}],
        ["turn", {"face": "F", "quarters": -1}],
        ["exchange", {"faces": ["F", "R"]}],
        ["tap", {"facelet": "F5", "letter": "F"}],
    ]
    assert page.evaluate(SHOWN) == PLAIN  # it corrects nothing itself


def test_the_net_shows_the_reading_that_can_be_corrected(visit: Visit, address: str) -> None:
    page = visit.open(f"{address}/net?live=true&editable=true")
    view(page, PLAIN, 0, [])
    page.locator("[data-facelet=F3]").click()
    assert page.get_by_role("button").count() == 0  # there is no reading yet
    wrong = PLAIN[:18] + "L" + PLAIN[19:]
    sure = tuple(0.1 if index == 18 else 0.95 for index in range(54))
    look = {"facelets": wrong, "doubtful": ("F1",), "confidence": sure, "can_correct": True}
    view(page, None, 0, [], look)
    assert page.evaluate(SHOWN) == wrong
    page.get_by_role("gridcell", name="F1, orange, doubtful").click()
    assert page.get_by_role("button").count() == 9
    view(page, PLAIN, 0, [], {**look, "facelets": PLAIN, "accepted": True})
    page.get_by_role("gridcell", name="F1, green, doubtful").wait_for()
    turned = str(SOLVED.apply(Move.parse("R")).to_facelets())
    view(page, turned, 1, ["R"], {**look, "can_correct": False})
    page.get_by_role(
        "gridcell", name="F1, green", exact=True
    ).wait_for()  # the marks were of before
