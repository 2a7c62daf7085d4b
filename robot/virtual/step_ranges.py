"""The steps that a board accepts: its outputs, and the ranges of its numbers.

The parts that a board drives besides a cube's motors: servos, outputs, carriages with switches.
"""

from dataclasses import dataclass, field

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
from robot.virtual.servos import ServoArm


@dataclass(slots=True)
class MachineParts:
    """The parts, and their positions.

    Attributes:
        servos: The arm of each servo.
        outputs: The mode of each output.
        positions: Position of each motor that made moves, in steps since the start.
        homes: Position of the switch or the end stop of a motor, if it has one: closed there and
            further from 0.
        switches: The motor of each switch.
    """

    servos: list[ServoArm] = field(default_factory=lambda: [ServoArm() for _ in range(6)])
    outputs: list[OutputMode] = field(default_factory=lambda: [OutputMode.OFF] * 4)
    positions: dict[int, int] = field(default_factory=dict)
    homes: dict[int, int] = field(default_factory=dict)
    switches: tuple[int, ...] = ()

    def position(self, channel: int) -> int:
        """Return the position of a motor."""
        return self.positions.get(channel, 0)

    def move(self, channel: int, steps: int) -> None:
        """Note the steps of a motor."""
        self.positions[channel] = self.position(channel) + steps

    def way_home(self, channel: int, switch: int, travel: int) -> int | None:
        """Return how many steps a motor makes until it finds home; None for never.

        Args:
            channel: The motor.
            switch: The number of the switch that should close; `messages.STALL` for an end stop.
            travel: Maximum travel, with its sign.
        """
        found = switch == STALL or (
            switch < len(self.switches) and self.switches[switch] == channel
        )
        if not found or channel not in self.homes:
            return None
        home, at = self.homes[channel], self.position(channel)
        if at == home or (abs(at) > abs(home) and at * home > 0):
            return 0  # already closed
        way = home - at
        return abs(way) if way * travel > 0 and abs(way) <= abs(travel) else None


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
