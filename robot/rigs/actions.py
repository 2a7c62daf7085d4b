"""What the parts of a step do: each kind of action with its own numbers, in units of people."""

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
    """One motor turns from detent to detent; a stop ends at a detent.

    Attributes:
        channel: The board's motor output.
        quarter_turns: -2, -1, 1 or 2, clockwise positive.
        part: What turns, for messages, such as "face U".
    """

    channel: int
    quarter_turns: int
    part: str

    @property
    def action(self) -> Action:
        """What the board is told."""
        return Action(ActionKind.TURN, self.channel, self.quarter_turns)

    def rest_after(self, done: int) -> "MotorTurn | None":
        """Return what is left of it when so many quarters are done; None when nothing is.

        Raises:
            ValueError: That is no beginning of this turn.
        """
        left = _left(self.quarter_turns, done)
        return replace(self, quarter_turns=left) if left else None


@dataclass(frozen=True, slots=True)
class MotorMove:
    """One motor makes any number of steps; a stop lets it slow down, and counts what it made.

    Attributes:
        channel: The board's motor output.
        steps: Step pulses, forward positive; with `absolute`, the position to go to.
        part: What moves, for messages, such as "the carriage".
        absolute: Whether `steps` counts from where the motor was homed or switched on.
        speed_percent: Of the motor's rate; 0 for all of it.
    """

    channel: int
    steps: int
    part: str
    absolute: bool = False
    speed_percent: int = 0

    @property
    def action(self) -> Action:
        """What the board is told."""
        kind = ActionKind.MOVE_TO if self.absolute else ActionKind.MOVE_BY
        return Action(kind, self.channel, self.steps, _share(self.speed_percent))

    def rest_after(self, done: int) -> "MotorMove | None":
        """Return what is left of it when so many steps are made; None when nothing is.

        Raises:
            ValueError: That is no beginning of this move.
        """
        if self.absolute:
            return self
        left = _left(self.steps, done)
        return replace(self, steps=left) if left else None


@dataclass(frozen=True, slots=True)
class ServoMove:
    """A servo goes to a position; a stop holds it where it is, under power.

    Attributes:
        channel: The board's servo output.
        pulse_us: Length of its pulses; 0 lets the servo go.
        part: What it moves, for messages, such as "the left claw".
        speed_us_s: At most so fast, rounded down to 50 us/s; 0 as fast as it can. The first
            position after the board's start is always reached as fast as it can.
        dwell_s: Rest after the last pulse was reached, in which the servo follows; of 10 ms.
    """

    channel: int
    pulse_us: int
    part: str
    speed_us_s: int = 0
    dwell_s: float = 0.0

    @property
    def action(self) -> Action:
        """What the board is told."""
        speed = self.speed_us_s and min(max(1, self.speed_us_s // SERVO_SPEED_US_S), _WHOLE)
        dwell = min(round(self.dwell_s * 1000 / DWELL_MS), _WHOLE)
        return Action(ActionKind.POSITION, self.channel, self.pulse_us, speed, dwell)

    def rest_after(self, _: int) -> "ServoMove":
        """Return the same: the servo goes on from where it is held."""
        return self


@dataclass(frozen=True, slots=True)
class Homing:
    """A motor goes to where its steps are counted from; a stop lets it slow down.

    Attributes:
        channel: The board's motor output.
        travel_steps: At most so many, with their sign; not to find the place is a fault.
        part: What moves, for messages.
        switch: The board's switch that ends it; None for the motor's stall.
        speed_percent: Of the motor's rate; 0 for all of it.
    """

    channel: int
    travel_steps: int
    part: str
    switch: int | None = 0
    speed_percent: int = 0

    @property
    def action(self) -> Action:
        """What the board is told."""
        switch = STALL if self.switch is None else self.switch
        kind = ActionKind.HOME
        return Action(kind, self.channel, self.travel_steps, _share(self.speed_percent), switch)

    def rest_after(self, _: int) -> "Homing":
        """Return the same: it is looked for again."""
        return self


@dataclass(frozen=True, slots=True)
class Wait:
    """Time passes; a stop drops it.

    Attributes:
        duration_ms: How long.
        part: For messages.
    """

    duration_ms: int
    part: str = "a pause"

    @property
    def channel(self) -> int:
        """It needs none."""
        return 0

    @property
    def action(self) -> Action:
        """What the board is told."""
        return Action(ActionKind.WAIT, self.channel, self.duration_ms)

    def rest_after(self, done: int) -> "Wait | None":
        """Return what is left of it when so many milliseconds have passed.

        Raises:
            ValueError: That is no beginning of it.
        """
        left = _left(self.duration_ms, done)
        return replace(self, duration_ms=left) if left else None


@dataclass(frozen=True, slots=True)
class Switching:
    """An output is switched; a stop leaves it as it is.

    Attributes:
        channel: The board's output.
        mode: Off, on or blinking.
        part: What it is, such as "the camera light".
        half_blink_s: How long it is on, and off, when it blinks; of 10 ms.
    """

    channel: int
    mode: OutputMode
    part: str
    half_blink_s: float = 0.5

    @property
    def action(self) -> Action:
        """What the board is told."""
        half = min(max(1, round(self.half_blink_s * 1000 / DWELL_MS)), _WHOLE)
        blink = half if self.mode is OutputMode.BLINK else 0
        return Action(ActionKind.OUTPUT, self.channel, self.mode, 0, blink)

    def rest_after(self, _: int) -> "Switching":
        """Return the same: to switch it once more changes nothing."""
        return self


def part_of(action: Action, part: str) -> "StepPart":
    """Return what a board is told as the part of a step that it was made of.

    Args:
        action: What the board is told.
        part: What it moves, for messages.
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
    return Switching(channel, OutputMode(value), part, action.detail * DWELL_MS / 1000)


StepPart = MotorTurn | MotorMove | ServoMove | Homing | Wait | Switching
"""Any part of a step."""


def _share(percent: int) -> int:
    """Return a share of a rate in 256ths; 0, for all of it, from 100 percent on."""
    share = round(percent * 256 / 100)
    return 0 if share > _WHOLE else max(share, min(percent, 1))


def _left(wanted: int, done: int) -> int:
    """Return what is left of an amount with its sign; ValueError when `done` is none of it."""
    if not 0 <= done * wanted <= wanted**2:
        raise ValueError(f"{done} is not the beginning of {wanted}")
    return wanted - done
