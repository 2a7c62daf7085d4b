from dataclasses import replace

import numpy as np
import pytest

from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from vision.colours.colour_model import NAMED_COLOURS
from vision.errors import VisionError
from vision.frame import Frame
from vision.geometry.light import EVEN_LIGHT, WEBCAM
from vision.live.capture import (
    CAPTURE_ORDER,
    LiveScan,
    LiveSettings,
    LiveState,
    LiveStep,
)
from vision.read_photos import SeenFace, read_cube_faces
from vision.reading import FaceReading, StickerReading
from vision.virtual.render import Renderer
from vision.virtual.viewpoints import hand_held_viewpoint

FRAME = Frame(np.zeros((480, 640, 3), np.uint8), "camera")
STATE = random_state(np.random.default_rng(1))
SHARP = 0.2


def reading(face: str, shift_px: float = 0.0, state=STATE) -> FaceReading:
    """The face of a state as the finder would read it, 100 pixels wide."""
    x, y = 200.0 + shift_px, 150.0
    corners = ((x, y), (x + 100, y), (x + 100, y + 100), (x, y + 100))
    stickers = tuple(
        StickerReading(i, (), NAMED_COLOURS[WESTERN_SCHEME[letter]], "", 1.0)
        for i, letter in enumerate(state.to_facelets().face(face))
    )
    return FaceReading(corners, stickers)


def hold(scan: LiveScan, face: str, frames: int = 20) -> list[LiveStep]:
    """Show a face without moving until it is captured."""
    steps = []
    for _ in range(frames):
        steps.append(scan.feed_reading(reading(face), SHARP, FRAME))
        if steps[-1].captured:
            break
    return steps


def test_six_faces_are_captured_one_after_the_other() -> None:
    scan = LiveScan()
    for face in CAPTURE_ORDER:
        assert scan.wanted == face
        steps = hold(scan, face)
        assert len(steps) == LiveSettings().still_frames
        assert steps[0].state is LiveState.MOVING
        assert [step.state for step in steps[1:-1]] == [LiveState.HOLDING] * (len(steps) - 2)
        assert [step.progress for step in steps] == sorted(step.progress for step in steps)
        assert steps[-1].state is LiveState.CAPTURED
        assert steps[-1].captured == face
        assert steps[-1].progress == 1.0
    assert scan.wanted is None
    assert "".join(scan.faces) == "".join(face for face, _, _ in scan.looks) == "URFDLB"
    last = scan.feed_reading(reading("F"), SHARP, FRAME)
    assert last.state is LiveState.COMPLETE
    assert last.wanted is None


def test_what_to_show_is_said_in_words() -> None:
    scan = LiveScan()
    step = scan.feed_reading(None, 0.0, FRAME)
    assert step.state is LiveState.SEARCHING
    assert step.guidance == "Show the front face (green centre), white upwards."
    assert scan.instruction("U").text == "Show the top face (white centre), blue upwards."
    assert scan.instruction("D").text == "Show the bottom face (yellow centre), green upwards."
    unknown = LiveScan(scheme=None)
    assert unknown.instruction("R").text == "Show the right face, the top face upwards."


def test_a_moving_face_is_not_captured() -> None:
    scan = LiveScan()
    states = {
        scan.feed_reading(reading("F", shift_px=10.0 * i), SHARP, FRAME).state for i in range(30)
    }
    assert states == {LiveState.MOVING}


def test_a_slow_drift_is_noticed_against_the_first_frame() -> None:
    scan = LiveScan(LiveSettings(still_frames=30))
    for i in range(60):
        step = scan.feed_reading(reading("F", shift_px=0.5 * i), SHARP, FRAME)
        assert step.captured is None


def test_a_face_that_changes_colour_is_not_captured() -> None:
    scan = LiveScan(scheme=None)
    for i in range(30):
        assert scan.feed_reading(reading("FR"[i % 2]), SHARP, FRAME).captured is None


