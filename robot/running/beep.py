"""Sounds the buzzer on one of the board's outputs, for people to hear."""

from cube.moves import MoveSequence
from robot.protocol.messages import OutputMode
from robot.rigs.actions import StepPart, Switching, Wait
from robot.rigs.program import ProgramStep, RigProgram
from robot.running.driver import RigDriver

BEEP_MS = 250


def beep(driver: RigDriver, output: int) -> None:
    """Sound a buzzer once; nothing else moves.

    Args:
        driver: The rig, connected.
        output: What the buzzer is on, as `Mechanism.buzzer` tells.

    Raises:
        RigError: The board does not do it.
        LinkError: The board cannot be reached.
    """
    try:
        driver.run(_program(driver, Switching(output, OutputMode.ON, "buzzer"), Wait(BEEP_MS)))
    finally:
        driver.prepare()  # a stop drops the rest, and leaves outputs as they are
        driver.run(_program(driver, Switching(output, OutputMode.OFF, "buzzer")))


def _program(driver: RigDriver, *parts: StepPart) -> RigProgram:
    nothing, pose = MoveSequence(), driver.pose
    steps = (ProgramStep((part,), nothing, 0.0, 0.0, does="sound", pose=pose) for part in parts)
    return RigProgram(tuple(steps), pose)
