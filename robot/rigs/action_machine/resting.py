"""The way back to where a cube is put in and taken out: no layer turns on it."""

import heapq
import itertools

from robot.rigs.action_machine.deeds import Machine, MachineState, Stride
from robot.rigs.action_machine.program import program_of
from robot.rigs.pose import Pose
from robot.rigs.program import RigProgram


def plan_rest(machine: Machine, pose: Pose) -> RigProgram:
    """Return the quickest program that brings every part to where it starts.

    Args:
        machine: What it can do.
        pose: How machine and cube stand.

    Returns:
        The program; empty where everything stands there, or where no such way leads there.
    """
    times, came = {pose.places: 0}, dict[MachineState, Stride]()
    numbers = itertools.count(1)
    ahead: list[tuple[int, int, MachineState]] = [(0, 0, pose.places)]
    while ahead:
        time_ms, _, state = heapq.heappop(ahead)
        if state == machine.start:
            break
        for stride in machine.strides.get(state, ()) if time_ms == times[state] else ():
            then_ms = time_ms + stride.time_ms
            if not stride.turns and then_ms < times.get(stride.after, then_ms + 1):
                times[stride.after], came[stride.after] = then_ms, stride
                heapq.heappush(ahead, (then_ms, next(numbers), stride.after))
    strides: list[Stride] = []
    state = machine.start
    while state in came and state != pose.places:
        strides.append(came[state])
        state = came[state].before
    return program_of(machine.rig, reversed(strides), pose)
