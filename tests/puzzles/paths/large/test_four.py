"""The three phases of the 4 × 4 × 4: coordinates follow turns, and words reduce states."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.laws import orbit_of
from cube.state import SOLVED
from puzzles.kinds.box import Box
from puzzles.kinds.puzzle import scrambled, turned
from puzzles.paths.kernels.pairs import ORDERS
from puzzles.paths.large.cube_turns import CubeTurns, wide_count
from puzzles.paths.large.four_geometry import FourGeometry
from puzzles.paths.large.frames import reduced
from puzzles.paths.large.masks import index_of, mask_distances
from puzzles.paths.large.reduction import big_cube_ways
from solver.tables import TableStore

CUBE = Box(4, 4, 4)


@cache
def geometry(wide: bool) -> FourGeometry:
    return FourGeometry(CubeTurns(CUBE, wide=wide))


@settings(max_examples=20)
@given(wide=st.booleans(), data=st.data())
def test_masks_and_pairs_follow_turns(wide: bool, data: st.DataObject) -> None:
    """From the solved cube by turns of the last phase: as the stickers go, so go the numbers."""
    cube = geometry(wide)
    usable = [n for n in range(36) if cube.usable[2] >> n & 1]
    state, pairs = CUBE.pieces.solved, cube.pairs(CUBE.pieces.solved)
    for number in data.draw(st.lists(st.sampled_from(usable), max_size=12)):
        before, state = state, cube.played(state, [number])
        pairs = cube.pair_maps.second[number][pairs[cube.pair_maps.first[number]]]
        assert np.array_equal(pairs, cube.pairs(state))
        for maps, mask in ((cube.third_maps, cube.third_mask), (cube.wing_maps, cube.second_mask)):
            parts = [maps.bytes_by[number, i, mask(before) >> 8 * i & 255] for i in range(3)]
            parity = mask(before) >> 24 ^ int(maps.odd[number])
            assert mask(state) == int(np.bitwise_or.reduce(parts)) | parity << 24


def test_the_first_phase_takes_eight_turns_at_most() -> None:
    """All 735 471 places of eight centres are reached, as published for this phase."""
    cube = geometry(False)
    home = cube.first_mask(CUBE.pieces.solved)
    distances = mask_distances([home], cube.usable[0], cube.centre_maps)
    assert distances[index_of(home, cube.centre_maps)] == 0
    counts = np.bincount(distances, minlength=256)
    assert counts[:9].sum() == 735_471
    assert counts[9:255].sum() == 0


def test_classes_of_pairs_have_all_their_members() -> None:
    """Every class has eight members divided by the reflections that keep its first one."""
    maps = geometry(False).pair_maps
    kept = [int(bits).bit_count() for bits in maps.fixing]
    assert sum(8 // count for count in kept) == 11_880
    assert len(maps.members) * ORDERS == 31_449_600


@settings(max_examples=50)
@given(layers=st.lists(st.integers(0, 11), max_size=6), seed=st.integers(0, 99))
def test_turns_together_count_no_more_than_turns_alone(layers: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    turns = [CUBE.turns[3 * layer + int(rng.integers(3))] for layer in layers]
    assert wide_count(CUBE, turns) <= 2 * len(turns)
    assert wide_count(CUBE, [*turns, *turns]) <= 2 * wide_count(CUBE, turns)


@pytest.mark.parametrize(
    ("names", "count"),
    [("R 2R", 1), ("R 2R 3R", 1), ("2R", 2), ("R 2R'", 2), ("R L", 2), ("R 2R 3R L'", 2), ("", 0)],
)
def test_layers_from_one_side_turn_together(names: str, count: int) -> None:
    known = {turn.name: turn for turn in CUBE.turns}
    assert wide_count(CUBE, [known[name] for name in names.split()]) == count


@pytest.mark.exhaustive
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("wide", "most"), [(False, 46), (True, 52)])
def test_words_reduce_random_states(store: TableStore, wide: bool, most: int) -> None:
    """In two seconds each, whichever turns count for one."""
    ways = big_cube_ways(CUBE, store, wide=wide, budget_ms=2000.0)
    for seed in range(3):
        state = scrambled(CUBE, 100, np.random.default_rng(seed))[0]
        for word in ways.reducer.words(CUBE.arrangement(state), 20):
            there = CUBE.arrangement(state)[ways.alphabet.effect(word)]
            assert orbit_of(reduced(CUBE.state(there), 4)) == orbit_of(SOLVED)
        path = ways.between(state, CUBE.solved)
        assert path is not None
        assert turned(CUBE, state, " ".join(turn.name for turn in path.turns)) == CUBE.solved
        count = wide_count(CUBE, path.turns) if wide else len(path.turns)
        assert count <= most
