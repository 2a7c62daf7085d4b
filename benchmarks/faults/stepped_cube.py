"""A cube that counts step pulses: the reference of tests and campaigns for boards and rigs."""

from collections.abc import Iterable

from benchmarks.faults.pin_edges import StepEdge
from cube.moves import FACES, Move
from cube.state import SOLVED, CubeState
from robot.errors import RigError
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.motor import DEGREES_PER_QUARTER


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
