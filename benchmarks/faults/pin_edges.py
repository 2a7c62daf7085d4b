"""The record of the firmware's simulator: the edges of the pins, and the step pulses in it."""

from collections.abc import Iterable
from dataclasses import dataclass

CYCLES_PER_S = 16_000_000
ALL_MOTORS = -1


@dataclass(frozen=True, slots=True)
class PinEdge:
    """One line of the simulator's record.

    Attributes:
        cycle: Its time, in cycles of 16 MHz since the simulator started.
        channel: The motor, servo or output, or ALL_MOTORS.
        kind: "step", "dir", "enable", "servo", "output", "reset" or "flush"; see the simulator's
            page.
        level: The pin's new level.
    """

    cycle: int
    channel: int
    kind: str
    level: int


@dataclass(frozen=True, slots=True)
class StepEdge:
    """One step pulse.

    Attributes:
        time_s: Time of the pulse.
        channel: The motor output.
        forward: Level of the direction pin: high turns the motor clockwise, seen facing its face.
    """

    time_s: float
    channel: int
    forward: bool


def read_edges(text: str) -> tuple[PinEdge, ...]:
    """Read the simulator's record."""
    edges = []
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        cycle, channel, kind, level = line.split()
        motor = ALL_MOTORS if channel == "-" else int(channel)
        edges.append(PinEdge(int(cycle), motor, kind, int(level)))
    return tuple(edges)


class StepReader:
    """Extracts the step pulses of a record, piece by piece, each with its motor's direction.

    Args:
        powered: The level of the enable pin at which the motors have current: pulses without
            current are then left out. None counts all pulses.
    """

    def __init__(self, powered: int | None = None) -> None:
        self._powered = powered
        self._current = powered is None
        self._forward: dict[int, bool] = {}

    def read(self, edges: Iterable[PinEdge]) -> list[StepEdge]:
        """Return the pulses of the next edges; a record begins at the start of the simulator."""
        found = []
        for edge in edges:
            if edge.kind == "enable" and self._powered is not None:
                self._current = edge.level == self._powered
            elif edge.kind == "dir":
                self._forward[edge.channel] = edge.level == 1
            elif edge.kind == "step" and edge.level == 1 and self._current:
                time_s = edge.cycle / CYCLES_PER_S
                forward = self._forward.get(edge.channel, False)
                found.append(StepEdge(time_s, edge.channel, forward))
        return found
