"""What a program that was stopped says of itself."""

from dataclasses import replace

from link_peer import status

from cube.moves import MoveSequence
from robot.protocol.messages import Fault, Flag, State
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.running.program_run import ProgramRun


def stopped(rig: FaceMotors, **said: int) -> tuple[int, bool]:
    """How many of three steps were turned, of which two are, and whether one was begun."""
    run = ProgramRun(rig.plan(MoveSequence.parse("R U F2 B2")), 3, 0.0, None)
    flags = Flag.CUT_SHORT if said else Flag(0)
    aborted = status(State.ABORTED, 7, 5, fault=Fault.HOST_ABORT)
    found = replace(aborted, flags=flags, **said)
    run.note_stop(found, 1.0)
    error = run.aborted(found)
    assert error.fault == "host_abort"
    assert "2 of 3" in str(error)
    return error.executed, any(run.begun)


def test_a_stop_says_how_many_were_turned_and_whether_it_was_in_the_middle_of_the_next(
    rig: FaceMotors,
) -> None:
    assert stopped(rig) == (2, False)
    assert stopped(rig, done_0=1) == stopped(rig, done_1=1) == (2, True)
