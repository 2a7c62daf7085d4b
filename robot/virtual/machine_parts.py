"""What a board drives besides a cube's motors: servos, outputs, carriages with switches."""

from dataclasses import dataclass, field

from robot.protocol.messages import STALL, OutputMode
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
