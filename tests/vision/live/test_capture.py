"""Six faces of a cube are captured as a person shows them, and what is told meanwhile."""

import numpy as np
import pytest

from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from vision.colours.colour_model import NAMED_COLOURS
from vision.errors import VisionError
from vision.frame import Frame
from vision.live.capture import CAPTURE_ORDER, PATIENCE_S, POOR_S, LiveScan, LiveState, LiveStep
from vision.live.step import Ask, ask_face
from vision.live.still_face import STILL_FRAMES, WINDOW
from vision.reading import FaceReading, StickerReading

FRAME = Frame(np.zeros((480, 640, 3), np.uint8), "camera")
STATE = random_state(np.random.default_rng(1))
SHARP = 0.2


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
    for face in CAPTURE_ORDER:
        assert scan.wanted == face
        steps = hold(scan, face)
        states = [step.state for step in steps]
        still = STILL_FRAMES - 2
        assert states == [LiveState.MOVING, *[LiveState.HOLDING] * still, LiveState.CAPTURED]
        assert [step.progress for step in steps] == sorted(step.progress for step in steps)
        assert (steps[-1].captured, steps[-1].progress) == (face, 1.0)
    assert scan.wanted is None
    assert "".join(scan.faces) == "".join(face for face, _, _ in scan.looks) == "URFDLB"
    last = scan.feed_reading(reading("F"), SHARP, FRAME)
    assert (last.state, last.wanted) == (LiveState.COMPLETE, None)
    assert LiveScan(scheme=None).instruction("R") == ask_face("R", {})


def test_a_face_that_moves_flickers_or_changes_its_colour_is_not_captured() -> None:
    for name, scan, shown in (
        ("moves", LiveScan(), [("F", 10.0 * i) for i in range(30)]),
        ("flickers", LiveScan(), [("F", 12.0 * (i % 5)) for i in range(100)]),
        ("changes colour", LiveScan(scheme=None), [("FR"[i % 2], 0.0) for i in range(30)]),
    ):
        steps = [scan.feed_reading(reading(*each), SHARP, FRAME) for each in shown]
        assert {step.captured for step in steps} == {None}, name
        assert name != "moves" or {step.state for step in steps} == {LiveState.MOVING}


def test_a_missed_frame_does_not_matter_and_more_start_again() -> None:
    for lost, state in ((None, LiveState.SEARCHING), (reading("F"), LiveState.BLURRED)):
        scan = LiveScan()
        assert {step.captured for step in hold(scan, "F", STILL_FRAMES - 1)} == {None}
        step = scan.feed_reading(lost, 0.0, FRAME)
        assert (step.state, step.captured) == (state, None)
        assert scan.feed_reading(reading("F"), SHARP, FRAME).captured == "F"
        hold(scan, "R", STILL_FRAMES - 1)
        for _ in range(WINDOW):
            scan.feed_reading(lost, 0.0, FRAME)
        assert len(hold(scan, "R")) == STILL_FRAMES


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
    assert steps[-1].told.colour == "blue"
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
    assert hold(scan, "D", STILL_FRAMES, shift_px=20.0)[-1].captured == "D"
    scan = all_captured()
    scan.look_again("F")
    scan.feed_reading(None, 0.0, FRAME)
    step = scan.feed_reading(reading("F", turned=True), SHARP, FRAME)
    assert (step.state, step.told.face) == (LiveState.TURNED, "F")


def at(time_s: float) -> Frame:
    return Frame(FRAME.image, "camera", time_s)


def watch(
    scan: LiveScan,
    face: str,
    seconds: float,
    *,
    start_s: float = 0.0,
    sharp: float = SHARP,
    spoilt: tuple[int, ...] = (),
    fps: float = 15.0,
) -> list[LiveStep]:
    """Show a face for some time; a space shows none."""
    steps = []
    for number in range(round(seconds * fps)):
        frame = at(start_s + number / fps)
        shown = None if face == " " else reading(face)
        steps.append(scan.feed_reading(shown, sharp, frame, spoilt))
        if steps[-1].captured:
            break
    return steps


