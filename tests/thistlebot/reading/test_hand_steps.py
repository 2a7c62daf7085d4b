"""A person shows six faces and turns: what is said of each, and what the camera may claim."""

import cv2
import numpy as np
import pytest
from cubes import cube, sequences
from hand_video import DESK, held_up
from hypothesis import given, settings

from cube.moves import FACES, MoveSequence
from cube.net import WESTERN_SCHEME
from cube.state import SOLVED, CubeState
from thistlebot.errors import MisreadError
from thistlebot.reading.hand_guide import HandGuide
from thistlebot.reading.hand_steps import HandSteps
from vision.errors import EndOfVideoError
from vision.faces.finder import find_face
from vision.frame import Frame
from vision.live.capture import CAPTURE_ORDER


def joined(steps: HandSteps) -> bool:
    """Whether each turn begins as the one before it ends, and does what it says."""
    nets = steps.nets
    return all(
        step.before.text == nets[number]
        and CubeState.from_facelets(step.before).apply(step.move).to_facelets() == step.after
        for number, step in enumerate(steps.steps)
    )


@settings(max_examples=40)
@given(scramble=sequences(12), moves=sequences(12, least=1))
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
    assert steps.done == len(moves)


STATE = cube(33)


def test_a_cube_in_doubt_is_looked_at_again() -> None:
    """Grey pictures tell no colours; the faces that they leave in doubt are asked for.

    A calibration ends with them, and good looks are added until the cube is sure.
    """
    guide, calibration = HandGuide(), HandGuide(until_sure=False)
    for face in CAPTURE_ORDER:
        frame = held_up(STATE, face, 4.0, 1)
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
        guide.feed(held_up(STATE, wanted, 4.0, 1))
        guide.capture_now()
        reading = guide.conclude()
    assert reading.facelets == STATE.to_facelets()
    assert 6 < len(guide.frames) < 24


def test_a_video_of_two_seconds_a_face_with_reflections_is_read() -> None:
    """A lamp is reflected in the same place of each face; four faces are no cube."""
    short, guide, time_s = HandGuide(), HandGuide(), 0.0
    for number, face in enumerate(CAPTURE_ORDER):
        frame = held_up(STATE, face, 4.0, 1)
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
    assert reading.facelets == STATE.to_facelets()
    assert not reading.stickers[9 * FACES.index("F")].seen
    with pytest.raises(MisreadError) as early:
        short.finish(EndOfVideoError("the video ended"))
    assert early.value.reread == ("U", "D")
