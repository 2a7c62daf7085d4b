"""Six faces of a cube are captured as a person shows them, and what is told meanwhile."""

import numpy as np
import pytest

from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from vision.colours.colour_model import NAMED_COLOURS
from vision.errors import VisionError
from vision.frame import Frame
from vision.live.capture import CAPTURE_ORDER, LiveScan, LiveSettings, LiveState, LiveStep
from vision.live.step import Ask, ask_face
from vision.reading import FaceReading, StickerReading

FRAME = Frame(np.zeros((480, 640, 3), np.uint8), "camera")
STATE = random_state(np.random.default_rng(1))
SHARP = 0.2
SETTINGS = LiveSettings()


def reading(face: str, shift_px: float = 0.0, *, turned: bool = False) -> FaceReading:
    """The face as the finder would read it, 100 pixels wide; turned by a quarter if that is so."""
    x, y = 200.0 + shift_px, 150.0
    corners = ((x, y), (x + 100, y), (x + 100, y + 100), (x, y + 100))
    letters = np.array(list(STATE.to_facelets().face(face))).reshape(3, 3)
    letters = np.rot90(letters) if turned else letters
    stickers = tuple(
        StickerReading(i, (), NAMED_COLOURS[WESTERN_SCHEME[letter]], "", 1.0)
        for i, letter in enumerate(letters.ravel())
    )
    return FaceReading(corners, stickers)


def hold(scan: LiveScan, face: str, frames: int = 20, shift_px: float = 0.0) -> list[LiveStep]:
    """Show a face without moving until it is captured."""
    steps = []
    for _ in range(frames):
        steps.append(scan.feed_reading(reading(face, shift_px), SHARP, FRAME))
        if steps[-1].captured:
            break
    return steps


def all_captured() -> LiveScan:
    scan = LiveScan()
    for face in CAPTURE_ORDER:
        hold(scan, face)
    return scan


def test_six_faces_are_captured_one_after_the_other() -> None:
    scan = LiveScan()
    first = scan.feed_reading(None, 0.0, FRAME)
    assert first.state is LiveState.SEARCHING
    assert first.told.instruction == ask_face("F", WESTERN_SCHEME)
    assert first.guidance == first.told.text != ""
    for face in CAPTURE_ORDER:
        assert scan.wanted == face
        steps = hold(scan, face)
        states = [step.state for step in steps]
        still = SETTINGS.still_frames - 2
        assert states == [LiveState.MOVING, *[LiveState.HOLDING] * still, LiveState.CAPTURED]
        assert [step.progress for step in steps] == sorted(step.progress for step in steps)
        assert (steps[-1].captured, steps[-1].progress) == (face, 1.0)
    assert scan.wanted is None
    assert "".join(scan.faces) == "".join(face for face, _, _ in scan.looks) == "URFDLB"
    last = scan.feed_reading(reading("F"), SHARP, FRAME)
    assert (last.state, last.wanted) == (LiveState.COMPLETE, None)
    assert LiveScan(scheme=None).instruction("R") == ask_face("R", {})


