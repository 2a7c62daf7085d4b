"""The path to the pose in which a cube is put in and taken out; no layer turns on it."""

from robot.rigs.action_machine.paths import COUNT, Holding
from robot.rigs.action_machine.program import program_of
from robot.rigs.program import Pose, RigProgram


def plan_rest(holding: Holding, pose: Pose) -> RigProgram:
    """Return the quickest program that brings every part to its start.

    Args:
        holding: The strides between layer turns.
        pose: The pose of machine and cube.

    Returns:
        The program; empty if every part is there already, or if no such path leads there.
    """
    machine = holding.machine
    first = holding.numbers[pose.places] * COUNT
    times, before = holding.quickest([first])
    home = holding.numbers[machine.start] * COUNT
    last = home + int(times[0, home : home + COUNT].argmin())
    strides = holding.strides(before[0], first, last) if times[0, last] < float("inf") else []
    return program_of(machine.rig, strides, pose)
