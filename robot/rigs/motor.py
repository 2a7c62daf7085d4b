"""A stepper motor of a rig: its channel, its steps and its speed."""

import math
from typing import Literal

import msgspec

from robot.errors import NotPossibleError
from robot.protocol.messages import MAX_MOTORS, Set
from robot.protocol.settings import SETTING_BY_KEY, SOFT_START_STEPS, Setting
from robot.rigs.checks import require, require_setting
from robot.rigs.motion import Trapezoid

QUARTERS_PER_TURN = 4
DEGREES_PER_QUARTER = 90
SLOWNESS = 4
"""A turn at a quarter of the motor's speed is seen, and heard, to go one way first."""


class Motor(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A motor; what it turns is for the mechanism to say.

    Attributes:
        channel: The board's motor output, 0 to 5.
        steps_per_turn: Full steps in one turn of the motor.
        microsteps: Step pulses for one full step.
        gear: Turns of the motor for one turn of what it turns.
        direction: 1, or -1 when the motor turns the other way.
        rate_steps_s: Highest step rate.
        acceleration_steps_s2: Rise and fall of the step rate.
        soft_start_steps: Steps over which that acceleration builds up, and ends again: 0, 4, 16 or
            64. Not every board can do it.
        driver_address: Address of a driver on a UART, 0 to 3; none for a driver with jumpers.
        driver_line: Which of the board's UART lines it is on.
        current_ma: Effective current that a UART driver is set to.
        chopper: How it makes the current: "stealth" is quiet and tells stalls, "spread" is stronger
            at speed.
        stall_threshold: The higher, the sooner it tells a stall; 0 for never.

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
    soft_start_steps: int = 0
    driver_address: int | None = None
    driver_line: int = 0
    current_ma: int = SETTING_BY_KEY[Setting.DRIVER_CURRENT_MA].default
    chopper: Literal["stealth", "spread"] = "stealth"
    stall_threshold: int = SETTING_BY_KEY[Setting.STALL_THRESHOLD].default

    def __post_init__(self) -> None:
        require(0 <= self.channel < MAX_MOTORS, "channel", self.channel, f"0 to {MAX_MOTORS - 1}")
        require(self.steps_per_turn > 0, "steps_per_turn", self.steps_per_turn, "above 0")
        require(self.microsteps > 0, "microsteps", self.microsteps, "above 0")
        require(self.gear > 0, "gear", self.gear, "above 0")
        require(self.direction in (1, -1), "direction", self.direction, "1 or -1")
        require_setting(Setting.RATE_STEPS_S, "rate_steps_s", self.rate_steps_s)
        require_setting(
            Setting.ACCELERATION_STEPS_S2, "acceleration_steps_s2", self.acceleration_steps_s2
        )
        soft = self.soft_start_steps
        require(soft in SOFT_START_STEPS, "soft_start_steps", soft, "0, 4, 16 or 64")
        exact = self.steps_per_turn * self.microsteps * self.gear / QUARTERS_PER_TURN
        name = "steps_per_turn * microsteps * gear / 4"
        require(abs(exact - round(exact)) < 1e-6, name, exact, "a whole number of steps")
        require_setting(Setting.STEPS_PER_QUARTER, name, round(exact))
        require_setting(Setting.DRIVER_CURRENT_MA, "current_ma", self.current_ma)
        require_setting(Setting.STALL_THRESHOLD, "stall_threshold", self.stall_threshold)
        if self.driver_address is not None:
            require(0 <= self.driver_address <= 3, "driver_address", self.driver_address, "0 to 3")
            require(0 <= self.driver_line <= 1, "driver_line", self.driver_line, "0 or 1")
            powers = [1 << power for power in range(9)]
            allowed = "1, 2, 4 … 256 with a UART driver"
            require(self.microsteps in powers, "microsteps", self.microsteps, allowed)
            stealth = self.chopper == "stealth" or not self.stall_threshold
            require(stealth, "chopper", self.chopper, '"stealth" for a driver that tells stalls')

    @property
    def steps_per_quarter(self) -> int:
        """Step pulses of a quarter turn of what it turns."""
        return round(self.steps_per_turn * self.microsteps * self.gear / QUARTERS_PER_TURN)

    def turn(self, quarter_turns: int) -> Trapezoid:
        """Describe the motion through some quarter turns, whose sign does not matter."""
        return Trapezoid(
            abs(quarter_turns) * self.steps_per_quarter,
            self.rate_steps_s,
            self.acceleration_steps_s2,
            self.soft_start_steps,
        )

    @property
    def settings(self) -> list[Set]:
        """What its board has to be told of it."""
        values = {
            Setting.STEPS_PER_QUARTER: self.steps_per_quarter,
            Setting.RATE_STEPS_S: self.rate_steps_s,
            Setting.ACCELERATION_STEPS_S2: self.acceleration_steps_s2,
            Setting.DIRECTION: int(self.direction < 0),
            Setting.SOFT_START: SOFT_START_STEPS.index(self.soft_start_steps),
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
        """Return settings with which a quarter turn is a small and slow one.

        Args:
            angle_deg: What becomes of its 90 degrees.

        Raises:
            NotPossibleError: The angle is below a step, or not below a quarter turn.
        """
        quarter = self.steps_per_quarter
        steps = round(quarter * angle_deg / 90.0) if math.isfinite(angle_deg) else 0
        smallest = SETTING_BY_KEY[Setting.STEPS_PER_QUARTER].minimum
        if not smallest <= steps < quarter:
            least = 90.0 * smallest / quarter
            raise NotPossibleError(f"a buzz of {angle_deg:g}° is not possible: {least:.1f}° to 89°")
        rate = SETTING_BY_KEY[Setting.RATE_STEPS_S].minimum
        acceleration = SETTING_BY_KEY[Setting.ACCELERATION_STEPS_S2].minimum
        return {
            Setting.STEPS_PER_QUARTER: steps,
            Setting.RATE_STEPS_S: max(rate, self.rate_steps_s // SLOWNESS),
            Setting.ACCELERATION_STEPS_S2: max(
                acceleration, self.acceleration_steps_s2 // SLOWNESS**2
            ),
        }
