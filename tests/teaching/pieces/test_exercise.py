"""The page with pieces to move, in a real browser: it counts as the program does."""

import random
from pathlib import Path

import pytest
from barriers import barriers

from chromium import Visit, shoot
from cube.moves import ALL_MOVES
from cube.pieces import CORNER_FACELETS, CORNERS, EDGE_FACELETS, EDGES
from cube.state import CubeState
from teaching.pieces.exercise import exercise_page
from teaching.pieces.operations import carried_out, quantity_levels, read_operations
from teaching.worksheets.catalogue import worksheet_named
from thistlebot.words.words import load_words

pytestmark = pytest.mark.browser

WORDS = load_words("en")
FIRST = {"URF": CORNER_FACELETS[0][0], "ULB": CORNER_FACELETS[2][0], "UF": EDGE_FACELETS[1][0]}
SHOWN = """() => [...document.querySelectorAll('.gauges .left')].map((cell) => cell.textContent)"""
NET = """() => [...Array(54).keys()].map((slot) =>
  document.querySelector(`[data-letter="${slot}"]`).textContent).join('')"""


def made(text: str) -> CubeState:
    return carried_out(read_operations(text, str.split))[-1]


def random_operations(rng: random.Random) -> str:
    words = []
    for _ in range(rng.randrange(1, 9)):
        kind = rng.choice((CORNERS, EDGES))
        one, other = rng.sample(kind, 2)
        turn, signs = str(rng.choice(ALL_MOVES)), "+-" if kind is CORNERS else "+"
        words.append(rng.choice((turn, f"{one}-{other}", one + rng.choice(signs))))
    return " ".join(words)


def test_it_counts_and_judges_as_the_program_does(visit: Visit, tmp_path: Path) -> None:
    sheet, file = worksheet_named("delta"), tmp_path / "pieces.html"
    page_text = exercise_page("δ", "Move pieces.", sheet.goals, WORDS)
    file.write_text(page_text, encoding="utf-8")
    page = visit.open(file.as_uri(), settle=False)
    field, rng = page.locator(".typed"), random.Random(42)
    tetrads = [f"{a}-{b}" for a, b in (("URF", "ULB"), ("UFL", "DBL"), ("DLF", "ULB"))]
    texts = [*(random_operations(rng) for _ in range(10)), *tetrads, " ".join(tetrads), "T R’"]
    for text in texts:
        field.fill(text)
        plain = text.replace("T", "U").replace("’", "'")
        assert page.evaluate(NET) == made(plain).to_facelets().text, text
        said = [level.said for level in quantity_levels(made(plain), WORDS)]
        assert page.evaluate(SHOWN) == said, text
    field.fill("R2 nonsense")
    assert field.get_attribute("aria-invalid") == "true"

    page.locator("[data-do=clear]").click()
    for place in ("URF", "ULB"):
        page.locator(f'.figure [data-slot="{FIRST[place]}"]').click()
    assert field.input_value() == "URF-ULB"
    assert page.locator(".pairs td").all_text_contents()[2::3] == ["U", "F", "R"]
    for _ in range(2):
        page.locator(f'.figure [data-slot="{FIRST["UF"]}"]').click()
    page.locator("[data-turn=R2]").click()
    assert field.input_value() == "URF-ULB UF+ R2"
    page.locator("[data-do=undo]").click()
    assert field.input_value() == "URF-ULB UF+"
    assert barriers(page) == []
    shoot(page, "pieces")

    for reaching, reached in {  # the goals
        "UF-UB": [0],
        "URF-ULB UF-UB": [1],
        "URF-ULB URF-DLF": [2],
        "URF-ULB DLF-DRB": [3],
        "R2 R": [],
    }.items():
        page.reload()
        field.fill(reaching)
        goals = page.locator(".goals li")
        found = [n for n in range(4) if "reached" in (goals.nth(n).get_attribute("class") or "")]
        assert found == reached, reaching