def test_a_face_that_moves_drifts_flickers_or_changes_its_colour_is_not_captured() -> None:
    for name, scan, shown in (
        ("moves", LiveScan(), [("F", 10.0 * i) for i in range(30)]),
        ("drifts", LiveScan(LiveSettings(still_frames=30)), [("F", 0.5 * i) for i in range(60)]),
        ("flickers", LiveScan(), [("F", 12.0 * (i % 5)) for i in range(100)]),
        ("changes colour", LiveScan(scheme=None), [("FR"[i % 2], 0.0) for i in range(30)]),
        ("is held in turns", LiveScan(guessed=True), [("R", 10.0 * (i // 20)) for i in range(200)]),
    ):
        steps = [scan.feed_reading(reading(*each), SHARP, FRAME) for each in shown]
        assert {step.captured for step in steps} == {None}, name
        assert name != "moves" or {step.state for step in steps} == {LiveState.MOVING}


def test_a_missed_frame_does_not_matter_and_more_start_again() -> None:
    for lost, state in ((None, LiveState.SEARCHING), (reading("F"), LiveState.BLURRED)):
        scan = LiveScan()
        assert {step.captured for step in hold(scan, "F", SETTINGS.still_frames - 1)} == {None}
        step = scan.feed_reading(lost, 0.0, FRAME)
        assert (step.state, step.captured) == (state, None)
        assert scan.feed_reading(reading("F"), SHARP, FRAME).captured == "F"
        hold(scan, "R", SETTINGS.still_frames - 1)
        for _ in range(SETTINGS.window):
            scan.feed_reading(lost, 0.0, FRAME)
        assert len(hold(scan, "R")) == SETTINGS.still_frames


def test_the_sharpest_of_the_frames_is_kept() -> None:
    scan = LiveScan()
    frames = [Frame(np.full((48, 64, 3), n, np.uint8), "camera") for n in range(20)]
    for number, sharp in enumerate((0.1, 0.3, 0.2, 0.25, 0.15)):
        scan.feed_reading(reading("F"), sharp, frames[number])
    [(face, _, frame)] = scan.looks
    assert (face, frame) == ("F", frames[1])


def test_faces_that_are_not_wanted_are_noticed() -> None:
    """One captured already, in any rotation, also where colours are guessed; and another one."""
    scan = LiveScan(guessed=True)
    hold(scan, "F")
    for turned in (False, True):
        step = scan.feed_reading(reading("F", turned=turned), SHARP, FRAME)
        assert step.state is LiveState.ALREADY_CAPTURED
        assert (step.told.face, step.told.instruction) == ("F", ask_face("R", WESTERN_SCHEME))
    assert {step.state for step in hold(scan, "F", 200)} == {LiveState.ALREADY_CAPTURED}
    steps = hold(LiveScan(), "B")
    assert {step.state for step in steps} == {LiveState.OTHER_FACE}
    assert (steps[-1].told.colour, steps[-1].told.guessed) == ("blue", False)
    assert steps[-1].told.instruction == ask_face("F", WESTERN_SCHEME)
    assert hold(LiveScan(scheme=None), "B")[-1].captured == "F"


def test_any_face_can_be_done_again() -> None:
    scan = all_captured()
    scan.redo("B")
    assert scan.wanted == "B"
    assert "B" not in scan.faces
    assert hold(scan, "B")[-1].captured == "B"
    assert scan.wanted is None
    assert scan.capture_now(reading("F"), FRAME).state is LiveState.COMPLETE
    scan.redo("U")
    scan.redo("F")
    assert [hold(scan, face)[-1].captured for face in "FU"] == ["F", "U"]
    with pytest.raises(VisionError, match="'X'"):
        scan.redo("X")


def test_more_looks_at_the_faces_that_matter() -> None:
    scan = all_captured()
    scan.look_again("LR")
    assert scan.wanted == "L"
    for _ in range(3):
        step = scan.feed_reading(None, 0.0, FRAME)
    asked = step.told.instruction
    assert asked is not None
    assert (asked.ask, asked.others) == (Ask.FACE_AGAIN, ("R",))
    assert hold(scan, "R")[-1].captured == "R"  # in whichever order
    assert hold(scan, "B")[-1].state is LiveState.ALREADY_CAPTURED
    assert [face for face, _, _ in scan.looks] == [*"URFDLB", "R"]
    scan.redo("R")
    assert [face for face, _, _ in scan.looks] == [*"UFDLB"]


def test_neither_the_same_look_nor_a_turned_face_counts_as_another_look() -> None:
    scan = all_captured()
    scan.look_again("D")
    steps = hold(scan, "D")
    assert {step.state for step in steps} == {LiveState.SAME_LOOK}
    assert steps[-1].told.instruction == ask_face("D", WESTERN_SCHEME, [])
    assert hold(scan, "D", SETTINGS.still_frames, shift_px=20.0)[-1].captured == "D"
    scan = all_captured()
    scan.look_again("F")
    scan.feed_reading(None, 0.0, FRAME)
    step = scan.feed_reading(reading("F", turned=True), SHARP, FRAME)
    assert (step.state, step.told.face) == (LiveState.TURNED, "F")


def test_a_poor_look_is_waited_out_and_at_last_taken_for_what_it_is() -> None:
    for sharp, spoilt, state in ((0.05, (), LiveState.BLURRED), (SHARP, (3,), LiveState.SPOILT)):
        scan = LiveScan()
        hold(scan, "F")
        for _ in range(SETTINGS.patience - 1):
            step = scan.feed_reading(reading("R"), sharp, FRAME, spoilt)
            assert (step.state, step.captured) == (state, None)
        for _ in range(SETTINGS.still_frames):
            step = scan.feed_reading(reading("R"), sharp, FRAME, spoilt)
        assert step.captured == "R"
        unseen = [i for i, sticker in enumerate(scan.faces["R"].stickers) if not sticker.seen]
        assert unseen == list(spoilt)


def test_a_guessed_scheme_is_given_up_when_a_person_insists() -> None:
    """The cube is held otherwise, or has other colours: nobody told, so nobody is kept out."""
    scan = LiveScan(guessed=True)
    steps = hold(scan, "R", SETTINGS.insistence + SETTINGS.still_frames)
    assert (steps[10].state, steps[10].told.guessed) == (LiveState.OTHER_FACE, True)
    assert steps[-1].captured == "F"
    assert len(steps) == SETTINGS.insistence + SETTINGS.still_frames - 1
    assert scan.instruction("R") == ask_face("R", {})
    told = hold(LiveScan(), "R", 2 * SETTINGS.insistence)
    assert {(step.state, step.told.guessed) for step in told} == {(LiveState.OTHER_FACE, False)}
