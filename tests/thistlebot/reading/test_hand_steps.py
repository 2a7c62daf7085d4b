"""A person shows six faces and turns: what is said of each, and what the camera may claim."""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
import pytest
from even_light import decode_lab, seen
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.facelets import Facelets
from cube.moves import ALL_MOVES, FACES, OPPOSITE_FACE, Move, MoveSequence
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from thistlebot.errors import MisreadError
from thistlebot.reading.hand_guide import GuideStep, HandGuide
from thistlebot.reading.hand_steps import HandSteps
from thistlebot.reading.turn_watch import (
    TurnSight,
    TurnWatch,
    WatchSettings,
    WatchStep,
    telling_faces,
)
from vision.colours.colour_model import NAMED_COLOURS
from vision.errors import EndOfVideoError
from vision.faces.finder import find_face
from vision.frame import Frame
from vision.live.capture import CAPTURE_ORDER
from vision.live.known_faces import KnownColours
from vision.live.step import Ask, LiveState, Remark
from vision.reading import FaceReading, StickerReading
from vision.virtual.viewpoints import hand_held_viewpoint
from vision.virtual.virtual_camera import VirtualCamera

MOVES = st.sampled_from(ALL_MOVES)
SEQUENCES = st.lists(MOVES, min_size=1, max_size=12).map(MoveSequence.of)


def joined(steps: HandSteps) -> bool:
    """Whether each turn begins as the one before it ends, and does what it says."""
    nets = steps.nets
    return all(
        step.before.text == nets[number]
        and CubeState.from_facelets(step.before).apply(step.move).to_facelets() == step.after
        for number, step in enumerate(steps.steps)
    )


@settings(max_examples=40)
@given(scramble=SEQUENCES, moves=SEQUENCES)
def test_next_and_back_go_through_all_states(scramble: MoveSequence, moves: MoveSequence) -> None:
    state = SOLVED.apply(scramble)
    steps = HandSteps.of(state.to_facelets(), moves, WESTERN_SCHEME)
    assert joined(steps)
    assert steps.left == moves
    seen = [steps.shown]
    while steps.current is not None:
        assert steps.next().back() == steps
        steps = steps.next()
        seen.append(steps.shown)
    assert [each.text for each in seen] == steps.nets
    assert steps.shown == state.apply(moves).to_facelets()
    assert steps.next() == steps
    assert steps.next().done == len(moves)


@settings(max_examples=40)
@given(moves=SEQUENCES, wrong=MOVES, at=st.integers(0, 11))
def test_after_another_turn_the_way_leads_to_the_same_cube(
    moves: MoveSequence, wrong: Move, at: int
) -> None:
    steps = HandSteps.of(SOLVED.to_facelets(), moves).next(at)
    mended = steps.corrected(wrong)
    assert joined(mended)
    if mended.done < steps.done:
        assert mended == steps.back()
        assert steps.steps[mended.done].move == wrong.inverse()
    else:
        assert mended.done == steps.done + 1
        assert not mended.steps[steps.done].planned
    assert mended.shown == CubeState.from_facelets(steps.shown).apply(wrong).to_facelets()
    assert mended.next(99).shown == steps.next(99).shown
    assert len(mended.left) <= len(steps.left) + 1


DESK = Frame(np.full((480, 640, 3), 140, np.uint8), "desk")


@pytest.fixture(scope="module")
def state() -> CubeState:
    return random_state(np.random.default_rng(33))


def shown(state: CubeState, face: str, count: int = 1, seed: int = 1) -> Iterator[Frame]:
    with VirtualCamera(lambda: state, hand_held_viewpoint(face, roll_deg=4.0), seed=seed) as camera:
        for _ in range(count):
            yield camera.read()


def test_what_is_told_can_be_said_in_any_language(state: CubeState) -> None:
    guide = HandGuide()
    nothing = guide.feed(DESK)
    asked = nothing.told.instruction
    assert (nothing.told.remark, nothing.outline, nothing.polygons) == (None, None, ())
    assert (asked.ask, asked.face, asked.top) == (Ask.FACE, "F", "U")
    assert (asked.colour, asked.top_colour) == ("green", "white")
    assert taken(guide, shown(state, "F", 5)).captured == "F"
    other = taken(guide, shown(state, "B", 5))
    assert other.state is LiveState.OTHER_FACE
    assert (other.told.remark, other.told.colour) == (Remark.OTHER_FACE, "blue")
    assert other.told.guessed
    assert "blue" in other.guidance


