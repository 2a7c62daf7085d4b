"""The stages of a Megaminx: their distances, their searches, and the paths that they give."""

import numpy as np
import pytest

from benchmarks.ways import played
from puzzles.groups.analysis import Analysis
from puzzles.groups.words import Alphabet
from puzzles.kinds.catalogue import puzzle_named
from puzzles.kinds.puzzle import scrambled
from puzzles.paths.few_faces import FewFaces, few_faces, numbering
from puzzles.paths.frames import orbits_of
from puzzles.paths.staged import StagedWays, staged_ways
from puzzles.paths.stages import StageTurns, stage_of
from solver.tables import TableStore

PUZZLE = puzzle_named("megaminx")
ALPHABET = Alphabet(PUZZLE.turns, PUZZLE.pieces.turns)
ORBITS = orbits_of(PUZZLE.pieces)
SOLVED = PUZZLE.pieces.solved
PAIR = StageTurns(ALPHABET, frozenset("AE"))


def _word(letters: tuple[int, ...], length: int, seed: int) -> tuple[int, ...]:
    rng = np.random.default_rng(seed)
    return tuple(int(letter) for letter in rng.choice(letters, length))


@pytest.fixture(scope="module")
def ways(store: TableStore) -> StagedWays[tuple[str, ...]]:
    found = staged_ways(Analysis(PUZZLE), store, budget_ms=300.0)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def faces(store: TableStore) -> FewFaces:
    return few_faces(PAIR, ORBITS, store)


def test_a_path_solves_the_puzzle_in_space(ways: StagedWays[tuple[str, ...]]) -> None:
    state, made = scrambled(PUZZLE, 100, np.random.default_rng(1))
    path = ways.between(state, PUZZLE.solved)
    assert path is not None
    assert len(path.turns) <= 100
    names = [turn.name for turn in (*made, *path.turns)]
    assert played("megaminx", names).shows(played("megaminx", []))


def test_turns_of_one_face_become_one() -> None:
    for letter in range(len(PUZZLE.turns)):
        assert ALPHABET.joined((letter,), ALPHABET.inverse((letter,))) == ()
        assert len(ALPHABET.joined((letter,), (letter,))) == 1


def test_only_a_megaminx_has_these_stages(store: TableStore) -> None:
    for name in ("3x3x3", "icosahedron", "pyraminx"):
        assert staged_ways(Analysis(puzzle_named(name)), store, budget_ms=300.0) is None


def test_sets_are_at_distance_zero_exactly_where_their_pieces_are_at_goals(
    store: TableStore,
) -> None:
    one = StageTurns(ALPHABET, frozenset("AE"))
    stage = stage_of(ORBITS, one, StageTurns(ALPHABET, frozenset("A")), store)
    maps = stage.maps
    for seed in range(20):
        codes = stage.start(SOLVED[ALPHABET.effect(_word(one.letters, seed % 5, seed))])
        total = 0
        for row, size, strides, first in zip(
            maps.members, maps.sizes, maps.strides, maps.offsets, strict=True
        ):
            index = first + int(codes[row[:size]].astype(np.int64) @ strides[:size])
            total += int(maps.distances[index])
        home = all(
            code in piece.goals for code, piece in zip(codes.tolist(), stage.pieces, strict=True)
        )
        assert (total == 0) == home


@pytest.mark.parametrize("length", [0, 1, 3, 6])
def test_two_faces_are_solved_in_no_more_turns_than_made(faces: FewFaces, length: int) -> None:
    made = ALPHABET.simple(_word(PAIR.letters, length, length))
    far = SOLVED[ALPHABET.effect(_word(PAIR.letters, 40, 1))]
    near = SOLVED[ALPHABET.effect(made)]
    elsewhere = ALPHABET.letters[StageTurns(ALPHABET, frozenset("L")).letters[0]]
    found = faces.nearest([elsewhere, far, near], [0, 30, 0])
    assert found is not None
    number, *word = found
    assert number == 2
    assert len(word) <= len(made)
    assert np.array_equal(near[ALPHABET.effect(tuple(word))], SOLVED)


def test_numbers_of_contents_follow_turns() -> None:
    """Two faces produce all even permutations of their eight corners."""
    effects = [ALPHABET.letters[letter] for letter in PAIR.letters]
    slots = np.array([slot for row in ORBITS[1].slots for slot in row])
    labels = np.zeros(len(SOLVED), np.uint8)
    labels[ORBITS[1].slots] = np.arange(20)[:, None]
    numbers = numbering(effects, slots, labels)
    assert len(numbers.looks) == 8 * 7 * 6 * 5 * 4 * 3
    assert numbers.number(SOLVED) == 0
    state, number = SOLVED, 0
    for turn in _word(tuple(range(len(effects))), 30, 3):
        state, number = state[effects[turn]], int(numbers.turned[number, turn])
        assert numbers.number(state) == number
