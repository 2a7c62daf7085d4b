"""The steps that a board accepts: its outputs, and the ranges of its numbers."""

from robot.protocol.messages import (
    LONGEST_PULSE_US,
    LONGEST_WAIT_MS,
    MOTORS_TOGETHER,
    SHORTEST_PULSE_US,
    STALL,
    Action,
    ActionKind,
    Begin,
    OutputMode,
    Step,
)
from robot.virtual.machine_parts import MachineParts

_LEAST = -(2**15)


def fits(step: Step, motors: int, parts: MachineParts, *, stall: bool) -> bool:
    """Return whether a board can execute a step.

    Args:
        step: The step.
        motors: Channels of its motors.
        parts: Its other parts.
        stall: Whether the drivers' stall outputs are wired.
    """
    if step.begin is Begin.AFTER_END:
        begins = step.begin_value == 0
    else:
        begins = step.begin is Begin.ANGLE and step.is_plain
    things = [_thing(action) for action in step.actions]
    moved = sum(kind == "motor" for kind, _ in things)
    possible = all(_fits(action, motors, parts, stall=stall) for action in step.actions)
    distinct = len(set(things)) == len(things)
    return begins and possible and distinct and moved <= MOTORS_TOGETHER


def _thing(action: Action) -> tuple[str, int]:
    """Return the resource that two actions of a step cannot share."""
    match action.kind:
        case ActionKind.POSITION:
            return "servo", action.channel
        case ActionKind.OUTPUT:
            return "output", action.channel
        case ActionKind.WAIT:
            return "wait", 0
    return "motor", action.channel


def _fits(action: Action, motors: int, parts: MachineParts, *, stall: bool) -> bool:
    """Return whether a board has an action's channel and can do it; unused numbers must be 0."""
    value, channels, unused = action.value, motors, action.speed or action.detail
    match action.kind:
        case ActionKind.TURN:
            fitting = abs(value) in (1, 2)
        case ActionKind.MOVE_BY | ActionKind.MOVE_TO:
            fitting = value != _LEAST
        case ActionKind.HOME:
            unused = action.speed
            found = stall if action.detail == STALL else action.detail < len(parts.switches)
            fitting = value not in (0, _LEAST) and found
        case ActionKind.POSITION:
            channels, unused = len(parts.servos), 0
            fitting = value == 0 or SHORTEST_PULSE_US <= value <= LONGEST_PULSE_US
        case ActionKind.WAIT:
            channels, fitting = 1, 1 <= value <= LONGEST_WAIT_MS
        case ActionKind.OUTPUT:
            channels, fitting = len(parts.outputs), value in list(OutputMode)
        case _:
            fitting = False
    return fitting and action.channel < channels and not unused
