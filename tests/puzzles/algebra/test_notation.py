"""The notations of puzzles, beside the layers that turn."""

import re
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.errors import NotationError
from cube.facelets import Facelets
from cube.held_moves import seen_from_centres
from cube.moves import FACES, OPPOSITE_FACE
from cube.notation.cube_alphabet import CUBE_MOVES, CubeMove
from cube.notation.move_grammar import parse_moves
from cube.state import SOLVED, CubeState
from puzzles.algebra.notation import notation_of
from puzzles.kinds.box import Box
from puzzles.kinds.catalogue import AnyPuzzle, puzzle_named
from puzzles.kinds.oriented import OrientedSolid
from puzzles.kinds.puzzle import turned
from puzzles.kinds.solids import rotation

NAMES = [*FACES, *(f"{face}w" for face in FACES), *"MESxyz"]
MOVES = st.lists(
    st.builds(CubeMove, st.sampled_from(NAMES), st.integers(1, 3)).map(str), max_size=10
).map(" ".join)
PIECES = [*"RUFxMmr26()[],:'i* ", "U2", "Rw", "2R", "3Rw", "[u]", "x2", " ", " ", "L' ", "D "]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=10).map("".join)


def read(puzzle: AnyPuzzle, text: str) -> str:
    notation = notation_of(puzzle)
    return " ".join(notation.turns(parse_moves(text, notation.alphabet)))


@settings(max_examples=200)
@given(st.one_of(MOVES, TEXTS))
def test_a_cube_in_hand_is_turned_as_its_layers_are(text: str) -> None:
    """The box turns its middle layers and itself in space; then its colours are named after."""
    box = Box(3, 3, 3)
    try:
        moves, layers = parse_moves(text, CUBE_MOVES), read(box, text)
    except NotationError:
        return
    stickers = turned(box, box.solved, layers)
    colour = {stickers[9 * number + 4]: face for number, face in enumerate(FACES)}
    named = CubeState.from_facelets(Facelets("".join(colour[face] for face in stickers)))
    renamed = [CubeMove(colour[move.face], move.turns) for move in seen_from_centres(moves)]
    assert named == SOLVED.apply(seen_from_centres(renamed))


def test_layers_of_large_cubes_are_those_of_wca() -> None:
    """Turning some layers, and then the whole cube back, turns the other layers."""
    back = {"R": "x'", "U": "y'", "F": "z'", "L": "x", "D": "y", "B": "z"}
    for side in (4, 5, 6, 7):
        cube = Box(side, side, side)

        def layers(face: str, count: int) -> str:
            return f"{count}{face}w" if count > 1 else face

        for face, count in product(FACES, range(1, side)):
            some, others = layers(face, count), layers(OPPOSITE_FACE[face], side - count)
            for text, same in (
                (f"{some} {back[face]}", others),
                (f"({some} {back[face]})'", f"{others}'"),
                (f"{some}2 {back[face][0]}2", f"{others}2"),
            ):
                assert turned(cube, cube.solved, read(cube, text)) == turned(
                    cube, cube.solved, read(cube, same)
                ), text
        assert read(cube, "Rw U2 Fw2 2R'") == "R 2R U2 F2 2F2 2R'"
    assert read(puzzle_named("4x4x4"), "Lw 2L 3Rw2 [r]") == "L 3R' 3R' R2 2R2 3R2 R 2R 3R L'"
    assert read(puzzle_named("2x3x4"), "Rw2 x2") == "R2 L2 R2 L2"


def without_layer(puzzle: OrientedSolid, face: int, steps: int) -> np.ndarray:
    """Return the turn of everything but a layer, by steps of a fifth clockwise from that face."""
    solid = puzzle.solid
    corners = set(solid.faces[face])
    edges = {number for number, edge in enumerate(solid.edges) if set(edge) <= corners}
    moved = []
    for own, kind, number in puzzle.slots:
        inside = {"corner": number in corners, "edge": number in edges, "centre": own == face}
        moved.append(not inside[kind])
    spots = np.array([_spot(puzzle, slot) for slot in puzzle.slots])
    places = spots @ rotation(solid.normals[face], -2 * np.pi * steps / 5).T
    found = np.arange(len(spots))
    for number, place in enumerate(places):
        if moved[number]:
            found[int(np.linalg.norm(spots - place, axis=1).argmin())] = number
    return found


