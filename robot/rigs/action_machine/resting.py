"""The way back to where a cube is put in and taken out: no layer turns on it."""

from robot.rigs.action_machine.paths import COUNT, Holding
from robot.rigs.action_machine.program import program_of
from robot.rigs.program import Pose, RigProgram


def plan_rest(holding: Holding, pose: Pose) -> RigProgram:
    """Return the quickest program that brings every part to where it starts.

    Args:
        holding: What the machine does between turns.
        pose: How machine and cube stand.

    Returns:
        The program; empty where everything stands there, or where no such way leads there.
    """
    machine = holding.machine
    first = holding.numbers[pose.places] * COUNT
    times, before = holding.quickest([first])
    home = holding.numbers[machine.start] * COUNT
    last = home + int(times[0, home : home + COUNT].argmin())
    strides = holding.strides(before[0], first, last) if times[0, last] < float("inf") else []
    return program_of(machine.rig, strides, pose)
