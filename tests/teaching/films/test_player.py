"""The page of a film in a real browser: keys, buttons, clicked turns, and without scripts."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from barriers import barriers
from playwright.sync_api import Page
from sticker_cube import FACES, SOLVED, after

from chromium import Visit, shoot, until
from cube.moves import MoveSequence
from cube.net import SCREEN_COLOURS, WESTERN_SCHEME
from cube.state import SOLVED as SOLVED_STATE
from puzzles.groups.analysis import Analysis
from puzzles.kinds.catalogue import puzzle_named
from puzzles.kinds.puzzle import scrambled
from solver.tables import TableStore
from teaching.films.lesson_film import Failure, duel_film, lesson_film
from teaching.films.player import html_film
from teaching.films.way_film import ends_of, way_film
from teaching.methods.catalogue import load_method
from teaching.methods.method import Walk, walk
from thistlebot.words.words import DEFAULT, load_words

ENGLISH = load_words(DEFAULT)
pytestmark = pytest.mark.browser

SCRAMBLE = "R U F2 D' L B U2"
_STICKERS = """() => [...document.querySelectorAll('.lane')].map((lane) => {
  const found = {};
  for (const cell of lane.querySelectorAll('[data-slot]')) {
    (found[cell.dataset.slot] ??= new Set()).add(cell.getAttribute('fill'));
  }
  return Object.fromEntries(Object.entries(found).map(([slot, all]) => [slot, [...all].join()]));
})"""

# The colours that a layer carries to each place in a turn, and those that the place then has.
_CARRIED = """() => {
  const {twisty} = document.querySelector('.tb-cube');
  const fill = (label) => twisty.look.paint(label).fill;
  return twisty.steps.slice(1).map(({turn, state}, number) => {
    twisty.seek(number + 0.5);
    const {sources} = twisty.solid.known.get(turn);
    const before = twisty.steps[number].state;
    const wrong = sources.some((from, slot) => fill(before[from]) !== fill(state[slot]));
    return {turn, wrong}; }); }"""


@pytest.fixture(scope="module")
def made(store: TableStore) -> Walk:
    state = SOLVED_STATE.apply(MoveSequence.parse(SCRAMBLE))
    return walk(load_method("thistlethwaite", store), state)


@pytest.fixture
def page_file(made: Walk, tmp_path: Path) -> str:
    file = tmp_path / "lesson.html"
    file.write_text(html_film(lesson_film(made, ENGLISH, "Four stages")), encoding="utf-8")
    return file.as_uri()


def stickers(page: Page, lane: int = 0) -> dict[int, str]:
    """The colour of each slot, as the page shows it; all that show one slot agree."""
    return {int(slot): fill for slot, fill in page.evaluate(_STICKERS)[lane].items()}


def colours(moves: str) -> dict[int, str]:
    cube = after(SOLVED, moves)
    return {
        i: SCREEN_COLOURS[WESTERN_SCHEME[FACES[sticker // 9]]] for i, sticker in enumerate(cube)
    }


def test_keys_buttons_and_clicks_step_to_the_end_and_back(
    visit: Visit, page_file: str, made: Walk
) -> None:
    page = visit.open(page_file, settle=False)
    moves = [str(move) for step in made.steps for move in step.moves]

    def shows(number: int) -> bool:
        return stickers(page) == colours(" ".join([SCRAMBLE, *moves[:number]]))

    assert shows(0)
    for number in range(1, len(moves) + 1):
        page.keyboard.press("ArrowRight")
        assert shows(number)
        told = page.locator(".count").inner_text()
        assert re.findall(r"\d+", told) == [str(number), str(len(moves))]
        assert page.locator("[aria-current]").inner_text() == moves[number - 1]
    letters = page.locator(".figure [data-letter]").all_text_contents()
    assert sorted(letters) == sorted("".join(9 * face for face in FACES))
    assert page.locator(".verdict").is_visible()
    assert page.locator(".left").all_inner_texts() == ["0", "0", "0", "0", "U R F", "0", "0"]
    page.keyboard.press("ArrowRight")
    assert shows(len(moves))
    page.keyboard.press("ArrowLeft")
    assert shows(len(moves) - 1)
    page.keyboard.press("Home")
    assert shows(0)
    turned = 0
    for step in made.steps:
        turned += len(step.moves)
        page.keyboard.press("PageDown")
        assert shows(turned)
        assert page.locator(".now .caption").inner_text() == step.caption.text(ENGLISH)
    page.get_by_role("button", name="To the start").click()
    third = page.locator(".moves button").nth(2)
    third.click()
    assert shows(3)
    assert third.get_attribute("aria-current") == "step"
    marked = page.locator(".figure .moving").evaluate_all("all => all.map(e => +e.dataset.slot)")
    assert set(marked) == {i for i, s in enumerate(after(SOLVED, moves[2])) if s != i}
    page.get_by_role("button", name="Next turn").click()
    assert shows(4)
    page.get_by_label("Turn", exact=True).fill("1")
    assert shows(1)
    shoot(page, "pictures-first-turn")


def test_it_plays_rests_and_stops(visit: Visit, page_file: str) -> None:
    page = visit.open(page_file, settle=False)
    page.get_by_label("Speed").select_option("4")
    page.get_by_label("Speed").blur()
    page.keyboard.press(" ")
    assert page.get_by_role("button", name="Pause").is_visible()
    until(page, lambda: re.search(r"\b2\b", page.locator(".count").inner_text()) is not None)
    page.keyboard.press(" ")
    stopped = stickers(page)
    page.wait_for_timeout(600)
    assert stickers(page) == stopped
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name="Play").click()
    until(page, lambda: stickers(page) == colours(""))
    until(page, lambda: page.get_by_role("button", name="Play").is_visible())


def test_nothing_bars_the_way_on_a_dark_phone(visit: Visit, page_file: str) -> None:
    page = visit.open(page_file, "phone", settle=False, color_scheme="dark")
    page.keyboard.press("PageDown")
    assert barriers(page) == []
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
    shoot(page, "pictures-phone-dark")


def test_two_methods_run_on_one_clock(
    visit: Visit, made: Walk, store: TableStore, tmp_path: Path
) -> None:
    other = walk(load_method("layers", store), made.state)
    stuck = Failure("backtracking", made.state, "too far from solved")
    file = tmp_path / "duel.html"
    film = duel_film((stuck, made, other), "A duel", "on one cube")
    file.write_text(html_film(film), encoding="utf-8")
    page = visit.open(file.as_uri(), (1500, 900), settle=False)
    moves = [[str(m) for step in each.steps for m in step.moves] for each in (made, other)]
    short, long = map(len, moves)
    assert short < long
    for number in (short // 2, short - 1, short, short + 1, long):
        page.get_by_label("Turn", exact=True).fill(str(number))
        for lane, turns in enumerate(moves, start=1):
            assert stickers(page, lane) == colours(" ".join([SCRAMBLE, *turns[:number]]))
    shoot(page, "pictures-duel")
    assert stickers(page, 1) == stickers(page, 2) == colours("")
    assert stickers(page, 0) == colours(SCRAMBLE)
    assert page.locator(".verdict").all_inner_texts() == [lane.verdict for lane in film.lanes[1:]]
    assert "too far from solved" in page.locator(".lane").first.inner_text()
    page.locator('button[data-lane="1"]').nth(1).click()
    assert stickers(page, 1) == colours(" ".join([SCRAMBLE, *moves[0][:2]]))
    assert stickers(page, 2) == colours(" ".join([SCRAMBLE, *moves[1][:2]]))
    assert barriers(page) == []


@pytest.mark.parametrize("name", ["4x4x4", "3x2x3", "supercube", "megaminx", "pyraminx", "slice"])
def test_layers_carry_stickers_to_where_the_next_state_shows_them(
    visit: Visit, tmp_path: Path, name: str
) -> None:
    puzzle = puzzle_named(name)
    state, turns = scrambled(puzzle, 12, np.random.default_rng(7))
    ends = ends_of(Analysis(puzzle), puzzle.solved, state, ENGLISH)
    file = tmp_path / "way.html"
    film = way_film(puzzle, ends, turns, ("a way", "there", "by chance"), ENGLISH)
    file.write_text(html_film(film), encoding="utf-8")
    page = visit.open(file.as_uri(), settle=False)
    page.wait_for_function("() => document.querySelector('.tb-cube')?.twisty?.room?.width > 0")
    told = page.evaluate(_CARRIED)
    assert [each["turn"] for each in told] == [turn.name for turn in turns]
    assert [each["turn"] for each in told if each["wrong"]] == []


def test_the_page_loads_nothing(page_file: str, made: Walk) -> None:
    text = html_film(lesson_film(made, ENGLISH, "</script><b>"))
    assert not re.findall(r"https?://(?!www\.w3\.org/)", text)
    for word in ("src=", "<link", "@import", "url(", "</script><b>"):
        assert word not in text
    assert '<html lang="en">' in text
    (data,) = re.findall(r'id="film">(.*?)</script>', text)
    assert len(json.loads(data)["lanes"][0]["frames"]) == sum(len(s.moves) for s in made.steps)
