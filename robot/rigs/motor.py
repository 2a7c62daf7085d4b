"""A stepper motor of a rig: its channel, its steps and its speed.

The ranges of a rig file's values are those of the board's settings; where several values belong
together, errors begin with a key.
"""

import math
from typing import Annotated, Literal

import msgspec

from robot.errors import NotPossibleError
from robot.protocol.messages import MAX_MOTORS, Set
from robot.protocol.settings import SETTING_BY_KEY, Setting
from robot.rigs.trapezoid import Trapezoid


def require(holds: bool, key: str, value: object, wanted: str) -> None:
    """Refuse the value of a key.

    Raises:
        ValueError: The condition does not hold.
    """
    if not holds:
        raise ValueError(f"{key} is {value}; it must be {wanted}")


def range_of(setting: Setting) -> msgspec.Meta:
    """Return the range of a key that becomes a setting of the board."""
    spec = SETTING_BY_KEY[setting]
    return msgspec.Meta(ge=spec.minimum, le=spec.maximum)


def default_of(setting: Setting) -> int:
    """Return the value that a new board has."""
    return SETTING_BY_KEY[setting].default


OVERLAP_LEAD_S = 70e-6
"""Time between the step at which an overlap begins and the first step of the next turn.

The board takes 25 µs to notice it, and 45 µs to prepare the turn.
"""
PAIR_LEAD_S = 30e-6
"""Extra time if a pair ends or begins: its second lane follows 11 µs after the first, and four
lanes keep the board busy. Measured on the Mega's firmware in the simulator.
"""


QUARTERS_PER_TURN = 4
DEGREES_PER_QUARTER = 90
_POSITIVE = msgspec.Meta(gt=0, le=1_000_000)
_STEPS_PER_QUARTER = SETTING_BY_KEY[Setting.STEPS_PER_QUARTER]
_MICROSTEPS = [1 << power for power in range(9)]
_INDUSTRIAL_MICROSTEPS = [5, 10, 20, 25, 40, 50, 100, 125]
"""What drivers such as the DM542 offer beside powers of two."""
SLOWNESS = 4
"""At a quarter of the motor's speed, people can see and hear which direction comes first."""


