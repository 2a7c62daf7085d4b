"""Which steps a board takes: what it has, and what its numbers allow."""

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
    """Say whether a board can do a step.

    Args:
        step: The step.
        motors: Channels that the board drives.
        parts: What it drives besides.
        stall: Whether the drivers' stall outputs are wired.
    """
    if step.begin is Begin.AFTER_END and step.begin_value:
        return False
    things = [_thing(action) for action in step.actions]
    moved = sum(kind == "motor" for kind, _ in things)
    possible = all(_fits(action, motors, parts, stall=stall) for action in step.actions)
    return possible and len(set(things)) == len(things) and moved <= MOTORS_TOGETHER


def _thing(action: Action) -> tuple[str, int]:
    """What two actions of a step cannot both want."""
    match action.kind:
        case ActionKind.POSITION:
            return "servo", action.channel
        case ActionKind.OUTPUT:
            return "output", action.channel
        case ActionKind.WAIT:
            return "wait", 0
    return "motor", action.channel


def _fits(action: Action, motors: int, parts: MachineParts, *, stall: bool) -> bool:
    known = action.channel < _channels(action.kind, motors, parts)
    value = action.value
    match action.kind:
        case ActionKind.TURN:
            fitting = abs(value) in (1, 2)
        case ActionKind.POSITION:
            fitting = value == 0 or SHORTEST_PULSE_US <= value <= LONGEST_PULSE_US
        case ActionKind.HOME:
            found = stall if action.detail == STALL else action.detail < len(parts.switches)
            fitting = value not in (0, _LEAST) and found
        case ActionKind.WAIT:
            fitting = 1 <= value <= LONGEST_WAIT_MS
        case ActionKind.OUTPUT:
            blinks = value == OutputMode.BLINK
            fitting = value in list(OutputMode) and (action.detail != 0) == blinks
        case _:
            fitting = value != _LEAST
    return known and fitting and not _surplus(action)


def _channels(kind: ActionKind, motors: int, parts: MachineParts) -> int:
    """Return how many channels an action of a kind can choose from."""
    others = {
        ActionKind.POSITION: len(parts.servos),
        ActionKind.OUTPUT: len(parts.outputs),
        ActionKind.WAIT: 1,
    }
    return others.get(kind, motors)


def _surplus(action: Action) -> bool:
    """Say whether an action has numbers that its kind has no use for."""
    speed = action.kind in (ActionKind.TURN, ActionKind.WAIT, ActionKind.OUTPUT)
    detail = speed or action.kind in (ActionKind.MOVE_BY, ActionKind.MOVE_TO)
    detail = detail and action.kind is not ActionKind.OUTPUT
    return (speed and action.speed != 0) or (detail and action.detail != 0)
