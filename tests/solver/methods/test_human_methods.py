"""How S2's and S1's methods go about it: the stages of Fridrich and of layers, and commutators."""

import numpy as np

from cube.held_moves import read_moves
from cube.laws import permutation_parity
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from solver.methods.fridrich import Fridrich
from solver.methods.last_layer import first_two_layers_solved
from solver.methods.layers import LayerByLayer
from solver.methods.method import moved_pieces, walk
from solver.methods.tools import commutator


def states(count: int, seed: int = 2) -> list[CubeState]:
    rng = np.random.default_rng(seed)
    return [random_state(rng) for _ in range(count)]


def test_fridrich_places_more_with_every_stage_and_beats_its_figures() -> None:  # S2
    walks = [walk(Fridrich(), state) for state in states(10)]
    assert np.mean([len(each.moves) for each in walks]) < 85  # S2: 101; a thousand in docs
    for each in walks:
        here = each.state
        for step in each.steps:
            before, here = here, here.apply(step.moves)
            home = [
                piece for piece in step.pieces if piece not in moved_pieces(SOLVED, here.inverse())
            ]
            if step.name in {"cross", "first-layer corners", "second-layer edges"}:
                assert home == list(step.pieces)
            if step.name in {"OLL", "PLL"}:
                assert first_two_layers_solved(before)


def test_layers_solve_with_and_without_parity() -> None:  # S1
    seen = set()
    for state in states(8):
        names = [step.name for step in walk(LayerByLayer(), state).steps]
        seen.add("parity" in names)
        order = list(dict.fromkeys(names))
        assert order == [name for name in ORDER if name in order]
    assert seen == {True, False}


ORDER = [
    *("first-layer edge", "first-layer corner", "middle-layer edge", "parity"),
    *("corners placed", "edges placed", "corners turned", "edges turned"),
]


def test_the_maes_formula_touches_little_of_the_top_and_nothing_below() -> None:
    # S1
    for x, t, setup, moved, turned in (
        ("R' E' R2 E2 R'", "U", "", 2, 2),  # flips two edges
        ("R' D2 R F D2 F'", "U2", "", 2, 3),  # twists two corners
        ("F", "R' B2 R", "R'", 3, 0),  # cycles three corners
        ("M", "U2", "M2 U", 3, 0),  # cycles three edges
    ):
        for quarters in range(4):
            effect = commutator(x, t, setup, quarters).effect
            assert first_two_layers_solved(effect)
            assert len(moved_pieces(SOLVED, effect)) == moved
            assert sum(effect.edge_orientation) + sum(effect.corner_orientation) == turned
            back = commutator(x, t, setup, quarters, undo=True).effect
            assert effect * back == SOLVED
            assert permutation_parity(effect.corner_permutation) == 0
    # S1
    for text in ("R' D2 R F D2 F'", "R' E' R2 E2 R' E'"):  # the last turns the slice back
        effect = SOLVED.apply(read_moves(text))
        top = [name for name in moved_pieces(SOLVED, effect) if "U" in name]
        assert len(top) == 1