class Motor(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A stepper motor; the rig says what it turns.

    Attributes:
        channel: The board's motor output, 0 to 5.
        steps_per_turn: Full steps in one turn of the motor.
        microsteps: Step pulses per full step, as set by the driver's jumpers. A quarter turn has 4
            to 1600 steps. Drivers offer powers of two, some of them multiples of five.
        gear: Turns of the motor per turn of what it turns.
        direction: 1, or -1 if the motor turns the wrong way.
        rate_steps_s: Highest step rate.
        acceleration_steps_s2: Acceleration and deceleration.
        driver_address: Address of a driver on a UART, 0 to 3; leave it out for a driver with
            jumpers.
        driver_line: The UART line of the board that the driver is on, 0 or 1.
        current_ma: Effective current of a UART driver.
        chopper: How a UART driver makes the current: `"stealth"` is quiet and detects stalls,
            `"spread"` is stronger at high speed.
        stall_threshold: Stall threshold: with higher values, the driver reports a stall sooner; 0:
            never.

    Raises:
        ValueError: A value out of range; the message begins with its key.
    """

    channel: Annotated[int, msgspec.Meta(ge=0, lt=MAX_MOTORS)]
    steps_per_turn: Annotated[int, _POSITIVE] = 200
    microsteps: Annotated[int, _POSITIVE] = 8
    gear: Annotated[float, _POSITIVE] = 1.0
    direction: Literal[1, -1] = 1
    rate_steps_s: Annotated[int, range_of(Setting.RATE_STEPS_S)] = default_of(Setting.RATE_STEPS_S)
    acceleration_steps_s2: Annotated[int, range_of(Setting.ACCELERATION_STEPS_S2)] = default_of(
        Setting.ACCELERATION_STEPS_S2
    )
    driver_address: Annotated[int, msgspec.Meta(ge=0, le=3)] | None = None
    driver_line: Literal[0, 1] = 0
    current_ma: Annotated[int, range_of(Setting.DRIVER_CURRENT_MA)] = default_of(
        Setting.DRIVER_CURRENT_MA
    )
    chopper: Literal["stealth", "spread"] = "stealth"
    stall_threshold: Annotated[int, range_of(Setting.STALL_THRESHOLD)] = default_of(
        Setting.STALL_THRESHOLD
    )

    def __post_init__(self) -> None:
        exact = self.steps_per_turn * self.microsteps * self.gear / QUARTERS_PER_TURN
        name, spec = "steps_per_turn * microsteps * gear / 4", _STEPS_PER_QUARTER
        wanted = f"a whole number of {spec.minimum} to {spec.maximum} steps"
        whole = abs(exact - round(exact)) < 1e-6
        require(whole and spec.allows(round(exact)), name, exact, wanted)
        allowed = "1, 2, 4 … 256, or 5, 10, 20 … 125 with an industrial driver"
        offered = self.microsteps in _MICROSTEPS + _INDUSTRIAL_MICROSTEPS
        require(offered, "microsteps", self.microsteps, allowed)
        if self.driver_address is not None:
            allowed = "1, 2, 4 … 256 with a UART driver"
            require(self.microsteps in _MICROSTEPS, "microsteps", self.microsteps, allowed)
            stealth = self.chopper == "stealth" or not self.stall_threshold
            require(stealth, "chopper", self.chopper, '"stealth" for a driver that detects stalls')

    @property
    def steps_per_quarter(self) -> int:
        """Step pulses of a quarter turn of the driven part."""
        return round(self.steps_per_turn * self.microsteps * self.gear / QUARTERS_PER_TURN)

    def turn(self, quarter_turns: int) -> Trapezoid:
        """Return the motion of some quarter turns; their sign does not matter."""
        steps = abs(quarter_turns) * self.steps_per_quarter
        return Trapezoid(steps, self.rate_steps_s, self.acceleration_steps_s2)

    def travel_s(self, steps: int) -> float:
        """Return the time of some steps, at least one; their sign does not matter."""
        motion = Trapezoid(abs(steps), self.rate_steps_s, self.acceleration_steps_s2)
        return motion.duration_s

    @property
    def settings(self) -> list[Set]:
        """Return its settings for the board."""
        values = {
            Setting.STEPS_PER_QUARTER: self.steps_per_quarter,
            Setting.RATE_STEPS_S: self.rate_steps_s,
            Setting.ACCELERATION_STEPS_S2: self.acceleration_steps_s2,
            Setting.DIRECTION: int(self.direction < 0),
            Setting.DRIVER_ADDRESS: 0,
        }
        if self.driver_address is not None:
            values |= {
                Setting.DRIVER_ADDRESS: 1 + self.driver_address + 4 * self.driver_line,
                Setting.DRIVER_CURRENT_MA: self.current_ma,
                Setting.DRIVER_MODE: int(self.chopper == "spread"),
                Setting.DRIVER_MICROSTEPS: self.microsteps.bit_length() - 1,
                Setting.STALL_THRESHOLD: self.stall_threshold,
            }
        return [Set(key, self.channel, value) for key, value in values.items()]

    def buzz_settings(self, angle_deg: float) -> dict[Setting, int]:
        """Return settings that make a quarter turn a small and slow one.

        Args:
            angle_deg: The angle of such a quarter turn.

        Raises:
            NotPossibleError: The angle is less than a step, or not less than a quarter turn.
        """
        quarter = self.steps_per_quarter
        steps = round(quarter * angle_deg / 90.0) if math.isfinite(angle_deg) else 0
        smallest = _STEPS_PER_QUARTER.minimum
        if not smallest <= steps < quarter:
            least = 90.0 * smallest / quarter
            raise NotPossibleError(f"cannot buzz by {angle_deg:g}°: use {least:.1f}° to 89°")
        rate = SETTING_BY_KEY[Setting.RATE_STEPS_S].minimum
        acceleration = SETTING_BY_KEY[Setting.ACCELERATION_STEPS_S2].minimum
        return {
            Setting.STEPS_PER_QUARTER: steps,
            Setting.RATE_STEPS_S: max(rate, self.rate_steps_s // SLOWNESS),
            Setting.ACCELERATION_STEPS_S2: max(
                acceleration, self.acceleration_steps_s2 // SLOWNESS**2
            ),
        }
