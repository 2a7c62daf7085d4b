"""No caption of `learn` is false, and the check of the captions notices false ones."""

import re
from dataclasses import replace

import pytest

from benchmarks.captions.__main__ import cubes, false_sentences, said
from benchmarks.captions.check import Caption, check_walk
from benchmarks.captions.sticker_cube import SOLVED, after, read, straight
from cube.held_moves import read_moves
from cube.state import SOLVED as SOLVED_STATE
from solver.tables import TableStore
from teaching.methods.catalogue import ENTRIES, load_method

STUCK = "fridrich-plain"  # it says what `fridrich` does, and solves few cubes only
NAMES = [entry.name for entry in ENTRIES if entry.name != STUCK]
# Other words or numbers than were said, and what they make false.
LIES = (
    (r"\b\d+ (?=edge|corner|piece|turn)", lambda text: f"{int(text) + 1} "),
    (r"already", lambda _: "at last"),
    (r"(?<=case )\d+", lambda text: str(int(text) % 21 + 1)),
    (r"three corners", lambda _: "three edges"),
    (r"three edges", lambda _: "three corners"),
    (r"Flip two edges", lambda _: "Twist two corners"),
    (r"(?<=commutator of )\S+(?= .* and|\S* and)", lambda _: "B"),
)


@pytest.mark.parametrize("name", NAMES)
def test_no_caption_is_false(name: str, store: TableStore) -> None:
    method = load_method(name, store)
    for state in cubes(name, 1 if name == "fridrich" else 3, seed=3):
        steps, mistakes = false_sentences(method, state)
        assert steps
        assert not mistakes, (state.to_facelets().text, mistakes)


def told(name: str, store: TableStore, seed: int = 4) -> tuple[str, list[Caption]]:
    """A cube and what is said of it."""
    state = next(cubes(name, 1, seed))
    return state.to_facelets().text, said(load_method(name, store), state)


@pytest.mark.parametrize("name", NAMES)
def test_a_caption_that_says_something_else_is_noticed(name: str, store: TableStore) -> None:
    facelets, steps = told(name, store)
    tried = 0
    for number, step in enumerate(steps):
        for pattern, lie in LIES:
            other = re.sub(pattern, lambda match, lie=lie: lie(match[0]), step.caption, count=1)
            if other != step.caption:
                tried += 1
                lied = [*steps[:number], replace(step, caption=other), *steps[number + 1 :]]
                assert [each.step for each in check_walk(facelets, lied)] == [number + 1], other
    assert tried or name == "layers"


@pytest.mark.parametrize("text", ["R U F' D2 L B", "M E' S2 R", "x y' M2", "S"])
def test_stickers_in_space_turn_as_the_programs_cube_does(text: str) -> None:
    state = SOLVED_STATE.apply(read_moves(text))
    assert read(state.to_facelets().text) == straight(after(SOLVED, text))
    assert read(state.to_facelets().text) == after(SOLVED, str(read_moves(text)))
