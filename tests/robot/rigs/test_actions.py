"""Actions of the board, and the parts of steps that they stand for."""

from robot.protocol.messages import OutputMode
from robot.rigs.actions import (
    Homing,
    MotorMove,
    MotorTurn,
    ServoMove,
    StepPart,
    Switching,
    Wait,
    part_of,
)

PARTS: tuple[StepPart, ...] = (
    MotorTurn(1, -3, "face R"),
    MotorMove(5, -70, "the carriage", absolute=True, speed_percent=50),
    ServoMove(0, 1500, "the claw", 4000, 0.02),
    Homing(3, -900, "the carriage", switch=1),
    Homing(4, 900, "the table", switch=None, speed_percent=25),
    Switching(1, OutputMode.ON, "the lamp"),
    Wait(20),
)


def test_a_part_is_what_its_action_says() -> None:
    assert [part_of(part.action, part.part) for part in PARTS] == list(PARTS)
