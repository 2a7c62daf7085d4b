"""How large cubes are reduced to a 3×3×3: frames, masks and pairs follow turns, paths lead home."""

from functools import cache
from math import gcd

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.laws import orbit_of
from cube.moves import MoveSequence
from cube.state import SOLVED
from puzzles.groups.words import Alphabet
from puzzles.kinds.box import Box
from puzzles.kinds.puzzle import scrambled, turned
from puzzles.paths.chained import WordChain
from puzzles.paths.frames import LinkFrame
from puzzles.paths.kernels.mask_beam import REFUSED, sort_totals
from puzzles.paths.kernels.pairs import ORDERS
from puzzles.paths.large.axis_tables import AXES
from puzzles.paths.large.centres import RINGS, CentrePhase
from puzzles.paths.large.cube_turns import CubeTurns, wide_count
from puzzles.paths.large.four_geometry import FourGeometry
from puzzles.paths.large.frames import edge_frames, exchange_names, reduced
from puzzles.paths.large.masks import index_of, mask_distances
from puzzles.paths.large.reduction import AxesReducer, big_cube_ways
from solver.tables import TableStore

FACE_TURNS = st.lists(st.sampled_from(["R", "U'", "F2", "D", "L'", "B"]), min_size=1, max_size=12)
SIDES = (4, 5, 7)


def phases_of(box: Box) -> list[CentrePhase]:
    turns, rings = CubeTurns(box), (True, False) if box.sides[0] >= RINGS else (None,)
    parts = [(n, inner) for n in range(2) for inner in rings] + [(2, None)]
    return [CentrePhase(turns, TableStore(), n, inner) for n, inner in parts]


def frames_of(box: Box) -> list[LinkFrame]:
    return [*(phase.frame for phase in phases_of(box)), *edge_frames(box.pieces, box.sides[0])]


@pytest.mark.parametrize("side", SIDES)
@settings(max_examples=2)
@given(names=FACE_TURNS)
def test_face_turns_leave_a_reduced_cube_reduced(side: int, names: list[str]) -> None:
    """It goes as the 3×3×3 goes, and fulfils every check of all frames."""
    box = Box(side, side, side)
    state = turned(box, box.solved, " ".join(names))
    assert reduced(state, side) == SOLVED.apply(MoveSequence.parse(" ".join(names)))
    for frame in frames_of(box):
        labels = frame.labels(box.arrangement(state))
        assert frame.checks.score(labels[None]) == [len(frame.checks.pairs)]


@pytest.mark.parametrize("side", SIDES)
@settings(max_examples=2)
@given(data=st.data())
def test_labels_follow_turns(side: int, data: st.DataObject) -> None:
    """What a turn does to a frame's slots is what it does to the stickers in them."""
    box = Box(side, side, side)
    numbers = data.draw(st.lists(st.integers(0, len(box.turns) - 1), max_size=8))
    state, frames = box.solved, frames_of(box)
    rows = [frame.labels(box.arrangement(state)) for frame in frames]
    done = box.pieces.solved
    for number in numbers:
        turn = box.turns[number]
        done = done[box.pieces.turns[turn.name]]
        rows = [row[frame.turns[number]] for row, frame in zip(rows, frames, strict=True)]
    for row, frame in zip(rows, frames, strict=True):
        assert np.array_equal(row, frame.labels(done))


@pytest.mark.parametrize("side", [4, 6])
def test_the_exchange_is_what_no_face_turns_make(side: int) -> None:
    box = Box(side, side, side)
    state = turned(box, box.solved, " ".join(exchange_names(side)))
    assert orbit_of(reduced(state, side)).number == 1
    labels = [frame.labels(box.arrangement(state))[None] for frame in frames_of(box)]
    for frame, row in zip(frames_of(box), labels, strict=True):
        assert frame.checks.score(row) == [len(frame.checks.pairs)]
    assert exchange_names(side + 1) == []


