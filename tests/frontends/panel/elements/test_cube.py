"""The cube and the net in a real browser: what they show, how they turn, how they are tapped."""

import json
import math
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import pytest
from playwright.sync_api import Page

from chromium import SIZES, Visit, barriers, shoot, until
from cube.facelets import SOLVED_FACELETS, facelet_name
from cube.moves import ALL_MOVES, FACES, Move, MoveSequence
from cube.net import SCREEN_COLOURS, WESTERN_SCHEME
from cube.random_states import random_state
from cube.state import SOLVED
from frontends.control.view_model.view import LastLook, ShownCube, ViewModel

pytestmark = pytest.mark.browser

PLAIN = str(SOLVED_FACELETS)
COLOURS = """() => [..."URFDLB"].flatMap((face) => [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => {
  const element = document.querySelector(`[data-facelet="${face}${n}"]`);
  return getComputedStyle(element.querySelector(".tb-sticker") ?? element).backgroundColor; }))"""
MIDDLES = """() => Object.fromEntries([...document.querySelectorAll(".tb-tile")].map((tile) => {
  const box = tile.getBoundingClientRect();
  return [tile.dataset.facelet, [box.x + box.width / 2, box.y + box.height / 2]]; }))"""
SHOWN = "() => document.querySelector('[data-facelets]').dataset.facelets"
STOP_AT = """(part) => {
  const turn = document.querySelector(".tb-layer").getAnimations()[0];
  turn.pause();
  turn.currentTime = part * turn.effect.getComputedTiming().duration; }"""
# The drawing on the canvas as it has become, and as it is when all of it is drawn anew: the share
# of what is drawn that differs, and the share of the canvas that is drawn on.
REDRAWN = """() => {
  const canvas = document.querySelector(".tb-quick");
  const pixels = () => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  const become = pixels();
  canvas.drawn = null;
  const {top, left, width, height} = canvas.getBoundingClientRect();
  const at = {clientX: left + width / 2, clientY: top + height / 2, bubbles: true};
  canvas.parentNode.dispatchEvent(new MouseEvent("dblclick", at));
  const anew = pixels();
  let [differ, drawn] = [0, 0];
  for (let i = 0; i < anew.length; i += 4) {
    drawn += anew[i + 3] > 0;
    differ += [0, 1, 2].some((part) => Math.abs(anew[i + part] - become[i + part]) > 16);
  }
  return [differ / drawn, drawn / (canvas.width * canvas.height)]; }"""
