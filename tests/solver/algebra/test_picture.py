"""Pictures of words: what moves is marked, arrows follow it, and nothing else is needed."""

import re
from xml.etree import ElementTree as ET

import numpy as np

from solver.algebra.cycles import Element
from solver.algebra.picture import draw_word
from solver.puzzles.catalogue import puzzle_named

SVG = "{http://www.w3.org/2000/svg}"


def drawn(name: str, moves: str) -> tuple[ET.Element, Element]:
    puzzle = puzzle_named(name)
    done = puzzle.pieces.solved
    for move in moves.split():
        done = done[puzzle.pieces.turns[move]]
    element = Element(puzzle.pieces, done)
    text = draw_word(moves, puzzle.drawn(puzzle.solved), element)
    assert "prefers-color-scheme:dark" in text
    assert not re.search(r"href|url\(|<script|@import", text)
    return ET.fromstring(text), element


def arrows(picture: ET.Element) -> list[ET.Element]:
    return [path for path in picture.iter(f"{SVG}path") if path.get("class") is None]


def test_exactly_the_stickers_that_move_have_a_rim() -> None:
    for name in ("3x3x3", "2x2x2", "4x4x4", "3x3x3x3", "2x3x4", "RU"):
        turn = next(iter(puzzle_named(name).pieces.turns))
        picture, element = drawn(name, turn)
        classes = [sticker.get("class") for sticker in picture.iter(f"{SVG}polygon")]
        done = element.arrangement
        assert classes.count("rim") == np.count_nonzero(done != np.arange(len(done)))
        assert classes.count("rim") + classes.count("plain still") == len(done)


def test_an_arrow_leads_where_the_sticker_goes() -> None:
    """U carries the sticker R1 to F1: from the right face on the net to the one left of it."""
    picture, element = drawn("3x3x3", "U")
    (corners, _) = element.kinds
    assert str(corners.cycles[0]) == "(URF UFL ULB UBR)"
    starts = [tuple(map(float, re.findall(r"[\d.]+", a.get("d", ""))[:2])) for a in arrows(picture)]
    assert starts[0][0] > starts[1][0]  # U9, then U7
    assert starts[0][1] > starts[2][1]  # U9, then U1


def test_other_puzzles_are_drawn_and_nothing_moves_in_an_empty_word() -> None:
    for name in ("pyraminx", "dodecahedron", "balls-cube", "three-colour"):
        turns = list(puzzle_named(name).pieces.turns)
        picture, _ = drawn(name, f"{turns[0]} {turns[-1]}")
        assert arrows(picture)
    picture, _ = drawn("3x3x3", "")
    assert not arrows(picture)
    assert any(text.text for text in picture.iter(f"{SVG}text"))
