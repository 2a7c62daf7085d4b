"""A claw that holds the cube: whether it ever let go."""

from benchmarks.faults.handled_rig import HOLDS_FROM_US
from robot.virtual.servos import ServoArm


class Grip:
    """One claw, looked at as often as anything may have changed.

    Args:
        arm: The claw's servo.

    Attributes:
        held: It never let go of a cube, unless the board restarted.
    """

    def __init__(self, arm: ServoArm) -> None:
        self._arm = arm
        self.begin()

    def begin(self) -> None:
        """Somebody puts another cube in."""
        self.held = True
        self._closed = False

    def restart(self) -> None:
        """The board restarts: it has no pulses then, and may let go."""
        self._closed = False

    def look(self) -> None:
        """See whether the claw holds."""
        holds = self._arm.pulse_us != 0 and self._arm.at_us >= HOLDS_FROM_US
        self.held &= holds or not self._closed
        self._closed |= holds