@pytest.mark.parametrize(
    ("lost", "state"),
    [((None, 0.0), LiveState.SEARCHING), ((reading("F"), 0.0), LiveState.BLURRED)],
)
def test_a_missed_frame_does_not_matter_and_more_start_again(lost, state) -> None:
    settings = LiveSettings()
    scan = LiveScan()
    for _ in range(settings.still_frames - 1):
        assert scan.feed_reading(reading("F"), SHARP, FRAME).captured is None
    step = scan.feed_reading(*lost, FRAME)
    assert (step.state, step.captured) == (state, None)
    assert scan.feed_reading(reading("F"), SHARP, FRAME).captured == "F"
    for _ in range(settings.still_frames - 1):
        scan.feed_reading(reading("R"), SHARP, FRAME)
    for _ in range(settings.window):
        scan.feed_reading(*lost, FRAME)
    assert len(hold(scan, "R")) == settings.still_frames


def test_faces_that_flicker_about_the_picture_are_never_captured() -> None:
    scan = LiveScan()
    for number in range(300):
        step = scan.feed_reading(reading("F", 12.0 * (number % 5)), SHARP, FRAME)
        assert step.captured is None


def test_the_sharpest_of_the_frames_is_kept() -> None:
    scan = LiveScan()
    frames = [Frame(np.full((48, 64, 3), n, np.uint8), "camera") for n in range(20)]
    for number, sharp in enumerate((0.1, 0.3, 0.2, 0.25, 0.15)):
        scan.feed_reading(reading("F"), sharp, frames[number])
    [(face, _, frame)] = scan.looks
    assert (face, frame) == ("F", frames[1])


def test_a_face_captured_already_is_noticed_in_any_rotation() -> None:
    scan = LiveScan()
    hold(scan, "F")
    same = reading("F")
    stickers = tuple(
        replace(same.stickers[int(i)], facelet=place)
        for place, i in enumerate(np.rot90(np.arange(9).reshape(3, 3)).ravel())
    )
    for face in (same, replace(same, stickers=stickers)):
        step = scan.feed_reading(face, SHARP, FRAME)
        assert step.state is LiveState.ALREADY_CAPTURED
        assert step.guidance.startswith("The front face is captured already. Show the right face")


def test_another_face_than_the_wanted_one_is_noticed() -> None:
    scan = LiveScan()
    steps = hold(scan, "B")
    assert {step.state for step in steps} == {LiveState.OTHER_FACE}
    assert steps[-1].guidance.startswith("This centre looks blue. Show the front face")
    assert hold(LiveScan(scheme=None), "B")[-1].captured == "F"


def test_a_person_may_insist() -> None:
    scan = LiveScan()
    step = scan.capture_now(reading("B"), FRAME)
    assert step.captured == "F"
    assert scan.wanted == "R"


def test_any_face_can_be_done_again() -> None:
    scan = LiveScan()
    for face in CAPTURE_ORDER:
        hold(scan, face)
    scan.redo("B")
    assert scan.wanted == "B"
    assert "B" not in scan.faces
    assert hold(scan, "B")[-1].captured == "B"
    assert scan.wanted is None
    assert scan.capture_now(reading("F"), FRAME).state is LiveState.COMPLETE
    scan.redo("U")
    scan.redo("F")
    assert [hold(scan, face)[-1].captured for face in "FU"] == ["F", "U"]
    with pytest.raises(VisionError, match="no face"):
        scan.redo("X")


def test_rendered_frames_are_captured_and_decoded() -> None:
    scan = LiveScan(LiveSettings(still_frames=2))
    rng = np.random.default_rng(2)
    facelets = STATE.to_facelets()
    for face in CAPTURE_ORDER:
        renderer = Renderer(hand_held_viewpoint(face, roll_deg=5.0), EVEN_LIGHT, WEBCAM, seed=1)
        steps = [scan.feed(Frame(renderer.render(facelets, rng), face)) for _ in range(2)]
        assert steps[-1].captured == face, steps[-1].guidance
    shown = [SeenFace(face, each, i) for i, (face, each) in enumerate(scan.faces.items())]
    assert read_cube_faces(shown).facelets == facelets


