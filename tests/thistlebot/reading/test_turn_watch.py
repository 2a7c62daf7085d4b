"""The camera sees the turns of a person: in rendered pictures, and by what it must not claim."""

from collections.abc import Sequence

import numpy as np
from even_light import decode_lab, seen
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.facelets import Facelets
from cube.moves import ALL_MOVES, FACES, OPPOSITE_FACE, Move, MoveSequence
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from thistlebot.reading.turn_watch import (
    TurnSight,
    TurnWatch,
    WatchSettings,
    WatchStep,
    telling_faces,
)
from vision.colours.colour_model import NAMED_COLOURS
from vision.live.known_faces import KnownColours
from vision.reading import FaceReading, StickerReading

SCRAMBLED = SOLVED.apply(MoveSequence.parse("R U F")).to_facelets()
LEARNED = KnownColours.of_reading(decode_lab(seen(SCRAMBLED, np.random.default_rng(0), noise=1.0)))
STATE = random_state(np.random.default_rng(5))
STATES = st.integers(0, 1000).map(lambda seed: random_state(np.random.default_rng(seed)))
NEEDED = WatchSettings().seen + 1  # whether it is still is known from the second picture on


def as_seen(cube: Facelets, face: str, quarters: int = 0, noise: float = 0.5) -> FaceReading:
    """A face as the finder would read it, 100 pixels wide, turned in the picture."""
    letters = np.rot90(np.array(list(cube.face(face))).reshape(3, 3), -quarters).ravel()
    rng = np.random.default_rng(FACES.index(face))
    stickers = tuple(
        StickerReading(
            place,
            (),
            tuple(np.array(NAMED_COLOURS[WESTERN_SCHEME[letter]]) + rng.normal(0, noise, 3)),
            "",
            1.0,
        )
        for place, letter in enumerate(letters)
    )
    return FaceReading(((0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0)), stickers)


def expecting(state: CubeState, moves: Sequence[Move]) -> TurnWatch:
    watch = TurnWatch(LEARNED)
    watch.expect(state.to_facelets(), moves)
    return watch


def held(watch: TurnWatch, face: FaceReading, pictures: int) -> WatchStep:
    steps = [watch.feed_reading(face) for _ in range(pictures)]
    return steps[-1]


@settings(max_examples=20)
@given(
    state=STATES,
    move=st.sampled_from(ALL_MOVES),
    face=st.sampled_from(FACES),
    quarters=st.integers(0, 3),
)
def test_a_turn_is_seen_on_every_face_that_tells_it_and_on_no_other(
    state: CubeState, move: Move, face: str, quarters: int
) -> None:
    before, after = state.to_facelets(), state.apply(move).to_facelets()
    watch = expecting(state, [move])
    still = held(watch, as_seen(before, face, quarters), NEEDED)
    assert still.sight in (TurnSight.UNCHANGED, TurnSight.UNTELLABLE)
    assert (still.sight is TurnSight.UNCHANGED) <= (face in still.show)
    made = held(watch, as_seen(after, face, quarters), NEEDED)
    assert (made.sight is TurnSight.SEEN) == (face in made.show)
    assert made.face == face
    assert not {move.face, OPPOSITE_FACE[move.face]} & set(
        telling_faces(
            after, [state.apply(each).to_facelets() for each in ALL_MOVES if each != move]
        )
    )


@settings(max_examples=20)
@given(
    state=STATES,
    move=st.sampled_from(ALL_MOVES),
    other=st.sampled_from(ALL_MOVES),
    face=st.sampled_from(FACES),
)
def test_another_turn_is_never_taken_for_the_expected_one(
    state: CubeState, move: Move, other: Move, face: str
) -> None:
    watch = expecting(state, [move])
    shown = as_seen(state.apply(other).to_facelets(), face)
    for _ in range(10):
        step = watch.feed_reading(shown)
        if other != move:
            assert step.sight is not TurnSight.SEEN
            assert step.made in (None, other)


def test_a_half_turn_may_be_made_in_two() -> None:
    watch = expecting(STATE, [Move.parse("R2")])
    for quarter in ("R", "R'"):
        between = STATE.apply(Move.parse(quarter)).to_facelets()
        assert held(watch, as_seen(between, "F"), 20).sight is TurnSight.HALFWAY
    done = STATE.apply(Move.parse("R2")).to_facelets()
    assert held(watch, as_seen(done, "F"), NEEDED).sight is TurnSight.SEEN


def test_two_turns_at_once_are_seen_as_two() -> None:
    """Nobody waits for the camera where it cannot see the first of them."""
    moves = MoveSequence.parse("B R U")
    watch = expecting(STATE, moves.moves)
    step = held(watch, as_seen(STATE.apply(moves[:2]).to_facelets(), "U"), NEEDED)
    assert (step.sight, step.count) == (TurnSight.SEEN, 2)


def test_a_cube_in_no_such_state_is_strange() -> None:
    watch = expecting(STATE, [Move.parse("R")])
    elsewhere = STATE.apply(MoveSequence.parse("U F2 L D' B")).to_facelets()
    assert held(watch, as_seen(elsewhere, "F"), 20).sight is TurnSight.STRANGE


def test_a_wrong_turn_that_looks_like_another_one_is_not_named() -> None:
    """On a solved cube, R looks on the upper face as L' does from the other side."""
    watch = expecting(SOLVED, [Move.parse("B")])
    shown = as_seen(SOLVED.apply(Move.parse("R")).to_facelets(), "U")
    assert held(watch, shown, 20).sight is TurnSight.UNTELLABLE


def test_a_face_that_moves_and_one_that_nobody_shows_say_nothing() -> None:
    after = SOLVED.apply(Move.parse("R")).to_facelets()
    watch = expecting(SOLVED, [Move.parse("R")])
    assert watch.feed_reading(None).sight is TurnSight.NOTHING
    face = as_seen(after, "F")
    for number in range(20):
        corners = tuple((x + 20.0 * (number % 5), y) for x, y in face.corners)
        moved = FaceReading(corners, face.stickers)  # type: ignore[arg-type]
        if number % 5:
            assert watch.feed_reading(moved).sight is TurnSight.MOVING
        assert watch.feed_reading(face, sharp=0.0).sight is TurnSight.MOVING
