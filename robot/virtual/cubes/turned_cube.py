"""A cube that follows the movements of a machine."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence

from cube.facelets import Facelets
from cube.moves import Move
from cube.state import CubeState
from robot.errors import RigError
from robot.rigs.motor import Motor
from robot.rigs.trapezoid import Trapezoid
from robot.virtual.cubes.course import DEFAULT_MODEL, Course, course


class TurnedCube(ABC):
    """A cube in a virtual machine.

    Args:
        state: The cube.
        motors: The steppers of the machine.

    Attributes:
        state: The cube now, by its own faces.
        moves: The moves made.
        torque: Share of the motors' torque that is left.
        slips: Number of times that a motor lost steps.
        violations: Movements that the machine does not allow.
    """

    def __init__(self, state: CubeState, motors: Iterable[Motor]) -> None:
        self.state = state
        self.moves: list[Move] = []
        self.torque = 1.0
        self.slips = 0
        self.violations: list[str] = []
        self._motors = {motor.channel: motor for motor in motors}

    @property
    @abstractmethod
    def shown(self) -> Facelets:
        """The stickers, by their places in the machine."""

    @abstractmethod
    def stands(self, needs: Mapping[str, Sequence[str]]) -> bool:
        """Return whether every part has its required place, at rest, and the cube is there."""

    @abstractmethod
    def turn(self, channel: int, pulses: int, motion: Trapezoid, start_s: float) -> None:
        """Move a motor from rest; motions must be given in the order of their start.

        Args:
            channel: The motor output.
            pulses: Number of pulses, forward positive.
            motion: Their timing.
            start_s: Time of the first pulse.

        Raises:
            RigError: No motor is on the channel.
        """

    @abstractmethod
    def look(self, now_s: float, motors_since_s: float | None = None) -> None:
        """Process the motions up to now.

        Call this whenever a pulse or an output may have changed, just before and just after the
        change.

        Args:
            now_s: The time.
            motors_since_s: Start time of the first motor that still turns; None if there is none.
        """

    def _motor(self, channel: int) -> Motor:
        if channel not in self._motors:
            raise RigError(f"step pulses on channel {channel}, where the rig has no motor")
        return self._motors[channel]

    def _course(self, motor: Motor, motion: Trapezoid) -> Course:
        """Return how a motor follows its pulses."""
        return course(motion, DEFAULT_MODEL.driving(motor, self.torque), motor.microsteps)