def test_a_cube_in_doubt_is_looked_at_again(state: CubeState) -> None:
    """Grey pictures tell no colours; the faces that they leave in doubt are asked for.

    A calibration ends with them, and good looks are added until the cube is sure.
    """
    guide, calibration = HandGuide(), HandGuide(until_sure=False)
    for face in CAPTURE_ORDER:
        [frame] = shown(state, face)
        grey = frame.image.mean(axis=2, keepdims=True)
        pale = Frame((0.01 * frame.image + 0.99 * grey).astype(np.uint8), "pale")
        for each in (guide, calibration):
            each.feed(pale)
            each.capture_now()
    assert calibration.conclude() is not None
    assert calibration.done
    reading = guide.conclude()
    assert not reading.accepted
    assert not guide.done
    assert guide.objection
    while not guide.done:
        wanted = guide.feed(DESK).wanted
        [frame] = shown(state, wanted)
        guide.feed(frame)
        guide.capture_now()
        reading = guide.conclude()
    assert reading.facelets == state.to_facelets()
    assert 6 < len(guide.frames) < 24


def test_a_video_of_two_seconds_a_face_with_reflections_is_read(state: CubeState) -> None:
    """A lamp is reflected in the same place of each face; four faces are no cube."""
    short, guide, time_s = HandGuide(), HandGuide(), 0.0
    for number, face in enumerate(CAPTURE_ORDER):
        [frame] = shown(state, face)
        found = find_face(frame.image)
        x, y = np.mean(found.stickers[0].polygons[0], axis=0)
        image = frame.image.copy()
        cv2.circle(image, (round(x), round(y)), round(found.side_px / 20), (255, 255, 255), -1)
        for _ in range(30):
            time_s += 1 / 15
            lit = Frame(image, "video", time_s)
            if guide.feed(lit).captured:
                break
        assert len(guide.frames) == number + 1, face
        if number < 4:
            for glimpse in range(8):  # too short a time to accept it before the next one
                short.feed(Frame(image, "video", number + glimpse / 15))
    reading = guide.conclude()
    assert reading.facelets == state.to_facelets()
    assert not reading.stickers[9 * FACES.index("F")].seen
    with pytest.raises(MisreadError) as early:
        short.finish(EndOfVideoError("the video ended"))
    assert early.value.reread == ("U", "D")


def taken(guide: HandGuide, frames: Iterator[Frame]) -> GuideStep:
    """Feed frames, and return the last step."""
    steps = [guide.feed(frame) for frame in frames]
    return steps[-1]


SCRAMBLED = SOLVED.apply(MoveSequence.parse("R U F")).to_facelets()
LEARNED = KnownColours.of_reading(decode_lab(seen(SCRAMBLED, np.random.default_rng(0), noise=1.0)))
STATE = random_state(np.random.default_rng(5))
STATES = st.integers(0, 1000).map(lambda seed: random_state(np.random.default_rng(seed)))
NEEDED = WatchSettings().seen + 1  # whether it is still is known from the second picture on


def as_seen(cube: Facelets, face: str, quarters: int = 0, noise: float = 0.5) -> FaceReading:
    letters = np.rot90(np.array(list(cube.face(face))).reshape(3, 3), -quarters).ravel()
    rng = np.random.default_rng(FACES.index(face))
    labs = [NAMED_COLOURS[WESTERN_SCHEME[letter]] + rng.normal(0, noise, 3) for letter in letters]
    stickers = tuple(StickerReading(n, (), tuple(lab), "", 1.0) for n, lab in enumerate(labs))
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


SIGHTS = {
    "half of a half turn": (STATE, "R2", "R", "F", (TurnSight.HALFWAY, 0)),
    "the other half": (STATE, "R2", "R'", "F", (TurnSight.HALFWAY, 0)),
    "a half turn": (STATE, "R2", "R2", "F", (TurnSight.SEEN, 1)),
    "two turns, the first one unseen": (STATE, "B R U", "B R", "U", (TurnSight.SEEN, 2)),
    "no such state": (STATE, "R", "U F2 L D' B", "F", (TurnSight.STRANGE, 0)),
    "R, or L' from the other side": (SOLVED, "B", "R", "U", (TurnSight.UNTELLABLE, 0)),
}


@pytest.mark.parametrize(("state", "wanted", "made", "face", "sight"), SIGHTS.values(), ids=SIGHTS)
def test_what_was_made_is_told_as_far_as_it_is_seen(
    state: CubeState, wanted: str, made: str, face: str, sight: tuple[TurnSight, int]
) -> None:
    watch = expecting(state, MoveSequence.parse(wanted).moves)
    shown = as_seen(state.apply(MoveSequence.parse(made)).to_facelets(), face)
    step = held(watch, shown, NEEDED if sight[0] is TurnSight.SEEN else 20)
    assert (step.sight, step.count) == sight


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
