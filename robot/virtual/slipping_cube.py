"""A cube whose motors can lose steps: what happens to it when a ramp is too steep."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from cube.moves import Move
from cube.state import SOLVED, CubeState
from robot.errors import RigError
from robot.rigs.mechanism import Mechanism
from robot.rigs.motion import Trapezoid
from robot.rigs.motor import DEGREES_PER_QUARTER, Motor
from robot.virtual.rotor import DEFAULT_MODEL, Rotor, RotorModel, slipped_pulses

CUT_DEG = 20.0
"""A face turns although one beside it stands off its detent by so much: cubes cut corners."""
_PAUSE_S = 0.06
"""Longer than the first interval of the slowest ramp: the pulses after it are another turn."""
_SHORT_PAUSE_S = 0.001
_STEEPEST = 3.0
"""The last interval of a ramp is 1 / (sqrt(2) - 1) = 2.4 times the one before."""


@dataclass(frozen=True, slots=True)
class StepEdge:
    """One step pulse.

    Attributes:
        time_s: When it came.
        channel: The motor output that it came from.
        forward: Level of the direction pin: high turns the motor clockwise, seen facing its face.
    """

    time_s: float
    channel: int
    forward: bool


@dataclass(slots=True)
class _Turn:
    """Pulses of one motor without a pause: times, and 1 or -1 for each.

    Attributes:
        channel: The motor output.
        blocked: A face on another axis was in the way when it began.
        pulses: The pulses until now.
    """

    channel: int
    blocked: bool
    pulses: list[tuple[float, int]] = field(default_factory=list)

    def paused(self, now_s: float) -> bool:
        """Whether the next pulse is overdue, even on the ramp where intervals grow most."""
        last_s = self.pulses[-1][0]
        longest_s = _PAUSE_S
        if len(self.pulses) > 1:
            interval_s = last_s - self.pulses[-2][0]
            longest_s = min(_PAUSE_S, max(_SHORT_PAUSE_S, _STEEPEST * interval_s))
        return now_s - last_s > longest_s


class SlippingCube:
    """A cube in a rig, whose rotors follow the pulses or do not.

    Args:
        rig: The real machine: its motors, and what each one does to the cube.
        state: The cube at the beginning, every motor at a detent.
        model: The motors.

    Attributes:
        state: The cube now; a motor counts as standing at the detent that is nearest.
        moves: What was turned.
        slips: How often a motor lost steps, or was blocked by a face beside it.
    """

    def __init__(
        self, rig: Mechanism, state: CubeState = SOLVED, model: RotorModel = DEFAULT_MODEL
    ) -> None:
        self.state = state
        self.moves: list[Move] = []
        self.slips = 0
        self._model = model
        self._hold = rig.hold()
        self._names = {motor.channel: name for name, motor in rig.motors.items()}
        self._motors = {motor.channel: motor for motor in rig.motors.values()}
        self._angles = dict.fromkeys(self._motors, 0)
        self._quarters = dict.fromkeys(self._motors, 0)

    def turn(self, channel: int, pulses: int, motion: Trapezoid, torque: float = 1.0) -> None:
        """Make one turn from rest.

        Args:
            channel: The motor output.
            pulses: How many, forward positive.
            motion: When they come.
            torque: Share of the motor's torque that is left.

        Raises:
            RigError: No motor is on the channel.
        """
        motor = self._motor(channel)
        model = self._model_of(motor)
        model = replace(model, holding_nm=model.holding_nm * torque)
        lost = slipped_pulses(motion, model, motor.microsteps)
        self._move(channel, pulses - lost if pulses > 0 else pulses + lost, lost)

    def blocks(self, other: int, steps_left: int, channel: int) -> bool:
        """Say whether a motor is in the way of one that begins to turn.

        Args:
            other: The motor output that ends its turn.
            steps_left: Its step pulses that are still to come.
            channel: The motor output that begins.
        """
        off_deg = DEGREES_PER_QUARTER * steps_left / self._motor(other).steps_per_quarter
        return off_deg > CUT_DEG and self._hold.blocks(other, channel)

    def block(self) -> None:
        """Lose a turn: a face beside it was in the way, and its motor slipped all along."""
        self.slips += 1

    def follow(self, edges: Iterable[StepEdge]) -> CubeState:
        """Apply recorded step pulses at their own times, and return the state that they leave.

        Raises:
            RigError: No motor is on a channel.
        """
        open_turns: dict[int, _Turn] = {}
        for edge in edges:
            self._motor(edge.channel)
            for turn in list(open_turns.values()):
                goes_on = not turn.paused(edge.time_s)
                if turn.channel == edge.channel and goes_on:
                    break  # those that began later do not end this one
                crosses = self._hold.blocks(turn.channel, edge.channel)
                if not goes_on or (crosses and self._off_deg(turn) == 0):
                    self._close(open_turns.pop(turn.channel))
            if edge.channel not in open_turns:
                blocked = any(
                    self._off_deg(turn) > CUT_DEG and self._hold.blocks(turn.channel, edge.channel)
                    for turn in open_turns.values()
                )
                open_turns[edge.channel] = _Turn(edge.channel, blocked=blocked)
            pulse = 1 if edge.forward else -1
            open_turns[edge.channel].pulses.append((edge.time_s, pulse))
        for turn in open_turns.values():
            self._close(turn)
        return self.state

    @property
    def misaligned_deg(self) -> dict[str, float]:
        """Degrees by which motors stand beside their nearest detent, clockwise positive."""
        return {
            name: DEGREES_PER_QUARTER * off / self._motors[channel].steps_per_quarter
            for channel, name in self._names.items()
            if (off := self._off_detent(channel))
        }

    def _off_deg(self, turn: _Turn) -> float:
        """How far the pulses of a turn have brought its motor from a detent."""
        motor = self._motors[turn.channel]
        angle = self._angles[turn.channel] + motor.direction * sum(way for _, way in turn.pulses)
        quarter = motor.steps_per_quarter
        return DEGREES_PER_QUARTER * abs(angle - round(angle / quarter) * quarter) / quarter

    def _close(self, turn: _Turn) -> None:
        if turn.blocked:
            self.block()
            return
        motor = self._motors[turn.channel]
        rotor = Rotor(self._model_of(motor), motor.microsteps)
        begin_s = turn.pulses[0][0]
        for time_s, pulse in turn.pulses:
            rotor.step(time_s - begin_s, pulse)
        rotor.settle()
        commanded = sum(pulse for _, pulse in turn.pulses)
        self._move(turn.channel, commanded - rotor.slipped_pulses, rotor.slipped_pulses)

    def _move(self, channel: int, pulses: int, lost: int) -> None:
        """Turn a face by the pulses that its rotor followed, unless another face is in the way."""
        blocked = any(
            self.blocks(other, abs(self._off_detent(other)), channel) for other in self._motors
        )
        if lost or blocked:
            self.slips += 1
        if blocked:
            return
        motor = self._motors[channel]
        self._angles[channel] += pulses * motor.direction
        quarters = round(self._angles[channel] / motor.steps_per_quarter)
        moves = self._hold.turn(channel, quarters - self._quarters[channel])
        self._quarters[channel] = quarters
        for move in moves:
            self.moves.append(move)
            self.state = self.state.apply(move)

    def _off_detent(self, channel: int) -> int:
        steps = self._motors[channel].steps_per_quarter
        return self._angles[channel] - self._quarters[channel] * steps

    def _motor(self, channel: int) -> Motor:
        if channel not in self._motors:
            raise RigError(f"step pulses on channel {channel}, where the rig has no motor")
        return self._motors[channel]

    def _model_of(self, motor: Motor) -> RotorModel:
        load = self._model.load_kg_m2 / motor.gear**2
        return replace(self._model, load_kg_m2=load, full_steps=motor.steps_per_turn)
