"""Shortest ways without quarter turns of R and L (S3's Φ1); the tables' cube is turned about U."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.moves import ALL_MOVES, MoveSequence
from cube.state import SOLVED
from puzzles.groups.searches import shortest
from puzzles.kinds.catalogue import puzzle_named
from puzzles.kinds.cubes import CubePuzzle
from puzzles.kinds.puzzle import may_follow, scrambled
from puzzles.paths import phi_one_search
from puzzles.paths.kernels.phi_one import LAYERS, ORDERS, TWISTS, Maps, grow, mark
from puzzles.paths.phi_one_coordinates import TURNS, state_numbers, turn_images
from puzzles.paths.phi_one_search import about_u, is_phi_one, layers_of_keys, turns_after
from solver.kernels.memory import Bytes
from solver.tables import TableStore
from tests.shared.key_sets import claims


def test_only_phi_one_is_phi_one() -> None:
    assert is_phi_one(puzzle_named("phi1"))
    assert not any(is_phi_one(puzzle_named(name)) for name in ("3x3x3", "phi2", "4x4x4", "RUDL"))


def test_the_chain_through_phi_two_leads_home() -> None:
    puzzle = puzzle_named("phi1")
    assert isinstance(puzzle, CubePuzzle)
    state = scrambled(puzzle, 60, np.random.default_rng(1))[0]
    found = phi_one_search.PhiOneWays(puzzle, {}).through_phi_two(about_u(state))
    assert found is not None
    for turn in found.turns:
        state = puzzle.apply(state, turn)
    assert state == puzzle.solved
    assert len(found.turns) <= 12 + 18


@pytest.mark.exhaustive
@pytest.mark.timeout(1800)
def test_ways_are_shortest(store: TableStore) -> None:
    """Against a search that knows nothing of tables; and of far states none is too long."""
    puzzle = puzzle_named("phi1")
    assert isinstance(puzzle, CubePuzzle)
    ways = phi_one_search.load_phi_one(puzzle, store)
    for seed in range(12):
        state = scrambled(puzzle, 1 + seed % 6, np.random.default_rng(seed))[0]
        way, known = ways.between(state, puzzle.solved), shortest(puzzle, state, 6)
        assert way is not None
        assert known is not None
        assert len(way.turns) == len(known)
    state = scrambled(puzzle, 12, np.random.default_rng(1))[0]
    way = ways.between(state, puzzle.solved)
    assert way is not None
    assert len(way.turns) <= 12
    for turn in way.turns:
        state = puzzle.apply(state, turn)
    assert state == puzzle.solved


WORDS = st.lists(st.integers(0, len(TURNS) - 1), max_size=30)


@pytest.fixture(scope="module")
def maps() -> Maps:
    made = phi_one_search.number_maps()
    for array in made.values():
        array.flags.writeable = False
    return phi_one_search.maps_of(made)


def turned(word: list[int]) -> list[int]:
    return state_numbers(SOLVED.apply(MoveSequence(tuple(ALL_MOVES[TURNS[n]] for n in word))))


@settings(max_examples=20)
@given(WORDS)
def test_the_numbers_follow_the_turns(maps: Maps, word: list[int]) -> None:
    numbers = state_numbers(SOLVED)
    for turn in word:
        permutation, twist, *edges = numbers
        numbers = [int(maps.permutations_by[permutation, turn]), int(maps.twists_by[twist, turn])]
        numbers += [int(maps.layers_by[edge, turn]) for edge in edges]
    assert numbers == turned(word)


@settings(max_examples=30)
@given(WORDS, st.integers(0, 15))
def test_a_symmetry_makes_of_a_state_what_its_turns_make(
    maps: Maps, word: list[int], symmetry: int
) -> None:
    permutation, twist, s, m, e = turned(word)
    image = turned([int(turn_images()[symmetry, turn]) for turn in word])
    second, third = int(maps.layers_as[symmetry, 1, m]), int(maps.layers_as[symmetry, 2, e])
    if maps.swaps[symmetry]:
        second, third = third, second
    assert image[1:] == [
        maps.twists_as[symmetry, twist],
        maps.layers_as[symmetry, 0, s],
        second,
        third,
    ]
    assert maps.least[image[0]] == maps.least[permutation] <= image[0]
    if maps.leading[permutation] >> symmetry & 1:
        assert image[0] == maps.least[permutation]


def test_symmetries_are_sixteen_and_turns_that_may_follow_are_those_of_every_puzzle() -> None:
    images = turn_images()
    assert images.shape == (16, 14)
    assert len({tuple(row) for row in images.tolist()}) == 16
    half = np.array([ALL_MOVES[turn].turns == 2 for turn in TURNS])
    assert (half[images] == half).all()
    by_name = {turn.name: turn for turn in puzzle_named("3x3x3").turns}
    turns = [by_name[str(ALL_MOVES[turn])] for turn in TURNS]
    order = {turn.name: number for number, turn in enumerate(turns)}
    for last, allowed in zip((*turns, None), turns_after().tolist(), strict=True):
        for turn in turns:
            assert (allowed >> order[turn.name] & 1) == may_follow(last, turn, order)


def test_a_set_claims_all_states_of_few_turns_and_few_others(maps: Maps) -> None:
    """Those up to four turns: two layers, and two turns more; symmetric ones are found, too."""
    marks, bits = np.zeros(1 << 17, np.uint8), 20
    for keys in (layers := layers_of_keys(maps, 2)):
        mark(keys, 2, turns_after(), marks, bits, maps)
    assert [len(layer) for layer in layers] == [1, 3, 14]
    rng = np.random.default_rng(1)
    words = [rng.integers(len(TURNS), size=length).tolist() for length in [1, 2, 3, 4] * 50]
    assert all(_claims(marks, bits, word, maps) for word in words)
    far = [rng.integers(len(TURNS), size=40).tolist() for _ in range(100)]
    assert sum(_claims(marks, bits, word, maps) for word in far) < 10


def _claims(marks: Bytes, bits: int, word: list[int], maps: Maps) -> bool:
    """Whether a set claims the state that a word leads to."""
    permutation, twist, s, m, e = turned(word[:-1])
    before = (((permutation * TWISTS + twist) * LAYERS + s) * LAYERS + m) * ORDERS + e % ORDERS
    keys = np.empty(len(TURNS), np.uint64)
    grow(np.array([before], np.uint64), keys, maps)
    return bool(claims(keys[word[-1] :][:1], marks.ctypes.data, bits))
