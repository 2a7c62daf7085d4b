"""A cube whose rotors follow the step pulses of a record, at their own times."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from rotor import trace

from benchmarks.faults.pin_edges import StepEdge
from cube.state import CubeState
from robot.virtual.cubes.course import DEFAULT_MODEL
from robot.virtual.cubes.slipping_cube import SlippingCube, _Turn

_PAUSE_S = 0.06
"""Longer than the first interval of the slowest ramp: later pulses are another turn."""
_SHORT_PAUSE_S = 0.001
_STEEPEST = 3.0
"""The last interval of a ramp is 1 / (sqrt(2) - 1) = 2.4 times the previous one."""


@dataclass(slots=True)
class _Pulses:
    """Pulses of one motor without a pause: times, and 1 or -1 for each pulse.

    Attributes:
        channel: The motor output.
        pulses: The pulses until now.
    """

    channel: int
    pulses: list[tuple[float, int]] = field(default_factory=list)

    def paused(self, now_s: float) -> bool:
        """Return whether the next pulse is overdue, even on the ramp where intervals grow most."""
        last_s = self.pulses[-1][0]
        longest_s = _PAUSE_S
        if len(self.pulses) > 1:
            interval_s = last_s - self.pulses[-2][0]
            longest_s = min(_PAUSE_S, max(_SHORT_PAUSE_S, _STEEPEST * interval_s))
        return now_s - last_s > longest_s


class RecordedCube(SlippingCube):
    """A slipping cube that is turned by recorded pulses."""

    def follow(self, edges: Iterable[StepEdge]) -> CubeState:
        """Apply recorded step pulses at their own times, and return the resulting state.

        Raises:
            RigError: No motor is on a channel.
        """
        turns = sorted(self._turns_of(edges), key=lambda turn: turn.pulses[0][0])
        for turn in turns:
            motor = self._motor(turn.channel)
            begin_s = turn.pulses[0][0]
            pulses = ((time_s - begin_s, way) for time_s, way in turn.pulses)
            made = trace(pulses, DEFAULT_MODEL.driving(motor, self.torque), motor.microsteps)
            commanded = sum(way for _, way in turn.pulses)
            self._make(
                _Turn(turn.channel, begin_s, made, motor.direction, motor.gear),
                commanded - made.slipped_pulses,
                made.slipped_pulses,
            )
        return self.state

    def _turns_of(self, edges: Iterable[StepEdge]) -> list[_Pulses]:
        """Split recorded pulses into turns: at pauses, and where a crossing face begins."""
        done: list[_Pulses] = []
        under_way: dict[int, _Pulses] = {}
        commanded = dict(self._angles)
        for edge in edges:
            motor = self._motor(edge.channel)
            for turn in list(under_way.values()):
                continues = not turn.paused(edge.time_s)
                if turn.channel == edge.channel and continues:
                    break  # those that began later do not end this one
                crosses = self._cross(turn.channel, edge.channel)
                quarter = self._motors[turn.channel].steps_per_quarter
                if not continues or (crosses and commanded[turn.channel] % quarter == 0):
                    done.append(under_way.pop(turn.channel))
            way = 1 if edge.forward else -1
            turn = under_way.setdefault(edge.channel, _Pulses(edge.channel))
            turn.pulses.append((edge.time_s, way))
            commanded[edge.channel] += way * motor.direction
        return done + list(under_way.values())