def test_wings_are_joined_orbit_by_orbit_and_those_joined_stay() -> None:
    """A slice of outer wings parts their own checks only; one of inner wings parts them all."""
    box = Box(7, 7, 7)
    inner, outer = edge_frames(box.pieces, 7)
    assert len(inner.checks.pairs) == len(outer.checks.pairs) == 24
    names = [turn.name for turn in box.turns]
    for word, parts_inner in (("2R U 2R'", False), ("3R U 3R'", True)):
        for frame in (inner, outer):
            effect = np.arange(frame.turns.shape[1])
            for name in word.split():
                effect = effect[frame.turns[names.index(name)]]
            own = bool(frame.checks.parted(effect[None])[0])
            assert own == (parts_inner or frame is outer)
            if frame is outer:
                joined = frame.kept.images(effect[None])[0, -24:]
                assert bool((joined < 0).any()) == parts_inner


@pytest.mark.parametrize("side", [5, 7])
@settings(max_examples=3)
@given(data=st.data())
def test_usable_turns_keep_what_earlier_phases_brought_about(
    side: int, data: st.DataObject
) -> None:
    """Neither the masks of earlier phases nor the conditions kept by macros change."""
    phases = phases_of(Box(side, side, side))
    for number, phase in enumerate(phases):
        turns = phase.turns.turns
        usable = [n for n, flag in enumerate(phase.usable) if flag]
        state = phase.turns.puzzle.pieces.solved
        for turn in data.draw(st.lists(st.sampled_from(usable), min_size=1, max_size=6)):
            state = state[turns[turn].effect]
        for earlier in phases[:number]:
            solved = phase.turns.puzzle.pieces.solved
            assert (earlier.masks(state[None]) == earlier.masks(solved[None])).all()
        effects = np.stack([phase.frame.turns[turns[n].word[0]] for n in usable])
        assert not phase.frame.kept.parted(effects).any()


def test_any_axis_may_come_home_first(store: TableStore) -> None:
    """The words for a rotated cube are turned back: they bring home centres of the given one."""
    box = Box(5, 5, 5)
    turns, alphabet = CubeTurns(box), Alphabet(box.turns, box.pieces.turns)
    first = WordChain((CentrePhase(turns, store, 0, width=300),), 10)
    reducer = AxesReducer(turns, first, WordChain(()))
    centres = np.concatenate([o.slots[:, 0] for o in turns.orbits if o.slots.shape[1] == 1])
    own, chosen = turns.faces[centres] % AXES, set[int]()
    for seed in range(3):
        start = box.arrangement(scrambled(box, 100, np.random.default_rng(seed))[0])
        for word in reducer.words(start, 10):
            there = turns.faces[start[alphabet.effect(word)][centres]] % AXES
            whole = {axis for axis in range(AXES) if (there[own == axis] == axis).all()}
            assert whole
            chosen |= whole
    assert len(chosen) > 1


@pytest.mark.exhaustive
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("side", "most"), [(5, 110), (6, 200), (7, 300)])
def test_paths_lead_home_within_two_seconds(store: TableStore, side: int, most: int) -> None:
    box = Box(side, side, side)
    state = scrambled(box, 100, np.random.default_rng(side))[0]
    path = big_cube_ways(box, store, budget_ms=2000.0).between(state, box.solved)
    assert path is not None
    assert turned(box, state, " ".join(turn.name for turn in path.turns)) == box.solved
    assert len(path.turns) <= most


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


@settings(max_examples=10)
@given(
    rows=st.lists(st.lists(st.integers(0, 60), min_size=3, max_size=3), min_size=1, max_size=8),
    far=st.sets(st.integers(0, 23)),
    room=st.integers(1, 30),
    step=st.integers(1, 40),
)
def test_the_least_totals_come_first(
    rows: list[list[int]], far: set[int], room: int, step: int
) -> None:
    """They are those at the head of the sorted list, without turns that may not follow."""
    totals = np.array(rows, np.int32)
    totals.ravel()[[at for at in far if at < totals.size]] = REFUSED
    while gcd(step, totals.size) > 1:
        step += 1
    best = np.full(room, -1)
    count = sort_totals(totals, step, best)
    wanted = sorted(total for total in totals.ravel().tolist() if total < REFUSED)[:room]
    assert totals.ravel()[best[:count]].tolist() == wanted
    assert len(set(best[:count].tolist())) == count