def _spot(puzzle: OrientedSolid, slot: tuple[int, str, int]) -> np.ndarray:
    solid, (face, kind, number) = puzzle.solid, slot
    place = {
        "corner": lambda: solid.vertices[number],
        "edge": lambda: solid.vertices[list(solid.edges[number])].mean(axis=0),
        "centre": lambda: solid.normals[face],
    }[kind]()
    return np.asarray(place + 0.3 * solid.normals[face])


def test_the_megaminx_turns_as_in_wca_scrambles() -> None:
    """R++ turns all but the layer of L, D++ all but that of U: here in space, centres and all."""
    puzzle = puzzle_named("megaminx")
    assert isinstance(puzzle, OrientedSolid)
    letters = [str(turn.layer) for turn in puzzle.turns[::4]]
    steps = {"R++": ("F", -2), "R--": ("F", 2), "D++": ("A", -2), "D--": ("A", 2)}
    text = "R++ D-- R++ D++ R-- U\nR-- D++ R-- D-- R++ U'"
    seen = np.arange(len(puzzle.slots))
    for move in text.split():
        if move in steps:
            letter, clockwise = steps[move]
            seen = seen[without_layer(puzzle, letters.index(letter), clockwise)]
        else:
            seen = seen[puzzle.pieces.turns["A" + move[1:]]]
    made = np.arange(len(puzzle.slots))
    for name in read(puzzle, text).split():
        made = made[puzzle.pieces.turns[name]]
    # the puzzle is held otherwise now: the same stickers around the same centres
    centre = {face: i for i, (face, kind, _) in enumerate(puzzle.slots) if kind == "centre"}
    at = {face: puzzle.slots[seen[slot]][0] for face, slot in centre.items()}
    assert len(set(at.values())) == 12
    assert read(puzzle, "U R++ R-- U' A2'") == "A F2 F2' A' A2'"
    around = {frozenset((at[puzzle.slots[i][0]], seen[i]) for i in range(len(seen)))}
    home = {frozenset((puzzle.slots[i][0], made[i]) for i in range(len(made)))}
    assert around == home


def test_own_names_are_read_and_what_is_no_move_is_named() -> None:
    for name, text, turns in (
        ("4x4x4", "RU 2R' R3 Ui", "R U 2R' R' U'"),
        ("4x4x4", "[2R, U]x2", "2R U 2R' U' 2R U 2R' U'"),
        ("3x3x3-slices", "M e' 2L r", "2R' 2U 2R' R 2R"),
        ("pyraminx", "U l' (R b)2", "U l' R b R b"),
        ("slice", "[Rs, Us2]", "Rs Us2 Rs' Us2"),
        ("slice", "Rs R", "R L' R"),
        ("antislice", "Ra' x U", "R' L' F"),
        ("phi3", "R M2", "R R2 L2"),
        ("supercube", "T [u] R", "U B"),
        ("3x3x3x3", "RUFA' RU2", "RUFA' RU2"),
        ("balls-cube", "A B-", "A B'"),
    ):
        assert read(puzzle_named(name), text) == turns, (name, text)
    for name, text, sign in (
        ("4x4x4", "U R2U", "R2U"),
        ("4x4x4", "R r", "r"),
        ("4x4x4", "5Rw", "5Rw"),
        ("4x4x4", "(R U) x2", "x2"),
        ("4x4x4", "R U x3", "x3"),
        ("5x5x5", "M", "M"),
        ("2x2x2", "R L", "L"),
        ("3x3x3-slices", "MR", "MR"),
        ("megaminx", "R+ D", "R+"),
        ("RU", "R Q", "Q"),
        ("pyraminx", "U D", "D"),
    ):
        with pytest.raises(NotationError, match=re.escape(repr(sign))):
            read(puzzle_named(name), text)
