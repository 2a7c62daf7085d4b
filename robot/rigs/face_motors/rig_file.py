"""The rig file of a machine with a motor on each face: which motor, how fast, and how together."""

from typing import Literal

import msgspec

from cube.moves import FACES
from robot.errors import NotPossibleError
from robot.protocol.messages import BAUD
from robot.protocol.settings import SETTING_BY_KEY, Setting
from robot.rigs.checks import require, require_setting
from robot.rigs.mechanism import RigCamera
from robot.rigs.motion import OVERLAP_LEAD_S
from robot.rigs.motor import DEGREES_PER_QUARTER, Motor

MOST_OVERLAP_DEG = 15
"""A quarter less than the angle off its detent at which a face lets another one pass."""
MOST_OVERLAP_STEPS = 255
"""What the message has room for."""


class FaceMotorFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The keys of the file, and what they mean for each face.

    Attributes:
        name: What the rig is called.
        motors: The motor of each face that has one.
        port: Serial port; empty to ask every port.
        baud: Speed of the serial line.
        parallel: Whether opposite faces turn together.
        gap_us: Pause between two turns.
        overlap_degrees: How far a face may still be from its detent when one on another axis
            begins; 0 for turns that do not overlap. Only single turns do.
        settle_ms: Rest before the cameras look.
        host_timeout_ms: Silence after which the board stops by itself; 0 for never.
        idle_timeout_ms: Rest after which the motor current is switched off; 0 for never.
        enable_active: Level of the enable pin that switches the current on.
        enable_settle_ms: Rest between switching the current on and the first step.
        stall_input: Whether the drivers' stall outputs are wired to the board: joined on one line,
            or "each" on a line of its own.
        cameras: The cameras of the rig.

    Raises:
        ValueError: A value out of range, or two faces on one channel; the message names the key.
    """

    name: str
    motors: dict[str, Motor]
    port: str = ""
    baud: int = BAUD
    parallel: bool = True
    gap_us: int = SETTING_BY_KEY[Setting.GAP_US].default
    overlap_degrees: float = 0.0
    settle_ms: int = 150
    host_timeout_ms: int = SETTING_BY_KEY[Setting.HOST_TIMEOUT_MS].default
    idle_timeout_ms: int = SETTING_BY_KEY[Setting.IDLE_TIMEOUT_MS].default
    enable_active: Literal["low", "high"] = "low"
    enable_settle_ms: int = 20
    stall_input: bool | Literal["each"] = False
    cameras: tuple[RigCamera, ...] = ()

    def __post_init__(self) -> None:
        require(bool(self.name), "name", self.name, "a name that is not empty")
        require(bool(self.motors), "motors", "{}", "at least one table such as [motors.U]")
        for face in self.motors:
            is_face = face in FACES and len(face) == 1
            require(is_face, f"motors.{face}", "no face", "one of U R F D L B")
        faces_by_channel: dict[int, str] = {}
        for face, motor in self.motors.items():
            other = faces_by_channel.setdefault(motor.channel, face)
            if other != face:
                raise ValueError(
                    f"motors.{face}.channel is {motor.channel}, and so is motors.{other}.channel: "
                    "each face needs a channel of its own"
                )
        require(self.baud > 0, "baud", self.baud, "above 0")
        require(0 <= self.settle_ms <= 60_000, "settle_ms", self.settle_ms, "0 to 60000")
        require(
            0 <= self.overlap_degrees <= MOST_OVERLAP_DEG,
            "overlap_degrees",
            self.overlap_degrees,
            f"0 to {MOST_OVERLAP_DEG}",
        )
        require_setting(Setting.GAP_US, "gap_us", self.gap_us)
        require_setting(Setting.HOST_TIMEOUT_MS, "host_timeout_ms", self.host_timeout_ms)
        require_setting(Setting.IDLE_TIMEOUT_MS, "idle_timeout_ms", self.idle_timeout_ms)
        require_setting(Setting.ENABLE_SETTLE_MS, "enable_settle_ms", self.enable_settle_ms)

    def motor(self, face: str) -> Motor:
        """Return the motor of a face.

        Raises:
            NotPossibleError: The face has none, or is none.
        """
        if face in self.motors:
            return self.motors[face]
        if len(face) != 1 or face not in FACES:
            raise NotPossibleError(f"{face!r} is no face of a cube: they are {' '.join(FACES)}")
        raise NotPossibleError(
            f"rig {self.name!r} has no motor on face {face}: add a table [motors.{face}] to "
            f"the rig file, or use moves of {' '.join(self.motors)} only"
        )

    def overlap_steps(self, face: str) -> int:
        """Return how many of a face's last step pulses another turn may overlap."""
        share = self.overlap_degrees / DEGREES_PER_QUARTER
        return min(round(share * self.motor(face).steps_per_quarter), MOST_OVERLAP_STEPS)

    def overlap_s(self, face: str, quarter_turns: int) -> float:
        """Return how long before the end of a face's turn one on another axis begins."""
        steps = self.overlap_steps(face)
        last_s = self.motor(face).turn(quarter_turns).last_steps_s(steps)
        return max(0.0, last_s - OVERLAP_LEAD_S)

    def turn_time_s(self, face: str, quarter_turns: int) -> float:
        """Return how long a face takes for some quarter turns."""
        return self.motor(face).turn(quarter_turns).duration_s
