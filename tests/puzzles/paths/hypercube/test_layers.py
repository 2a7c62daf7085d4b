"""The hypercube's layers as three cubes, and the frames that prepare them."""

import numpy as np
import pytest

from cube.moves import FACES, Move
from cube.state import SOLVED
from puzzles.groups.words import Alphabet
from puzzles.kinds.hypercube import Hypercube
from puzzles.kinds.pieces import Arrangement
from puzzles.paths.frames import orbits_of
from puzzles.paths.hypercube.layers import ENDS, LAYERS, OUTER, CellLayers
from puzzles.paths.hypercube.stacking import LayerSolver
from puzzles.paths.hypercube.ways import axis_frames
from solver.search.objectives import load_tables
from solver.tables import TableStore

PUZZLE = Hypercube()
LAYERED = CellLayers(PUZZLE, Alphabet(PUZZLE.turns, PUZZLE.pieces.turns))
HOME = PUZZLE.pieces.solved
ROTATIONS = [letter for layer in OUTER for letter in LAYERED.rotations[layer].values()]


def _after(letters: list[int], length: int, seed: int) -> Arrangement:
    word = np.random.default_rng(seed).choice(letters, length)
    return HOME[LAYERED.alphabet.effect(tuple(int(letter) for letter in word))]


def test_a_turn_about_the_axis_turns_the_same_face_of_all_three_cubes() -> None:
    assert len(LAYERED.faces) == 18
    for text, letter in LAYERED.faces.items():
        for layer in LAYERS:
            cube = LAYERED.cube(LAYERED.alphabet.letters[letter], layer)
            assert cube is not None
            assert cube.state == SOLVED.apply(Move.parse(text))
            assert cube.centres == tuple(FACES)


def test_a_turn_of_an_outer_cell_rotates_its_cube_only() -> None:
    for layer in OUTER:
        assert len(LAYERED.rotations[layer]) == 23
        for centres, letter in LAYERED.rotations[layer].items():
            cubes = {at: LAYERED.cube(LAYERED.alphabet.letters[letter], at) for at in LAYERS}
            assert all(cube is not None and cube.state == SOLVED for cube in cubes.values())
            turned = {at for at, cube in cubes.items() if cube and cube.centres != tuple(FACES)}
            assert turned == {layer}
            assert centres != tuple(FACES)


def test_layers_that_turns_cannot_solve_are_refused() -> None:
    about = [*LAYERED.faces.values(), *ROTATIONS]
    for seed in range(5):
        there = _after(about, 30, seed)
        assert LAYERED.solvable(there)
        swapped = there.copy()
        one, two = (LAYERED.facelets[1][at] for at in ([5, 10], [7, 19]))  # the edges UR and UF
        swapped[one], swapped[two] = there[two], there[one]
        assert not LAYERED.solvable(swapped)
        assert not LAYERED.solvable(_after(list(LAYERED.keeping), 30, seed))


@pytest.mark.parametrize("axis", range(4))
def test_a_rotation_of_the_whole_puzzle_brings_an_axis_across_the_layers(axis: int) -> None:
    rotation = LAYERED.rotation(axis)
    undone = np.argsort(rotation)
    letters = {letter.tobytes() for letter in LAYERED.alphabet.letters}
    assert all(undone[turn[rotation]].tobytes() in letters for turn in LAYERED.alphabet.letters)
    axes = np.array([own for _, own in PUZZLE.stickers])
    assert set(axes[rotation[axes == 3]].tolist()) == {axis}


def test_frames_of_an_axis_count_its_stickers_in_its_cells() -> None:
    orbits = orbits_of(PUZZLE.pieces)
    frames = axis_frames(PUZZLE.pieces, orbits, frozenset(ENDS))
    assert [len(frame.checks.pairs) for frame in frames] == [12, 24, 16]
    inside = np.isin(PUZZLE.pieces.colours, list(ENDS))
    for seed in range(4):
        there = _after(list(range(len(PUZZLE.turns))), seed, seed)
        for number, (frame, orbit) in enumerate(zip(frames, orbits, strict=True)):
            slots = orbit.slots.ravel()
            labels = frame.labels(there)[None]
            assert frame.checks.score(labels)[0] == (inside[there] & inside)[slots].sum()
            before = [other.slots.ravel() for other in orbits[:number]]
            assert frame.kept.score(labels)[0] == sum(
                (inside[there] & inside)[kept].sum() for kept in before
            )


def test_cubes_in_layers_are_solved_by_turns_about_the_axis_and_rotations(
    store: TableStore,
) -> None:
    about = [*LAYERED.faces.values(), *ROTATIONS]
    there = _after(about, 200, 1)
    word = LayerSolver(LAYERED, load_tables(store)).word(there)
    assert word is not None
    assert set(word) <= set(about)
    assert np.array_equal(there[LAYERED.alphabet.effect(word)], HOME)
    assert len(word) <= 100
