"""The arms of servos that follow the pulses of a simulator's record, as rotors follow its steps."""

from collections.abc import Iterable, Iterator, Mapping

from avr_simulator import CYCLES_PER_MS, CYCLES_PER_US

from benchmarks.faults.pin_edges import CYCLES_PER_S, PinEdge
from robot.protocol.messages import SERVO_FRAME_MS
from robot.virtual.servos import ServoArm

LIMP_CYCLES = 2 * SERVO_FRAME_MS * CYCLES_PER_MS
"""A servo without a pulse for this long is limp."""


class RecordedServos:
    """The arms of a board in the simulator.

    Args:
        arms: The arm of each servo that moves something.
    """

    def __init__(self, arms: Mapping[int, ServoArm]) -> None:
        self._arms = arms
        self._rises: dict[int, int] = {}
        self._latest: dict[int, int] = {}

    def follow(self, edges: Iterable[PinEdge]) -> Iterator[int]:
        """Move the arms through the next edges of a record.

        Yields:
            The cycles at which a pulse ends or an arm becomes limp; the arms then have the
            positions of that moment.
        """
        for edge in edges:
            yield from self.live(edge.cycle)
            if edge.kind == "reset":
                yield from self._reset(edge.cycle)
            if edge.kind != "servo" or edge.channel not in self._arms:
                continue
            if edge.level:
                self._rises[edge.channel] = edge.cycle
            elif edge.channel in self._rises:
                begun = self._rises.pop(edge.channel)
                self._latest[edge.channel] = edge.cycle
                pulse_us = round((edge.cycle - begun) / CYCLES_PER_US)
                self._arms[edge.channel].give(pulse_us, edge.cycle / CYCLES_PER_S)
                yield edge.cycle

    def live(self, cycle: int) -> Iterator[int]:
        """Let time pass without an edge; yield each time at which an arm becomes limp."""
        for servo, latest in list(self._latest.items()):
            if cycle - latest > LIMP_CYCLES:
                limp = self._latest.pop(servo) + LIMP_CYCLES
                self._arms[servo].give(0, limp / CYCLES_PER_S)
                yield limp
        for arm in self._arms.values():
            arm.live(cycle / CYCLES_PER_S)

    def _reset(self, cycle: int) -> Iterator[int]:
        """A reset: the current pulse ends early, and no other follows."""
        self._rises.clear()
        self._latest.clear()
        for arm in self._arms.values():
            arm.give(0, cycle / CYCLES_PER_S)
        yield cycle
