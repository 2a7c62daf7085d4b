"""The page of a film in a real browser: keys, buttons, clicked turns, and without scripts."""

import json
import re
from pathlib import Path

import pytest
from cubes import cube_after
from playwright.sync_api import Page
from sticker_cube import FACES, SOLVED, after, colours

from chromium import Visit, barriers, shoot, until
from solver.tables import TableStore
from teaching.films.lesson_film import lesson_film
from teaching.films.player import html_film
from teaching.methods.catalogue import load_method
from teaching.methods.method import Walk, walk
from thistlebot.words.words import DEFAULT, load_words

ENGLISH = load_words(DEFAULT)
pytestmark = pytest.mark.browser

SCRAMBLE = "R U F2 D' L B U2"
_STICKERS = """() => {
  const found = {};
  for (const cell of document.querySelectorAll('.puzzle [data-slot]')) {
    (found[cell.dataset.slot] ??= new Set()).add(cell.getAttribute('fill'));
  }
  return Object.fromEntries(Object.entries(found).map(([slot, all]) => [slot, [...all].join()]));
}"""


@pytest.fixture(scope="module")
def made(store: TableStore) -> Walk:
    state = cube_after(SCRAMBLE)
    return walk(load_method("thistlethwaite", store), state)


@pytest.fixture
def page_file(made: Walk, tmp_path: Path) -> str:
    file = tmp_path / "lesson.html"
    file.write_text(html_film(lesson_film(made, ENGLISH, "Four stages")), encoding="utf-8")
    return file.as_uri()


def stickers(page: Page) -> dict[int, str]:
    """The colour of each slot, as the page shows it; all that show one slot agree."""
    return {int(slot): fill for slot, fill in page.evaluate(_STICKERS).items()}


def test_keys_buttons_and_clicks_step_to_the_end_and_back(
    visit: Visit, page_file: str, made: Walk
) -> None:
    page = visit.open(page_file, settle=False)
    moves = [str(move) for step in made.steps for move in step.moves]

    def shows(number: int) -> bool:
        return stickers(page) == colours(after(SOLVED, " ".join([SCRAMBLE, *moves[:number]])))

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
    until(page, lambda: stickers(page) == colours(SOLVED))
    until(page, lambda: page.get_by_role("button", name="Play").is_visible())


def test_nothing_bars_the_way_on_a_dark_phone(visit: Visit, page_file: str) -> None:
    page = visit.open(page_file, "phone", settle=False, color_scheme="dark")
    page.keyboard.press("PageDown")
    assert barriers(page) == []
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
    shoot(page, "pictures-phone-dark")


def test_the_page_loads_nothing(page_file: str, made: Walk) -> None:
    text = html_film(lesson_film(made, ENGLISH, "</script><b>"))
    assert not re.findall(r"https?://(?!www\.w3\.org/)", text)
    for word in ("src=", "<link", "@import", "url(", "</script><b>"):
        assert word not in text
    assert '<html lang="en">' in text
    (data,) = re.findall(r'id="film">(.*?)</script>', text)
    assert len(json.loads(data)["frames"]) == sum(len(s.moves) for s in made.steps)
