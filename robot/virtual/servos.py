"""Servos: the pulses from the board, and the arms that follow at their own speed."""

from collections.abc import Iterator
from dataclasses import dataclass

from robot.protocol.messages import SERVO_FRAME_MS
from robot.rigs.servo_ramp import next_pace

FRAME_S = SERVO_FRAME_MS * 1e-3
USUAL_SPEED_US_S = 6_000.0
"""About 60 degrees in 0.11 s, and 11 us of pulse per degree: a small servo at 5 V."""


class ServoDrive:
    """The board's control of one servo, frame by frame as in the firmware.

    Attributes:
        at_us: Its current pulse; 0 for none.
        target_us: Its target pulse.
    """

    def __init__(self) -> None:
        self.at_us = 0
        self.target_us = 0
        self._speed = 0
        self._pace = 0

    @property
    def reached(self) -> bool:
        """Whether the pulse has reached its target."""
        return self.at_us == self.target_us

    def aim(self, pulse_us: int, speed: int) -> None:
        """Go to a pulse by at most `speed` microseconds per frame; 0 for no limit."""
        self.target_us, self._speed, self._pace = pulse_us, speed, 0
        if not self.at_us or not pulse_us:
            self.at_us = pulse_us

    def hold(self) -> None:
        """Keep the current pulse."""
        self.target_us = self.at_us

    def frame(self) -> None:
        """Advance by one frame."""
        step = abs(self.target_us - self.at_us)
        if step and self._speed:
            step = self._pace = next_pace(self._pace, step, self._speed)
        self.at_us += step if self.target_us > self.at_us else -step


@dataclass(slots=True)
class ServoArm:
    """The arm of a servo: it follows the pulse at its own speed, and is limp without one.

    Attributes:
        at_us: Its position, as the pulse that would hold it there.
        speed_us_s: Its speed.
        pulse_us: Its pulse; 0 for none.
        since_s: Since when.
    """

    at_us: float = 1_500.0
    speed_us_s: float = USUAL_SPEED_US_S
    pulse_us: int = 0
    since_s: float = 0.0
    _now_s: float = 0.0

    def live(self, now_s: float) -> None:
        """Advance the time."""
        if self.pulse_us:
            way = self.pulse_us - self.at_us
            most = self.speed_us_s * max(0.0, now_s - self._now_s)
            self.at_us += min(most, max(-most, way))
        self._now_s = now_s

    def give(self, pulse_us: int, now_s: float) -> None:
        """Change its pulse from now on."""
        self.live(now_s)
        if pulse_us != self.pulse_us:
            self.pulse_us, self.since_s = pulse_us, now_s


class ServoBank:
    """The board's servos: their pulses change in frames of 20 ms, and their arms follow.

    Args:
        arms: The arms of the servos; they outlive a restart of the board.
        now_s: Time of the start, at which no servo has pulses.

    Attributes:
        drives: The board's control of each servo.
    """

    def __init__(self, arms: list[ServoArm], now_s: float) -> None:
        self._arms = arms
        self.drives = [ServoDrive() for _ in arms]
        self._frame_s = now_s
        for servo in range(len(arms)):
            self._give(servo, now_s)

    @property
    def with_pulses(self) -> int:
        """The servos that have pulses, one bit each."""
        return sum(1 << number for number, drive in enumerate(self.drives) if drive.at_us)

    @property
    def next_frame_s(self) -> float | None:
        """Return when a pulse changes next, None for never."""
        moving = any(not drive.reached for drive in self.drives)
        return self._frame_s + FRAME_S if moving else None

    def aim(self, servo: int, pulse_us: int, speed: int, now_s: float) -> None:
        """Move a servo to a pulse."""
        self.drives[servo].aim(pulse_us, speed)
        self._give(servo, now_s)

    def release(self, now_s: float) -> None:
        """Switch off all pulses."""
        for servo in range(len(self.drives)):
            self.aim(servo, 0, 0, now_s)

    def live(self, now_s: float) -> Iterator[float]:
        """Advance the time, and yield each frame at which a pulse changed."""
        if self.next_frame_s is None:
            self._frame_s += max(0, int((now_s - self._frame_s) / FRAME_S)) * FRAME_S
        while self._frame_s + FRAME_S <= now_s + 1e-12:
            self._frame_s += FRAME_S
            for servo, drive in enumerate(self.drives):
                if not drive.reached:
                    drive.frame()
                    self._give(servo, self._frame_s)
            yield self._frame_s

    def _give(self, servo: int, now_s: float) -> None:
        self._arms[servo].give(self.drives[servo].at_us, now_s)
