"""What a rig is made of: which motor turns which face, how fast, and which cameras look on."""

import tomllib
from importlib import resources
from typing import Literal

import msgspec

from cube.moves import FACES
from robot.errors import NotPossibleError
from robot.protocol.messages import BAUD, MAX_MOTORS
from robot.protocol.settings import SETTING_BY_KEY, Setting
from robot.rigs.motion import OVERLAP_LEAD_S, Trapezoid

QUARTERS_PER_TURN = 4
DEGREES_PER_QUARTER = 90
MOST_OVERLAP_DEG = 15
"""A quarter less than the angle off its detent at which a face lets another one pass."""
MOST_OVERLAP_STEPS = 255
"""What the message has room for."""


class Motor(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The motor of one face.

    Attributes:
        channel: The board's motor output, 0 to 5.
        steps_per_turn: Full steps in one turn of the motor.
        microsteps: Step pulses for one full step.
        gear: Turns of the motor for one turn of the face.
        direction: 1, or -1 when the motor turns its face the other way.
        rate_steps_s: Highest step rate.
        acceleration_steps_s2: Rise and fall of the step rate.

    Raises:
        ValueError: A value out of range; the message begins with its key.
    """

    channel: int
    steps_per_turn: int = 200
    microsteps: int = 8
    gear: float = 1.0
    direction: int = 1
    rate_steps_s: int = SETTING_BY_KEY[Setting.RATE_STEPS_S].default
    acceleration_steps_s2: int = SETTING_BY_KEY[Setting.ACCELERATION_STEPS_S2].default

    def __post_init__(self) -> None:
        _require(0 <= self.channel < MAX_MOTORS, "channel", self.channel, f"0 to {MAX_MOTORS - 1}")
        _require(self.steps_per_turn > 0, "steps_per_turn", self.steps_per_turn, "above 0")
        _require(self.microsteps > 0, "microsteps", self.microsteps, "above 0")
        _require(self.gear > 0, "gear", self.gear, "above 0")
        _require(self.direction in (1, -1), "direction", self.direction, "1 or -1")
        _require_setting(Setting.RATE_STEPS_S, "rate_steps_s", self.rate_steps_s)
        _require_setting(
            Setting.ACCELERATION_STEPS_S2, "acceleration_steps_s2", self.acceleration_steps_s2
        )
        exact = self.steps_per_turn * self.microsteps * self.gear / QUARTERS_PER_TURN
        name = "steps_per_turn * microsteps * gear / 4"
        _require(abs(exact - round(exact)) < 1e-6, name, exact, "a whole number of steps")
        _require_setting(Setting.STEPS_PER_QUARTER, name, round(exact))

    @property
    def steps_per_quarter(self) -> int:
        """Step pulses of a quarter turn of the face."""
        return round(self.steps_per_turn * self.microsteps * self.gear / QUARTERS_PER_TURN)

    def turn(self, quarter_turns: int) -> Trapezoid:
        """Describe the motion through some quarter turns, whose sign does not matter."""
        return Trapezoid(
            abs(quarter_turns) * self.steps_per_quarter,
            self.rate_steps_s,
            self.acceleration_steps_s2,
        )


class RigCamera(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A camera of the rig; the application opens it.

    Attributes:
        name: What it is called in messages.
        device: Index, device path, address or video file.
        view: File that maps stickers to pixels; empty for the default rig's geometry.
    """

    name: str
    device: int | str
    view: str = ""

    def __post_init__(self) -> None:
        _require(bool(self.name), "name", self.name, "a name that is not empty")


class Rig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A machine that turns the faces of a cube.

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
    stall_input: bool | Literal["each"] = False
    cameras: tuple[RigCamera, ...] = ()

    def __post_init__(self) -> None:
        _require(bool(self.name), "name", self.name, "a name that is not empty")
        _require(bool(self.motors), "motors", "{}", "at least one table such as [motors.U]")
        for face in self.motors:
            _require(face in FACES and len(face) == 1, "motors", face, "a face of U R F D L B")
        faces_by_channel: dict[int, str] = {}
        for face, motor in self.motors.items():
            other = faces_by_channel.setdefault(motor.channel, face)
            if other != face:
                raise ValueError(
                    f"motors.{face}.channel is {motor.channel}, and so is motors.{other}.channel: "
                    "each face needs a channel of its own"
                )
        _require(self.baud > 0, "baud", self.baud, "above 0")
        _require(0 <= self.settle_ms <= 60_000, "settle_ms", self.settle_ms, "0 to 60000")
        _require(
            0 <= self.overlap_degrees <= MOST_OVERLAP_DEG,
            "overlap_degrees",
            self.overlap_degrees,
            f"0 to {MOST_OVERLAP_DEG}",
        )
        _require_setting(Setting.GAP_US, "gap_us", self.gap_us)
        _require_setting(Setting.HOST_TIMEOUT_MS, "host_timeout_ms", self.host_timeout_ms)
        _require_setting(Setting.IDLE_TIMEOUT_MS, "idle_timeout_ms", self.idle_timeout_ms)

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
        """Return how many of a face's last step pulses another turn may overlap.

        Raises:
            NotPossibleError: The face has no motor.
        """
        share = self.overlap_degrees / DEGREES_PER_QUARTER
        return min(round(share * self.motor(face).steps_per_quarter), MOST_OVERLAP_STEPS)

    def overlap_s(self, face: str, quarter_turns: int) -> float:
        """Return how long before the end of a face's turn one on another axis begins.

        Raises:
            NotPossibleError: The face has no motor.
        """
        steps = self.overlap_steps(face)
        last_s = self.motor(face).turn(quarter_turns).last_steps_s(steps)
        return max(0.0, last_s - OVERLAP_LEAD_S)

    def turn_time_s(self, face: str, quarter_turns: int) -> float:
        """Return how long a face takes for some quarter turns.

        Raises:
            NotPossibleError: The face has no motor.
        """
        return self.motor(face).turn(quarter_turns).duration_s


def default_rig_text() -> str:
    """Return the commented TOML text of the default rig, to copy from."""
    return resources.files("robot").joinpath("data/default_rig.toml").read_text(encoding="utf-8")


def default_rig() -> Rig:
    """Return the rig that comes with the package."""
    return msgspec.convert(tomllib.loads(default_rig_text()), Rig)


def _require(holds: bool, key: str, value: object, wanted: str) -> None:
    if not holds:
        raise ValueError(f"{key} is {value}; it has to be {wanted}")


def _require_setting(setting: Setting, key: str, value: int) -> None:
    spec = SETTING_BY_KEY[setting]
    _require(spec.allows(value), key, value, f"{spec.minimum} to {spec.maximum}")
