"""What a part of a machine does in a step: an action of the board, with numbers for people."""

from dataclasses import dataclass

from robot.protocol.messages import (
    DWELL_MS,
    SERVO_SPEED_US_S,
    STALL,
    Action,
    ActionKind,
    OutputMode,
)

_MOST = 255


@dataclass(frozen=True, slots=True)
class Act:
    """One action of a step.

    Attributes:
        action: The action for the board.
        part: The part that it moves, for messages, such as "face U" or "the left claw".
    """

    action: Action
    part: str

    @classmethod
    def turn(cls, channel: int, quarters: int, part: str) -> "Act":
        """Turn a motor from detent to detent by -2, -1, 1 or 2 quarters, clockwise positive."""
        return cls(Action(ActionKind.TURN, channel, quarters), part)

    @classmethod
    def move_by(cls, channel: int, steps: int, part: str) -> "Act":
        """Move a motor by any number of step pulses, forward positive."""
        return cls(Action(ActionKind.MOVE_BY, channel, steps), part)

    @classmethod
    def move_to(cls, channel: int, steps: int, part: str) -> "Act":
        """Move a motor to a position, counted from where it was homed or switched on."""
        return cls(Action(ActionKind.MOVE_TO, channel, steps), part)

    @classmethod
    def home(cls, channel: int, travel_steps: int, part: str, switch: int | None = 0) -> "Act":
        """Move a motor until a switch closes.

        Args:
            channel: The board's motor output.
            travel_steps: Maximum travel, with its sign; if home is not found, this is a fault.
            part: The part that moves.
            switch: The board's switch; None for a stall of the motor.
        """
        detail = STALL if switch is None else switch
        return cls(Action(ActionKind.HOME, channel, travel_steps, detail=detail), part)

    @classmethod
    def position(
        cls, channel: int, pulse_us: int, part: str, speed_us_s: int = 0, dwell_s: float = 0.0
    ) -> "Act":
        """Bring a servo to a position; after a stop it holds its current position.

        Args:
            channel: The board's servo output.
            pulse_us: Length of its pulses; 0 releases the servo.
            part: The part that it moves.
            speed_us_s: Speed limit, rounded down to 50 us/s; 0 for none. The first position after
                the board's start is always reached at full speed.
            dwell_s: Time for the servo to follow after the pulse has reached its target; a multiple
                of 10 ms.
        """
        speed = speed_us_s and min(max(1, speed_us_s // SERVO_SPEED_US_S), _MOST)
        dwell = min(round(dwell_s * 1000 / DWELL_MS), _MOST)
        return cls(Action(ActionKind.POSITION, channel, pulse_us, speed, dwell), part)

    @classmethod
    def wait(cls, duration_ms: int, part: str = "a pause") -> "Act":
        """Let time pass; a stop ends it."""
        return cls(Action(ActionKind.WAIT, 0, duration_ms), part)

    @classmethod
    def switch(cls, channel: int, mode: OutputMode, part: str) -> "Act":
        """Switch an output; a stop does not change it."""
        return cls(Action(ActionKind.OUTPUT, channel, mode), part)

    @property
    def kind(self) -> ActionKind:
        """What is done."""
        return self.action.kind

    @property
    def channel(self) -> int:
        """The board's motor, servo or output."""
        return self.action.channel

    @property
    def value(self) -> int:
        """Quarter turns, steps, the length of a pulse in microseconds, milliseconds or a mode."""
        return self.action.value

    @property
    def moves_motor(self) -> bool:
        """Whether a stepper moves, rather than a servo or an output."""
        others = ActionKind.POSITION, ActionKind.WAIT, ActionKind.OUTPUT
        return self.kind not in others
