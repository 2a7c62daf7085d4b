"""Faces that are turned, come in any order or are mirrored."""

from itertools import permutations, product

import numpy as np
import pytest
from even_light import decode_lab, pictures_of, seen
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cube.facelets import SOLVED_FACELETS, Facelets
from cube.laws import ORBITS
from cube.moves import MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED
from vision.decoding.face_turns import make_placement
from vision.decoding.legal_search import arrangement_orbit, cheapest_legal, search_legal
from vision.reading import CubeReading, ReadingState


def parity(permutation: tuple[int, ...]) -> int:
    return sum(a > b for i, a in enumerate(permutation) for b in permutation[i + 1 :]) % 2


def every_legal(corner_costs: np.ndarray, edge_costs: np.ndarray) -> list[tuple]:
    """All arrangements with their costs, by brute force: what the search must agree with."""
    kinds = []
    for costs in (corner_costs, edge_costs):
        count, _, turns = costs.shape
        kinds.append(
            [
                (
                    parity(pieces),
                    sum(costs[i, p, t] for i, (p, t) in enumerate(zip(pieces, turn, strict=True))),
                    (pieces, turn),
                )
                for pieces in permutations(range(count))
                for turn in product(range(turns), repeat=count)
                if sum(turn) % turns == 0
            ]
        )
    return sorted((c[1] + e[1], c[2], e[2]) for c in kinds[0] for e in kinds[1] if c[0] == e[0])


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=10, deadline=None)
def test_agrees_with_brute_force_on_small_puzzles(seed: int) -> None:
    rng = np.random.default_rng(seed)
    corner_costs, edge_costs = rng.uniform(0, 5, (3, 3, 3)), rng.uniform(0, 5, (3, 3, 2))
    all_states = every_legal(corner_costs, edge_costs)
    found = search_legal(corner_costs, edge_costs)
    cost, corners, edges = cheapest_legal(corner_costs, edge_costs)
    assert found.cost == pytest.approx(all_states[0][0])
    assert cost == pytest.approx(all_states[0][0])
    assert found.margin == pytest.approx(all_states[1][0] - all_states[0][0])
    assert (tuple(found.corners[0]), tuple(found.corners[1])) == all_states[0][1]
    assert (tuple(edges[0]), tuple(edges[1])) == all_states[0][2]
    assert (corners[0] == found.corners[0]).all()
    for place, piece, turn in product(range(3), repeat=3):
        with_it = [s[0] for s in all_states if s[1][0][place] == piece and s[1][1][place] == turn]
        assert found.corner_marginals[place, piece, turn] == pytest.approx(min(with_it))
    for place, piece, turn in product(range(3), range(3), range(2)):
        with_it = [s[0] for s in all_states if s[2][0][place] == piece and s[2][1][place] == turn]
        assert found.edge_marginals[place, piece, turn] == pytest.approx(min(with_it))


def test_an_arrangement_lies_in_the_orbit_of_its_cube() -> None:
    for orbit in ORBITS:
        state = random_state(np.random.default_rng(orbit.number), orbit)
        corners = np.array([state.corner_permutation, state.corner_orientation])
        edges = np.array([state.edge_permutation, state.edge_orientation])
        assert arrangement_orbit(corners, edges) == orbit


def is_read_or_ambiguous(reading: CubeReading, truth: Facelets) -> bool:
    """Read right; or, as one random cube in some thousands, the same when two faces are turned."""
    if reading.state is ReadingState.AMBIGUOUS:
        return truth in {reading.best, *reading.alternatives}
    return reading.facelets == truth


@given(st.integers(0, 2**32 - 1))
@example(35540190)  # ambiguous
@settings(max_examples=3, deadline=None)
def test_faces_may_be_turned_and_come_in_any_order(seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = random_state(rng).to_facelets()
    turns = [int(turn) for turn in rng.integers(0, 4, 6)]
    turned = make_placement(range(6), turns)
    reading = decode_lab(pictures_of(seen(truth, rng), turned), any_orientation=True)
    assert is_read_or_ambiguous(reading, truth)
    assert reading.cells == tuple(turned.cells) or reading.best != truth
    shuffled = make_placement([int(picture) for picture in rng.permutation(6)], turns)
    shown = pictures_of(seen(truth, rng), shuffled)
    assert is_read_or_ambiguous(decode_lab(shown, any_order=True), truth)


def test_turned_faces_are_read_and_mirrored_ones_are_noticed() -> None:
    rng = np.random.default_rng(0)
    truth = random_state(rng).to_facelets()
    shown = pictures_of(seen(truth, rng), make_placement((3, 1, 0, 5, 2, 4), (0, 1, 2, 3, 0, 1)))
    assert decode_lab(shown, any_order=True).facelets == truth  # and not only called ambiguous
    flipped = pictures_of(seen(truth, rng), make_placement(mirrored=True))
    for options in ({}, {"any_orientation": True}, {"any_order": True}):
        reading = decode_lab(flipped, **options)
        assert reading.mirrored
        assert not reading.accepted


def test_a_cube_that_rotated_faces_leave_ambiguous_is_said_to_be_so() -> None:
    rng = np.random.default_rng(4)
    cross = SOLVED.apply(MoveSequence.parse("F2 L2 F2 L2"))
    reading = decode_lab(seen(cross.to_facelets(), rng), any_orientation=True)
    assert reading.state is ReadingState.AMBIGUOUS
    assert not reading.accepted
    assert reading.best not in reading.alternatives
    assert reading.alternatives
    solved = decode_lab(seen(SOLVED_FACELETS, rng), any_orientation=True)
    assert solved.facelets == SOLVED_FACELETS  # a face of one colour may be turned at will
