"""The parts of a step: each kind of action with its own numbers, in units for people."""

from dataclasses import dataclass

from robot.protocol.messages import (
    DWELL_MS,
    SERVO_SPEED_US_S,
    STALL,
    Action,
    ActionKind,
    OutputMode,
)

_WHOLE = 255


@dataclass(frozen=True, slots=True)
class MotorTurn:
    """One motor turns from detent to detent; after a stop it ends at a detent.

    Attributes:
        channel: The board's motor output.
        quarter_turns: -2, -1, 1 or 2, clockwise positive.
        part: The part that turns, for messages, such as "face U".
    """

    channel: int
    quarter_turns: int
    part: str

    @property
    def action(self) -> Action:
        """The action for the board."""
        return Action(ActionKind.TURN, self.channel, self.quarter_turns)


@dataclass(frozen=True, slots=True)
class MotorMove:
    """One motor makes any number of steps; after a stop it slows down.

    Attributes:
        channel: The board's motor output.
        steps: Step pulses, forward positive; with `absolute`, the target position.
        part: The part that moves, for messages, such as "the carriage".
        absolute: Whether `steps` counts from the position where the motor was homed or switched on.
        speed_percent: Percentage of the motor's rate; 0 for the full rate.
    """

    channel: int
    steps: int
    part: str
    absolute: bool = False
    speed_percent: int = 0

    @property
    def action(self) -> Action:
        """The action for the board."""
        kind = ActionKind.MOVE_TO if self.absolute else ActionKind.MOVE_BY
        return Action(kind, self.channel, self.steps, _share(self.speed_percent))


@dataclass(frozen=True, slots=True)
class ServoMove:
    """A servo goes to a position; after a stop it holds its current position.

    Attributes:
        channel: The board's servo output.
        pulse_us: Length of its pulses; 0 releases the servo.
        part: The part that it moves, for messages, such as "the left claw".
        speed_us_s: Speed limit, rounded down to 50 us/s; 0 for none. The first position after the
            board's start is always reached at full speed.
        dwell_s: Time for the servo to follow after the pulse has reached its target; a multiple of
            10 ms.
    """

    channel: int
    pulse_us: int
    part: str
    speed_us_s: int = 0
    dwell_s: float = 0.0

    @property
    def action(self) -> Action:
        """The action for the board."""
        speed = self.speed_us_s and min(max(1, self.speed_us_s // SERVO_SPEED_US_S), _WHOLE)
        dwell = min(round(self.dwell_s * 1000 / DWELL_MS), _WHOLE)
        return Action(ActionKind.POSITION, self.channel, self.pulse_us, speed, dwell)


@dataclass(frozen=True, slots=True)
class Homing:
    """A motor goes to its home; after a stop it slows down.

    Attributes:
        channel: The board's motor output.
        travel_steps: Maximum travel, with its sign; if home is not found, this is a fault.
        part: The part that moves, for messages.
        switch: The board's switch that ends it; None for a stall of the motor.
        speed_percent: Percentage of the motor's rate; 0 for the full rate.
    """

    channel: int
    travel_steps: int
    part: str
    switch: int | None = 0
    speed_percent: int = 0

    @property
    def action(self) -> Action:
        """The action for the board."""
        switch = STALL if self.switch is None else self.switch
        kind = ActionKind.HOME
        return Action(kind, self.channel, self.travel_steps, _share(self.speed_percent), switch)


@dataclass(frozen=True, slots=True)
class Wait:
    """Time passes; a stop ends it.

    Attributes:
        duration_ms: Duration.
        part: Its name in messages.
    """

    duration_ms: int
    part: str = "a pause"

    @property
    def channel(self) -> int:
        """It needs none."""
        return 0

    @property
    def action(self) -> Action:
        """The action for the board."""
        return Action(ActionKind.WAIT, self.channel, self.duration_ms)


@dataclass(frozen=True, slots=True)
class Switching:
    """An output is switched; a stop does not change it.

    Attributes:
        channel: The board's output.
        mode: Off or on.
        part: The device, such as "the camera light".
    """

    channel: int
    mode: OutputMode
    part: str

    @property
    def action(self) -> Action:
        """The action for the board."""
        return Action(ActionKind.OUTPUT, self.channel, self.mode)


StepPart = MotorTurn | MotorMove | ServoMove | Homing | Wait | Switching
"""Any part of a step."""


def _share(percent: int) -> int:
    """Return a share of a rate in 256ths; 0, for the full rate, from 100 percent on."""
    share = round(percent * 256 / 100)
    return 0 if share > _WHOLE else max(share, min(percent, 1))
