"""The simulator's log of edges on the board's pins, read as step pulses."""

from collections.abc import Iterable

from robot.simulator.avr_simulator import CYCLES_PER_S
from robot.virtual.slipping_cube import StepEdge


class StepPulses:
    """Follows direction and current of each motor from one stretch of the log to the next."""

    def __init__(self) -> None:
        self._forward = [False] * 6
        self._current = False

    def read(self, rows: Iterable[str]) -> list[StepEdge]:
        """Return the pulses of the next rows; without current none counts."""
        pulses = []
        for row in rows:
            if row.startswith("#"):
                continue
            cycle, channel, kind, level = row.split()
            if kind == "enable":
                self._current = level == "0"
            elif kind == "dir":
                self._forward[int(channel)] = level == "1"
            elif kind == "step" and level == "1" and self._current:
                motor = int(channel)
                pulses.append(StepEdge(int(cycle) / CYCLES_PER_S, motor, self._forward[motor]))
        return pulses
