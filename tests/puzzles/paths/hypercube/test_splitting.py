"""The stage that brings a hypercube's pieces to their layers, and whole paths."""

import numpy as np
import pytest

from benchmarks.ways import played
from puzzles.groups.analysis import Analysis
from puzzles.groups.words import Alphabet
from puzzles.kinds.catalogue import puzzle_named
from puzzles.kinds.hypercube import Hypercube
from puzzles.kinds.puzzle import scrambled
from puzzles.paths.hypercube.codes import LayerCodes
from puzzles.paths.hypercube.layers import CellLayers
from puzzles.paths.hypercube.splitting import (
    LayerStage,
    arrangement_numbers,
    layer_stage,
    near_states,
    turned,
)
from puzzles.paths.hypercube.ways import hypercube_ways
from puzzles.paths.kernels.layers import ARRANGED, CORNERS_AT, EDGES_AT, SIX
from puzzles.paths.stage_beam import StageBeam
from solver.kernels.memory import make_read_only
from solver.tables import TableStore

PUZZLE = Hypercube()
LAYERED = CellLayers(PUZZLE, Alphabet(PUZZLE.turns, PUZZLE.pieces.turns))
LETTERS = LAYERED.keeping
HOME = PUZZLE.pieces.solved


def _word(length: int, seed: int) -> tuple[int, ...]:
    return tuple(int(n) for n in np.random.default_rng(seed).choice(LETTERS, length))


@pytest.fixture(scope="module")
def stage() -> LayerStage:
    """The stage with random distances, which take no time to make."""
    coding, rng = LayerCodes(LAYERED), np.random.default_rng(1)
    maps = coding.maps()._replace(alike=arrangement_numbers(coding))
    faces, edges, corners = (
        rng.integers(0, 9, size, dtype=np.uint8) for size in (27_720 * ARRANGED, 1 << 24, 1 << 24)
    )
    maps = maps._replace(faces=faces, edges=edges, corners=corners)
    make_read_only(*maps)
    inverses = [LETTERS.index(LAYERED.alphabet.inverse((letter,))[0]) for letter in LETTERS]
    keys, steps = near_states(coding.codes(HOME)[None], maps, inverses)
    return LayerStage(coding, LETTERS, maps, keys, steps)


def test_codes_follow_turns_and_totals_are_sums_of_distances(stage: LayerStage) -> None:
    there = HOME[LAYERED.alphabet.effect(_word(30, 2))]
    codes = stage.start(there)[None]
    totals = stage.rate(codes, np.array([len(LETTERS)]))[0]
    weights = 12 ** np.arange(SIX - 1, -1, -1)
    for turn, letter in enumerate(LETTERS):
        own = stage.start(there[LAYERED.alphabet.letters[letter]])
        made, _ = turned(codes, np.zeros(1, np.int64), np.full(1, turn), stage.maps)
        assert np.array_equal(made[0], own)
        one, two = (int(own[at : at + SIX].astype(np.int64) @ weights) for at in (0, SIX))
        both = int(stage.maps.alike[0, one]) * ARRANGED + int(stage.maps.alike[1, two]) % ARRANGED
        edges = int.from_bytes(own[EDGES_AT:CORNERS_AT].tobytes(), "little")
        corners = int.from_bytes(own[CORNERS_AT:].tobytes(), "little")
        parts = (stage.maps.faces[both], stage.maps.edges[edges], stage.maps.corners[corners])
        assert totals[turn] == 2 * sum(map(int, parts)) + (max(parts) > stage.reach - 1)


def test_arrangements_that_a_rotation_of_a_cell_makes_equal_have_one_number(
    stage: LayerStage,
) -> None:
    alike = stage.maps.alike
    for numbers in alike:
        counts = np.bincount(numbers[numbers >= 0])
        assert len(counts) == 27_720
        assert set(counts.tolist()) == {24}
    rotations = list(LAYERED.rotations[1].values())
    for seed in range(10):
        word = _word(10, seed)
        keys = set()
        for first in ((), (rotations[seed],)):  # a rotation before the turns only renames pieces
            codes = stage.start(HOME[LAYERED.alphabet.effect((*first, *word))])[None]
            still = np.full(1, len(LETTERS))
            keys.add(int(turned(codes, np.zeros(1, np.int64), still, stage.maps)[1][0]))
        assert len(keys) == 1


@pytest.mark.parametrize("length", [2, 3, 4, 5])
def test_near_states_are_led_to_layers_that_can_be_solved(stage: LayerStage, length: int) -> None:
    for seed in range(4):
        start = HOME[LAYERED.alphabet.effect(_word(length, seed))]
        codes = stage.start(start)[None]
        found = stage.endings(codes, np.zeros((1, len(LETTERS)), np.uint16))
        assert found
        assert min(len(word) for _, word in found) <= max(2, length)
        for _, word in found:
            end = stage.start(start[LAYERED.alphabet.effect(word)])
            masks = end[EDGES_AT:].tolist()
            assert masks == stage.start(HOME)[EDGES_AT:].tolist()


def test_a_beam_returns_only_words_that_fit(stage: LayerStage) -> None:
    start = HOME[LAYERED.alphabet.effect(_word(4, 3))]

    def solvable(word: tuple[int, ...]) -> bool:
        return LAYERED.solvable(start[LAYERED.alphabet.effect(word)])

    found = StageBeam(stage, 200).run(stage.start(start)[None], [()], 20, solvable)
    assert found
    assert all(map(solvable, found))
    assert [len(word) for word in found] == sorted(len(word) for word in found)
    nothing = StageBeam(stage, 200, tries=5)
    assert nothing.run(stage.start(start)[None], [()], 20, lambda _word: False) == []


@pytest.mark.exhaustive
@pytest.mark.timeout(900)
def test_whole_paths_solve_the_puzzle_in_space(store: TableStore) -> None:
    puzzle = puzzle_named("3x3x3x3")
    ways = hypercube_ways(Analysis(puzzle), store)
    assert ways is not None
    assert hypercube_ways(Analysis(puzzle_named("4x4x4")), store) is None
    for seed in (0, 1, 2, 7):  # for 7, the layers that the first beam finds are not solved
        state, made = scrambled(puzzle, 100, np.random.default_rng(seed))
        path = ways.between(state, puzzle.solved)
        assert path is not None
        assert len(path.turns) <= 200
        names = [turn.name for turn in (*made, *path.turns)]
        assert played("3x3x3x3", names).shows(played("3x3x3x3", []))


@pytest.mark.exhaustive
def test_distances_are_at_most_the_turns_made(store: TableStore) -> None:
    stage = layer_stage(LAYERED, store)
    for table in (stage.maps.faces, stage.maps.edges, stage.maps.corners):
        assert np.count_nonzero(table == 0) == 1
    for made in range(20):
        there = HOME[LAYERED.alphabet.effect(_word(made, made))]
        totals = stage.rate(stage.start(there)[None], np.array([len(LETTERS)]))[0].astype(int) // 2
        assert totals.max() <= 3 * (made + 1)
        assert np.ptp(totals) <= 3 * 2  # any two of these states are two turns apart
