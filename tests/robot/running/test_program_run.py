"""What a program that was stopped says of itself."""

from dataclasses import replace

import pytest

from cube.moves import MoveSequence
from robot.protocol.messages import Fault, Flag, State, Status
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.running.program_run import ProgramRun

STATUS = Status(
    state=State.ABORTED,
    flags=0,
    credits=64,
    accepted=7,
    executed=5,
    next_seq=0,
    fault=Fault.HOST_ABORT,
    servos_on=0,
    done_0=0,
    done_1=0,
    done_2=0,
    done_3=0,
)


def stopped(rig: FaceMotors, **said: int) -> str:
    """What is told of three steps, of which two were turned."""
    run = ProgramRun(rig.plan(MoveSequence.parse("R U F2 B2")), 3, 0.0, None)
    flags = Flag.CUT_SHORT if said else Flag(0)
    status = replace(STATUS, flags=flags, **said)
    run.note_stop(status, 1.0)
    return str(run.aborted(status))


def test_a_stop_between_two_turns_says_how_many_were_turned(rig: FaceMotors) -> None:
    assert stopped(rig) == (
        "stopped after 2 of 3 steps: told to stop, and every face stands at a detent; "
        "scan again to go on"
    )


@pytest.mark.parametrize("said", [{"done_0": 1}, {"done_1": 1}])
def test_a_stop_in_the_middle_of_a_turn_says_so(rig: FaceMotors, said: dict[str, int]) -> None:
    assert "after 2 of 3 steps, and in the middle of the next: told" in stopped(rig, **said)
