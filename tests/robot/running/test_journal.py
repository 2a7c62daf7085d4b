"""What is written down of a program, and what another host makes of it with the board's counts."""

from dataclasses import replace

import msgspec
import pytest
from benches import SEQUENCE, Story

from cube.facelets import SOLVED_FACELETS
from cube.moves import MoveSequence
from robot.errors import AbortedError, BoardResetError, ForeignHostError, LinkError, RigError
from robot.protocol.messages import PROTOCOL_VERSION, Fault, Flag, HelloReply, State, Status
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.running.driver import RigDriver
from robot.running.journal import JournalRecord, Standing, steps_taken
from robot.running.program_run import RunProgress


@pytest.mark.parametrize("last", [3, len(SEQUENCE)])
def test_a_stop_is_written_down_with_how_far_it_came(rig: FaceMotors, last: int) -> None:
    story = Story(msgspec.structs.replace(rig, parallel=False), seed=1)
    host = story.host()
    host.connect()
    host.prepare()

    def interrupt(progress: RunProgress) -> None:
        if progress.executed == last:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        host.run(story.rig.plan(SEQUENCE), interrupt)
    assert story.paper.record is None
    total = len(SEQUENCE)
    assert last <= host.executed <= total
    assert (host.executed == total) == (last == total) == (story.paper.why == "")
    assert last == total or f"{host.executed} of {total}" in story.paper.why


@pytest.mark.parametrize(
    ("meanwhile", "error"),
    [
        ("reset", BoardResetError),
        ("another host", ForeignHostError),
        ("estop", AbortedError),
        ("motors off", AbortedError),
        ("other wiring", RigError),
    ],
)
def test_what_cannot_be_known_is_not_guessed(
    rig: FaceMotors, meanwhile: str, error: type[Exception]
) -> None:
    story = Story(rig, 2)
    program = rig.plan(MoveSequence(SEQUENCE.moves * 3))
    assert story.kill_a_host(program, 8)
    record = story.paper.record
    assert record is not None
    match meanwhile:
        case "reset":
            story.virtual.board.reset(story.virtual.board.boot_id + 1)
        case "another host":
            story.clock.sleep(4.0)
            other = RigDriver(story.virtual, rig, story.clock, seed=7)
            other.connect()
            other.prepare()
            other.run(rig.plan(MoveSequence.parse("R")))
        case "estop":
            story.virtual.board.press_estop()
        case "motors off":
            story.clock.sleep(120.0)
        case "other wiring":
            motors = rig.motors | {"U": msgspec.structs.replace(rig.motors["U"], direction=-1)}
            story.rig = msgspec.structs.replace(rig, motors=motors)
    before = story.virtual.moves
    host = story.host()
    host.connect()
    with pytest.raises(error):
        host.resume(record)
    assert story.virtual.moves == before
    assert (story.paper.record is None) == (meanwhile != "other wiring")


def test_a_lost_board_keeps_the_record(rig: FaceMotors) -> None:
    story = Story(rig, 4)
    host = story.host()
    host.connect()
    host.prepare()
    program = rig.plan(SEQUENCE)
    with pytest.raises(LinkError):
        host.run(program, lambda done: story.virtual.unplug(60) if done.executed == 3 else None)
    assert story.paper.record is not None


WRITTEN = {"rig": "", "target": SOLVED_FACELETS, "boot_id": 9}
RECORD = JournalRecord(steps=tuple("RUFL"), **WRITTEN, done=1, accepted=100, next_seq=250)
REPLY = HelloReply(0, PROTOCOL_VERSION, 0, 1, 0, 0, 9, 1, State.IDLE, 0, 0, 0, 0, 6, 64, 2, 0, 0, 0)


def status(accepted: int, executed: int, next_seq: int, **changes: object) -> Status:
    counts = accepted, executed, next_seq
    return replace(Status(State.MOVING, Flag(0), 60, *counts, Fault.NONE, 0, 0, 0, 0, 0), **changes)


SILENT = {"state": State.ABORTED, "fault": Fault.HOST_SILENT}


def test_counts_fit_and_a_turn_that_was_cut_short_counts_until_its_step_is_turned() -> None:
    assert steps_taken(RECORD, REPLY, status(102, 101, 252)) == Standing(3, 2)
    assert steps_taken(RECORD, REPLY, status(100, 100, 250)) == Standing(1, 1)
    assert steps_taken(RECORD, REPLY, status(101, 101, 253, **SILENT)) == Standing(2, 2)
    cut = status(101, 101, 253, **SILENT, flags=Flag.CUT_SHORT, done_0=1, done_1=-1)
    assert steps_taken(RECORD, REPLY, cut) == Standing(2, 2, (1, -1, 0, 0))
    noted = msgspec.structs.replace(RECORD, begun=(1, 0, 0, 0))
    assert steps_taken(noted, REPLY, status(101, 100, 251)) == Standing(2, 1, (1, 0, 0, 0))
    assert steps_taken(noted, REPLY, status(102, 101, 252)) == Standing(3, 2)


def test_counts_that_do_not_fit() -> None:
    for wrong in (
        status(104, 101, 254),  # more than the program has
        status(102, 99, 252),  # less than before it began
        status(102, 101, 253),  # a message that was none of ours
        status(102, 101, 251),
        status(101, 101, 248, **SILENT),
    ):
        with pytest.raises(ForeignHostError):
            steps_taken(RECORD, REPLY, wrong)
