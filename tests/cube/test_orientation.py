"""The 24 orientations are the rotations of a cube, and moves are seen through them."""

import itertools

import pytest

from cube.facelets import Facelets
from cube.moves import ALL_MOVES, FACES, OPPOSITE_FACE, Move, MoveSequence
from cube.orientation import Orientation, RotationError, facelet_places, orientations
from cube.state import SOLVED, CubeState

USUAL = Orientation()


def test_there_are_24_and_they_are_a_group() -> None:
    every = orientations()
    assert len(set(every)) == 24
    assert every[0] == USUAL
    assert [each.index for each in every] == list(range(24))
    for one, other in itertools.product(every, every):
        assert one.then(other) in every
    for each in every:
        assert each.then(each.inverse()) == each.inverse().then(each) == USUAL
        for face in FACES:
            assert each.face_at(each.place_of(face)) == face
            assert each.face_at(OPPOSITE_FACE[face]) == OPPOSITE_FACE[each.face_at(face)]


def test_the_whole_cube_turns_as_its_letter_says_and_turns_follow_each_other() -> None:
    assert USUAL.turned("") == USUAL
    for rotation, up, front in (("x", "F", "D"), ("y", "U", "R"), ("z", "L", "F")):
        turned = USUAL.turned(rotation)
        assert (turned.face_at("U"), turned.face_at("F")) == (up, front)
        assert turned.turned(rotation + "'") == USUAL
        assert turned.turned(rotation) == USUAL.turned(rotation + "2")
    for first, second in itertools.product("xyz", repeat=2):
        for each in orientations():
            turn = USUAL.turned(first).turned(second)
            assert each.turned(first).turned(second) == each.then(turn)


def test_a_move_at_a_place_is_that_of_the_face_there_and_other_texts_are_refused() -> None:
    held = USUAL.turned("x")
    assert str(held.move_of("U", 1)) == "F"
    assert str(held.move_of("B", -1)) == "U'"
    assert str(held.move_of("R", 2)) == "R2"
    assert len({str(held.move_of(move.face, move.turns)) for move in ALL_MOVES}) == 18
    for text in ("w", "x3", "xx", "2"):
        with pytest.raises(RotationError, match=text):
            USUAL.turned(text)
    with pytest.raises(RotationError, match="URFDBL"):
        Orientation("URFDBL")


def test_facelets_are_where_the_whole_cube_took_them() -> None:
    """A layer turned at its place does to what is seen what the move does to the cube."""

    def seen(state: CubeState) -> CubeState:
        letters = state.to_facelets().text
        shown = "".join(letters[facelet] for facelet in facelet_places(held))
        named = {shown[9 * number + 4]: face for number, face in enumerate(FACES)}
        return CubeState.from_facelets(Facelets("".join(named[letter] for letter in shown)))

    state = SOLVED.apply(MoveSequence.parse("R U2 F' L D B2 R' U"))
    for held in orientations():
        for place in FACES:
            turned = state.apply(held.move_of(place, 1))
            assert seen(turned) == seen(state).apply(Move(place, 1))