def test_more_looks_at_the_faces_that_matter() -> None:
    scan = LiveScan()
    for face in CAPTURE_ORDER:
        hold(scan, face)
    scan.look_again("LR")
    assert scan.wanted == "L"
    for _ in range(3):
        step = scan.feed_reading(None, 0.0, FRAME)
    assert "Others that still matter: right." in step.guidance
    assert hold(scan, "R")[-1].captured == "R"  # in whichever order
    assert hold(scan, "B")[-1].state is LiveState.ALREADY_CAPTURED
    assert [face for face, _, _ in scan.looks] == [*"URFDLB", "R"]
    scan.redo("R")
    assert [face for face, _, _ in scan.looks] == [*"UFDLB"]


def test_the_same_look_does_not_count_twice() -> None:
    scan = LiveScan(LiveSettings())
    for face in CAPTURE_ORDER:
        hold(scan, face)
    scan.look_again("D")
    steps = hold(scan, "D")
    assert {step.state for step in steps} == {LiveState.SAME_LOOK}
    assert "Tilt it a little otherwise" in steps[-1].guidance
    for _ in range(LiveSettings().still_frames):
        step = scan.feed_reading(reading("D", shift_px=20.0), SHARP, FRAME)
    assert step.captured == "D"


@pytest.mark.parametrize(
    ("sharp", "spoilt", "state"),
    [(0.05, (), LiveState.BLURRED), (SHARP, (3,), LiveState.SPOILT)],
)
def test_a_poor_look_is_waited_out_and_at_last_taken_for_what_it_is(
    sharp: float, spoilt: tuple[int, ...], state: LiveState
) -> None:
    settings = LiveSettings()
    scan = LiveScan(settings)
    hold(scan, "F")
    for _ in range(settings.patience - 1):
        step = scan.feed_reading(reading("R"), sharp, FRAME, spoilt)
        assert (step.state, step.captured) == (state, None)
    for _ in range(settings.still_frames):
        step = scan.feed_reading(reading("R"), sharp, FRAME, spoilt)
    assert step.captured == "R"
    unseen = [i for i, sticker in enumerate(scan.faces["R"].stickers) if not sticker.seen]
    assert unseen == list(spoilt)


def test_a_look_of_a_turned_face_is_not_taken() -> None:
    scan = LiveScan()
    for face in CAPTURE_ORDER:
        hold(scan, face)
    scan.look_again("F")
    scan.feed_reading(None, 0.0, FRAME)
    same = reading("F")
    stickers = tuple(
        replace(same.stickers[int(i)], facelet=place)
        for place, i in enumerate(np.rot90(np.arange(9).reshape(3, 3)).ravel())
    )
    step = scan.feed_reading(replace(same, stickers=stickers), SHARP, FRAME)
    assert step.state is LiveState.TURNED
    assert step.guidance.startswith("The front face is turned. Show the front face")


def test_a_guessed_scheme_is_given_up_when_a_person_insists() -> None:
    """The cube is held otherwise, or has other colours: nobody told, so nobody is kept out."""
    settings = LiveSettings()
    scan = LiveScan(guessed=True)
    steps = hold(scan, "R", settings.insistence + settings.still_frames)
    assert steps[10].state is LiveState.OTHER_FACE
    assert steps[10].guidance.endswith("If your cube has other colours, go on holding it still.")
    assert steps[-1].captured == "F"
    assert len(steps) == settings.insistence + settings.still_frames - 1
    assert scan.instruction("R").text == "Show the right face, the top face upwards."
    told = hold(LiveScan(), "R", 2 * settings.insistence)
    assert {step.state for step in told} == {LiveState.OTHER_FACE}
    assert not told[-1].guidance.endswith("still.")


def test_only_a_face_that_is_held_still_is_insisted_on() -> None:
    scan = LiveScan(guessed=True)
    for number in range(200):
        step = scan.feed_reading(reading("R", shift_px=10.0 * (number // 20)), SHARP, FRAME)
        assert step.captured is None
    captured = LiveScan(guessed=True)
    hold(captured, "F")
    assert {step.state for step in hold(captured, "F", 200)} == {LiveState.ALREADY_CAPTURED}


def test_a_key_gives_a_guess_up_at_once() -> None:
    scan = LiveScan(guessed=True)
    assert scan.capture_now(reading("R"), FRAME).captured == "F"
    assert scan.instruction("R").text == "Show the right face, the top face upwards."
