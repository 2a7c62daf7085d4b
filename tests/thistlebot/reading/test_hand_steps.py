"""A person shows six faces and turns: what the guide says of each picture and turn."""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cube.moves import ALL_MOVES, Move, MoveSequence
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from thistlebot.reading.hand_guide import GuideStep, HandGuide
from thistlebot.reading.hand_steps import HandSteps
from vision.frame import Frame
from vision.live.capture import CAPTURE_ORDER
from vision.live.step import Ask, LiveSettings, LiveState, Remark
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


def test_nothing_is_read_before_six_faces_are_captured(state: CubeState) -> None:
    guide = HandGuide()
    assert guide.start.told.instruction is not None
    assert (guide.start.wanted, guide.start.told.instruction.face) == ("F", "F")
    captured: list[str] = []
    for face in CAPTURE_ORDER:
        for frame in shown(state, face, LiveSettings().still_frames):
            assert guide.conclude() is None
            step = guide.feed(frame)
        assert step.captured == face
        captured.append(face)
        assert set(step.faces) == set(captured)
        assert len(step.polygons) == 9
        assert step.outline is not None
        guide.feed(DESK)
    reading = guide.conclude()
    assert reading is not None
    assert guide.done
    assert reading.facelets == state.to_facelets()
    assert len(guide.frames) == 6
    assert guide.conclude() is None


def test_what_is_told_can_be_said_in_any_language(state: CubeState) -> None:
    guide = HandGuide()
    nothing = guide.feed(DESK)
    asked = nothing.told.instruction
    assert (nothing.told.remark, nothing.outline, nothing.polygons) == (None, None, ())
    assert asked is not None
    assert (asked.ask, asked.face, asked.top) == (Ask.FACE, "F", "U")
    assert (asked.colour, asked.top_colour) == ("green", "white")
    other = taken(guide, shown(state, "B", 5))
    assert other.state is LiveState.OTHER_FACE
    assert (other.told.remark, other.told.colour) == (Remark.OTHER_FACE, "blue")
    assert other.told.guessed
    assert "blue" in other.guidance


def test_a_face_is_taken_at_once_and_done_again(state: CubeState) -> None:
    guide = HandGuide()
    assert guide.capture_now() is None
    guide.feed(DESK)
    assert guide.capture_now() is None
    taken(guide, shown(state, "F"))
    step = guide.capture_now()
    assert step is not None
    assert (step.captured, step.wanted) == ("F", "R")
    assert (step.told.remark, step.told.face) == (Remark.CAPTURED, "F")
    guide.redo("F")
    step = guide.feed(DESK)
    assert (step.wanted, dict(step.faces)) == ("F", {})


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
    assert reading is not None
    assert not reading.accepted
    assert not guide.done
    assert guide.objection
    while not guide.done:
        wanted = guide.feed(DESK).wanted
        assert wanted is not None
        [frame] = shown(state, wanted)
        guide.feed(frame)
        guide.capture_now()
        reading = guide.conclude()
    assert reading is not None
    assert reading.facelets == state.to_facelets()
    assert 6 < len(guide.frames) < 24


def taken(guide: HandGuide, frames: Iterator[Frame]) -> GuideStep:
    """Feed frames, and return the last step."""
    steps = [guide.feed(frame) for frame in frames]
    return steps[-1]
