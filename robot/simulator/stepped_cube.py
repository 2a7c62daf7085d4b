"""A cube that counts step pulses: the reference of tests and campaigns for board and virtual rig.

This module also contains arms that follow the pulses of a record, as rotors follow its steps.
"""

from collections.abc import Iterable, Iterator, Mapping

from cube.moves import FACES, Move
from cube.state import SOLVED, CubeState
from robot.errors import RigError
from robot.protocol.messages import SERVO_FRAME_MS
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.motor import DEGREES_PER_QUARTER
from robot.simulator.avr_simulator import CYCLES_PER_MS, CYCLES_PER_S, CYCLES_PER_US, PinEdge
from robot.virtual.cubes.slipping_cube import StepEdge
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


class JammedError(RigError):
    """A face began to turn while a neighbouring one was between two detents."""


class SteppedCube:
    """A cube in a rig, turned by counting step pulses.

    Args:
        rig: The real machine: channel, steps per quarter and direction of each face.
        state: The cube at the beginning, every face at a detent.
        tolerance_deg: Of two faces that cross, one may always be this far from its detent.

    Attributes:
        state: The cube now; a face between two detents counts as not yet turned.
        moves: One entry each time a face reached a detent: a half turn that comes step by step is
            two quarter turns here.
    """

    def __init__(
        self, rig: FaceMotors, state: CubeState = SOLVED, tolerance_deg: float = 0.0
    ) -> None:
        self.state = state
        self.moves: list[Move] = []
        self._tolerance_deg = tolerance_deg
        self._faces = {motor.channel: face for face, motor in rig.motors.items()}
        self._steps = {motor.channel: motor.steps_per_quarter for motor in rig.motors.values()}
        self._signs = {motor.channel: motor.direction for motor in rig.motors.values()}
        self._angles = dict.fromkeys(self._faces, 0)
        self._quarters = dict.fromkeys(self._faces, 0)

    def step(self, channel: int, steps: int) -> None:
        """Turn a motor by some steps, forward positive.

        Raises:
            RigError: No motor is on the channel.
            JammedError: A face on another axis is between two detents.
        """
        if channel not in self._faces:
            raise RigError(f"step pulses on channel {channel}, where the rig has no motor")
        self._check_free(channel)
        self._angles[channel] += steps * self._signs[channel]
        quarters, rest = divmod(self._angles[channel], self._steps[channel])
        if rest == 0 and quarters != self._quarters[channel]:
            turned = (quarters - self._quarters[channel]) % 4
            self._quarters[channel] = quarters
            if turned:
                move = Move(self._faces[channel], turned)
                self.moves.append(move)
                self.state = self.state.apply(move)

    def follow(self, edges: Iterable[StepEdge]) -> CubeState:
        """Apply recorded step pulses and return the resulting state.

        Raises:
            JammedError: The recorded motion would have jammed a real cube.
        """
        for edge in edges:
            self.step(edge.channel, 1 if edge.forward else -1)
        return self.state

    @property
    def misaligned(self) -> dict[str, int]:
        """Steps of the faces from their last detent; empty if all are aligned."""
        return {
            self._faces[channel]: angle - self._quarters[channel] * self._steps[channel]
            for channel, angle in self._angles.items()
            if angle != self._quarters[channel] * self._steps[channel]
        }

    def _check_free(self, channel: int) -> None:
        face = self._faces[channel]
        for other, steps in self.misaligned.items():
            if self._tolerance_deg and self._nearly_aligned(face, other):
                continue
            if (FACES.index(other) - FACES.index(face)) % 3:
                raise JammedError(
                    f"face {face} turns while {other} is {steps} steps off its detent: a real "
                    "cube would jam; align the faces by hand and scan again"
                )

    def _nearly_aligned(self, *faces: str) -> bool:
        """Return whether one of some faces is within the tolerance of a detent."""
        for channel, face in self._faces.items():
            quarter = self._steps[channel]
            angle = self._angles[channel]
            off = abs(angle - round(angle / quarter) * quarter)
            if face in faces and DEGREES_PER_QUARTER * off <= self._tolerance_deg * quarter:
                return True
        return False