# Tail and head on the screen of the arrows beside the face, and the side that each lies on.
ARROW_WAYS = """() => [...document.querySelectorAll(".tb-arrow[data-side]")].map((arrow) => {
  const ends = ["-40", "40"].map((x) => {
    const dot = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    Object.entries({cx: x, cy: "0", r: "1"}).forEach((pair) => dot.setAttribute(...pair));
    arrow.append(dot);
    const box = dot.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  });
  return [arrow.dataset.side, ...ends]; })"""


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
) -> bool:
    """Do what `command.js` does when the machine has said something of its cube.

    Returns:
        Whether the cube is being turned by it.
    """
    cube = ShownCube(facelets, WESTERN_SCHEME, turned, tuple(moves))
    told = json.loads(
        msgspec.json.encode(ViewModel("server", cube=cube, look=LastLook(**(look or {}))))
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


def test_the_net_has_the_colours_of_the_state(visit: Visit, address: str, do: Do) -> None:
    page = visit.open(f"{address}/net?facelets={PLAIN}")
    facelets = str(random_state(np.random.default_rng(18)).to_facelets())
    do(page, "show", facelets)
    wait_for_state(page, facelets)
    assert page.evaluate(COLOURS) == rgb(facelets)


def test_every_move_ends_as_the_mathematics_has_it(visit: Visit, address: str, do: Do) -> None:
    page = visit.open(f"{address}/cube?facelets={PLAIN}&pace=1")
    state = random_state(np.random.default_rng(3))
    do(page, "show", str(state.to_facelets()))
    wait_for_state(page, str(state.to_facelets()))
    assert page.evaluate(COLOURS) == rgb(str(state.to_facelets()))
    for move in ALL_MOVES:
        state = state.apply(move)
        do(page, "turn", [str(move)])
        wait_for_state(page, str(state.to_facelets()))
    assert page.evaluate(COLOURS) == rgb(str(state.to_facelets()))


def test_a_turn_carries_stickers_to_where_the_next_state_shows_them(
    visit: Visit, address: str, do: Do
) -> None:
    page = visit.open(f"{address}/cube?facelets={PLAIN}&pace=100000")
    resting = page.evaluate(MIDDLES)
    assert len({tuple(map(round, middle)) for middle in resting.values()}) == 54
    for move in map(Move.parse, ("U", "R'", "F2", "D", "L'", "B2")):
        do(page, "turn", [str(move)])
        page.wait_for_function("() => document.querySelector('.tb-layer').getAnimations().length")
        page.evaluate(STOP_AT, 0.9999)
        turned = page.evaluate(MIDDLES)
        for place, facelet in enumerate(SOLVED.apply(move).facelet_places()):
            assert np.allclose(
                turned[facelet_name(facelet)], resting[facelet_name(place)], atol=1.0
            )
        page.evaluate("facelets => getElement(4).set(facelets)", PLAIN)
        assert page.evaluate(MIDDLES) == resting


def test_acknowledged_moves_are_shown_and_end_exactly(visit: Visit, address: str) -> None:
    page = visit.open(f"{address}/cube?live=true")
    rng = np.random.default_rng(7)
    state = random_state(rng)
    view(page, None, 0, [])
    assert page.evaluate(SHOWN) == "?" * 54
    view(page, str(state.to_facelets()), 0, [])
    assert page.evaluate(SHOWN) == str(state.to_facelets())
    moves: list[str] = []
    for count in (1, 2, 1, 3):
        more = [ALL_MOVES[index] for index in rng.integers(0, 18, count)]
        moves += map(str, more)
        state = state.apply(MoveSequence.of(more))
        assert view(page, str(state.to_facelets()), len(moves), moves[-4:])
        wait_for_state(page, str(state.to_facelets()))
    elsewhere = str(random_state(rng).to_facelets())
    view(page, elsewhere, len(moves) + 9, moves[-4:])  # more than is known: set at once
    assert page.evaluate(SHOWN) == elsewhere


def test_moves_that_come_faster_than_they_are_shown_are_caught_up(
    visit: Visit, address: str
) -> None:
    page = visit.open(f"{address}/cube?live=true&facelets={PLAIN}&pace=400")
    state = SOLVED
    view(page, PLAIN, 0, [])
    moves = [str(ALL_MOVES[index]) for index in np.random.default_rng(5).integers(0, 18, 40)]
    for count, move in enumerate(moves, 1):
        state = state.apply(Move.parse(move))
        view(page, str(state.to_facelets()), count, moves[max(0, count - 4) : count])
    wait_for_state(page, str(state.to_facelets()))
    assert page.evaluate(COLOURS) == rgb(str(state.to_facelets()))


def test_without_a_graphics_card_the_drawing_follows_the_machine(
    visit: Visit, address: str
) -> None:
    page = visit.open(f"{address}/cube?live=true&letters=true&moving=false")
    assert "tb-plain" in (page.locator(".tb-cube").get_attribute("class") or "")
    rng = np.random.default_rng(19)
    state, moves = SOLVED, []
    view(page, PLAIN, 0, [])
    for count in range(1, 25):
        move = ALL_MOVES[rng.integers(18)]
        state = state.apply(move)
        moves.append(str(move))
        assert not view(page, str(state.to_facelets()), count, moves[-4:])
        assert page.evaluate(SHOWN) == str(state.to_facelets())
    differs, drawn = page.evaluate(REDRAWN)
    assert drawn > 0.2
    assert differs < 0.01  # rims of stickers, where two colours were mixed


def test_still_pictures_for_who_wants_less_motion(visit: Visit, address: str, do: Do) -> None:
    page = visit.open(f"{address}/cube?facelets={PLAIN}&pace=100000", reduced_motion="reduce")
    do(page, "turn", ["R", "U2"])
    wait_for_state(page, str(SOLVED.apply(MoveSequence.parse("R U2")).to_facelets()))


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
    space = page.locator(".tb-space")
    first = space.get_attribute("style")
    page.mouse.move(200, 200)
    page.mouse.down()
    page.mouse.move(300, 160)
    page.mouse.up()
    dragged = space.get_attribute("style")
    assert dragged != first
    page.mouse.move(100, 100)  # the button is up
    assert space.get_attribute("style") == dragged
    cube = page.get_by_role("img", name="the cube")
    cube.focus()
    for key in ("ArrowLeft", "ArrowUp"):
        before = space.get_attribute("style")
        page.keyboard.press(key)
        assert space.get_attribute("style") != before
    page.keyboard.press("Home")
    assert space.get_attribute("style") == first


def test_arrows_point_the_way_that_stickers_go(visit: Visit, address: str, do: Do) -> None:
    page = visit.open(f"{address}/cube?facelets={PLAIN}&pace=100000")
    resting = page.evaluate(MIDDLES)
    for move in ("R", "U'", "D", "B2"):
        do(page, "point", move)
        page.wait_for_selector(f'.tb-arrow[data-move="{move}"]')
        assert page.locator(f'.tb-arrow[data-move="{move}"]').count() == 5
        ways = page.evaluate(ARROW_WAYS)
        assert len(ways) == 4
        do(page, "turn", [move])
        page.wait_for_function("() => document.querySelector('.tb-layer').getAnimations().length")
        page.evaluate(STOP_AT, 0.1)
        turning = page.evaluate(MIDDLES)
        for side, tail, head in ways:
            goes = [n for n in resting if n[0] == side and math.dist(turning[n], resting[n]) > 0.1]
            assert len(goes) == 3
            shown = np.subtract(head, tail)
            gone = np.mean([np.subtract(turning[name], resting[name]) for name in goes], axis=0)
            assert np.dot(gone, shown) > 0.9 * np.linalg.norm(gone) * np.linalg.norm(shown)
        do(page, "point", None)
        page.wait_for_function("() => !document.querySelector('.tb-arrow')")
        do(page, "show", PLAIN)
        wait_for_state(page, PLAIN)


def test_a_sticker_is_corrected_by_taps(visit: Visit, address: str, told: Told) -> None:
    page = visit.open(f"{address}/net?facelets={PLAIN}&editable=true")
    page.locator("[data-facelet=F3]").click()
    page.get_by_role("button", name="F3: orange").click()
    page.get_by_role("button", name="turn F anticlockwise").click()
    page.get_by_role("button", name="exchange F").click()
    page.locator("[data-facelet=R1]").click()
    page.locator("[data-facelet=F5]").click()  # a centre names its face
    assert page.get_by_role("button", name="F5:").count() == 0
    until(page, lambda: len(told()["told"]) >= 5)
    assert told()["told"] == [
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


def test_the_net_is_walked_with_the_keyboard(visit: Visit, address: str, told: Told) -> None:
    page = visit.open(f"{address}/net?facelets={PLAIN}&editable=true")
    page.keyboard.press("Tab")
    here = "() => document.activeElement.dataset.facelet"
    assert page.evaluate(here) == "F5"
    walk = ["ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft", "ArrowDown", "ArrowDown"]
    seen = []
    for key in walk:
        page.keyboard.press(key)
        seen.append(page.evaluate(here))
    assert seen == ["F6", "R4", "R7", "F9", "D3", "D6"]
    page.keyboard.press("Enter")
    page.keyboard.press("l")
    until(page, lambda: len(told()["told"]) >= 2)
    assert told()["told"] == [
        ["tap", {"facelet": "D6", "letter": "D"}],
        ["correct", {"facelet": "D6", "letter": "L", "was": "D"}],
    ]


@pytest.mark.parametrize(
    ("kind", "width", "scheme"), [("cube", 350, "dark"), ("net", 350, "light")]
)
def test_it_is_drawn_whole_on_a_phone_and_keeps_nobody_out(
    visit: Visit, address: str, kind: str, width: int, scheme: Any
) -> None:
    query = f"facelets={PLAIN}&width={width}&letters=true&editable=true"
    page = visit.open(f"{address}/{kind}?{query}", "phone", color_scheme=scheme)
    boxes = """() => [document.querySelector(".tb-cube, .tb-net"),
      ...document.querySelectorAll("[data-facelet]")].map((each) => each.getBoundingClientRect())
      .map(({left, top, right, bottom}) => [left, top, right, bottom])"""
    whole, *parts = np.array(page.evaluate(boxes))
    assert len(parts) == 54
    assert (np.array(parts)[:, :2] >= whole[:2] - 1).all()
    assert (np.array(parts)[:, 2:] <= whole[2:] + 1).all()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= SIZES["phone"][0]
    shoot(page, f"element-{kind}")
    if kind == "net":
        assert min(right - left for left, _, right, _ in parts) >= 24  # WCAG 2.2, 2.5.8
        page.locator("[data-facelet=F3]").click()
    assert barriers(page) == []
