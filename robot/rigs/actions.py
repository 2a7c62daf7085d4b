"""The parts of a step: each kind of action with its own numbers, in units for people."""

from dataclasses import dataclass, replace

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

    def rest_after(self, done: int) -> "MotorTurn | None":
        """Return the rest after some quarters; None if nothing is left.

        Raises:
            ValueError: `done` is not a beginning of this turn.
        """
        left = _left(self.quarter_turns, done)
        return replace(self, quarter_turns=left) if left else None


@dataclass(frozen=True, slots=True)
class MotorMove:
    """One motor makes any number of steps; after a stop it slows down and reports its steps.

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

    def rest_after(self, done: int) -> "MotorMove | None":
        """Return the rest after some steps; None if nothing is left.

        Raises:
            ValueError: `done` is not a beginning of this move.
        """
        if self.absolute:
            return self
        left = _left(self.steps, done)
        return replace(self, steps=left) if left else None


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

    def rest_after(self, _: int) -> "ServoMove":
        """Return the same action: the servo continues from where it is held."""
        return self


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

    def rest_after(self, _: int) -> "Homing":
        """Return the same action: the search starts again."""
        return self


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

    def rest_after(self, done: int) -> "Wait | None":
        """Return the rest after some milliseconds; None if nothing is left.

        Raises:
            ValueError: `done` is not a beginning of this wait.
        """
        left = _left(self.duration_ms, done)
        return replace(self, duration_ms=left) if left else None


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

    def rest_after(self, _: int) -> "Switching":
        """Return the same action: switching again changes nothing."""
        return self


def part_of(action: Action, part: str) -> "StepPart":
    """Convert an action of the board back to the part of a step.

    Args:
        action: The action of the board.
        part: The part that it moves, for messages.
    """
    channel, value = action.channel, action.value
    percent = round(action.speed * 100 / 256)
    match action.kind:
        case ActionKind.TURN:
            return MotorTurn(channel, value, part)
        case ActionKind.MOVE_BY | ActionKind.MOVE_TO:
            absolute = action.kind is ActionKind.MOVE_TO
            return MotorMove(channel, value, part, absolute, percent)
        case ActionKind.POSITION:
            speed, dwell_s = action.speed * SERVO_SPEED_US_S, action.detail * DWELL_MS / 1000
            return ServoMove(channel, value, part, speed, dwell_s)
        case ActionKind.HOME:
            switch = None if action.detail == STALL else action.detail
            return Homing(channel, value, part, switch, percent)
        case ActionKind.WAIT:
            return Wait(value, part)
    return Switching(channel, OutputMode(value), part)


StepPart = MotorTurn | MotorMove | ServoMove | Homing | Wait | Switching
"""Any part of a step."""


def _share(percent: int) -> int:
    """Return a share of a rate in 256ths; 0, for the full rate, from 100 percent on."""
    share = round(percent * 256 / 100)
    return 0 if share > _WHOLE else max(share, min(percent, 1))


def _left(wanted: int, done: int) -> int:
    """Return the rest of an amount with its sign; ValueError if `done` is not a part of it."""
    if not 0 <= done * wanted <= wanted**2:
        raise ValueError(f"{done} is not the beginning of {wanted}")
    return wanted - done
