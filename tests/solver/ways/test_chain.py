"""Macros, beams and the peephole, on the cube with three faces."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.groups.words import Alphabet
from solver.puzzles.catalogue import puzzle_named
from solver.ways.frames import Frame
from solver.ways.macros import Macros, Recipe, macro_tables, macros_of
from solver.ways.peephole import Peephole
from solver.ways.placing import orbits_of, placing_frames

PUZZLE = puzzle_named("RUF")
ALPHABET = Alphabet(PUZZLE.turns, PUZZLE.pieces.turns)
WORDS = st.lists(st.integers(0, len(PUZZLE.turns) - 1), max_size=30).map(tuple)


@pytest.fixture(scope="module")
def links() -> list[tuple[Frame, Macros]]:
    inverse = [ALPHABET.inverse((letter,))[0] for letter in range(len(PUZZLE.turns))]
    recipe = Recipe(words=100, inner=50, tries=200_000, most=3000)
    frames = placing_frames(PUZZLE.pieces, orbits_of(PUZZLE.pieces))
    tables = [macro_tables(frame, inverse, recipe) for frame in frames]
    made = [macros_of(table.build(lambda _share: None)) for table in tables]
    return list(zip(frames, made, strict=True))


def test_macros_do_what_their_words_do_and_keep_what_was_brought_about(
    links: list[tuple[Frame, Macros]],
) -> None:
    for frame, macros in links:
        for number in np.random.default_rng(1).integers(0, len(macros.costs), 60).tolist():
            word = macros.word(number)
            effect = np.arange(frame.turns.shape[1])
            for letter in word:
                effect = effect[frame.turns[letter]]
            assert len(word) == macros.costs[number]
            assert np.array_equal(effect, macros.effects[number])
        assert not frame.kept.parted(macros.effects).any()


@settings(max_examples=10)
@given(word=WORDS)
def test_the_peephole_shortens_and_changes_nothing(word: tuple[int, ...]) -> None:
    peephole = Peephole(ALPHABET)
    shorter = peephole.shortened(word)
    assert np.array_equal(ALPHABET.effect(shorter), ALPHABET.effect(word))
    assert len(shorter) <= len(word)
    assert peephole.shortened((*word, *ALPHABET.inverse(word))) == ()