@pytest.mark.parametrize("fps", [8, 15, 60])
@pytest.mark.parametrize(
    ("sharp", "spoilt", "state", "wait_s"),
    [
        (SHARP, (3,), LiveState.SPOILT, PATIENCE_S),
        (SHARP, (0, 1, 2, 3, 5), LiveState.SPOILT, POOR_S),
        (0.05, (), LiveState.BLURRED, POOR_S),
    ],
)
def test_a_poor_look_is_waited_out_and_at_last_taken_for_what_it_is(
    sharp: float, spoilt: tuple[int, ...], state: LiveState, wait_s: float, fps: float
) -> None:
    scan = LiveScan()
    hold(scan, "F")
    *waiting, last = watch(scan, "R", 8.0, sharp=sharp, spoilt=spoilt, fps=fps)
    assert {step.state for step in waiting} == {state}
    assert last.captured == "R"
    assert wait_s - 0.01 <= len(waiting) / fps <= wait_s + PATIENCE_S + 1 / fps
    unseen = [i for i, sticker in enumerate(scan.faces["R"].stickers) if not sticker.seen]
    assert unseen == list(spoilt)


def test_a_clean_look_in_time_is_better_than_a_spoilt_one() -> None:
    scan = LiveScan()
    watch(scan, "F", 0.6, spoilt=(3,))
    assert watch(scan, "F", 1.0, start_s=0.6)[-1].captured == "F"
    assert all(sticker.seen for sticker in scan.faces["F"].stickers)
    assert scan.finish() is None


def test_a_spoilt_face_that_leaves_or_makes_room_for_another_is_kept() -> None:
    for leave in ("away", "other", "end"):
        scan = LiveScan(guessed=True)
        assert {step.captured for step in watch(scan, "F", 0.6, spoilt=(3,))} == {None}
        if leave == "end":
            assert scan.finish().captured == "F"
        else:
            shown = " " if leave == "away" else "R"
            step = watch(scan, shown, 1.0, start_s=0.6)[-1]
            assert step.captured == "F"
        assert not scan.faces["F"].stickers[3].seen
        assert scan.wanted == "R"


def test_a_face_that_never_comes_to_rest_is_not_kept() -> None:
    for spoilt, sharp in (((3,), SHARP), ((), 0.0)):
        scan = LiveScan()
        for number in range(150):
            face = reading("F", 10.0 * number)
            assert scan.feed_reading(face, sharp, at(number / 15), spoilt).captured is None
        assert scan.finish() is None


def test_a_guess_is_dropped_when_the_first_face_contradicts_it() -> None:
    """A western cube with blue in front: its colours are named again as soon as they are known."""
    scan = LiveScan(guessed=True)
    assert hold(scan, "B")[-1].captured == "F"
    assert scan.instruction("R") == ask_face("R", {})
    assert hold(scan, "L")[-1].captured == "R"  # orange
    held = dict(zip("URFDLB", ("white", "orange", "blue", "yellow", "red", "green"), strict=True))
    assert scan.instruction("B") == ask_face("B", held)
    scan.redo("R")
    scan.redo("F")
    assert scan.instruction("F") == ask_face("F", WESTERN_SCHEME)


def test_a_later_face_of_another_colour_is_taken_when_a_person_says_so() -> None:
    scan = LiveScan(guessed=True)
    hold(scan, "F")
    assert {step.state for step in watch(scan, "B", 3.0)} == {LiveState.OTHER_FACE}
    assert scan.capture_now(reading("B"), FRAME).captured == "R"
    assert scan.instruction("B") == ask_face("B", {})


def test_a_face_that_is_missed_in_some_frames_does_not_change_the_instruction() -> None:
    scan = LiveScan(guessed=True)
    hold(scan, "F")
    told = set()
    for number in range(90):
        shown = None if number % 3 else reading("F")
        told.add(scan.feed_reading(shown, SHARP, at(number / 15)).told)
    assert len(told) == 1
