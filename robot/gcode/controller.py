"""What both dialects of G-code share: lines out, lines in, and the steps that are under way.

A controller turns motors by relative moves. Its reports tell which steps are complete; nothing here
counts by the clock. There is no port and no clock in here: bytes and the time go in.
"""

import math
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

from robot.rigs.board_file import GCodeFile
from robot.rigs.motor import Motor


@dataclass(frozen=True, slots=True)
class AxisWay:
    """A motor's part of a step.

    Attributes:
        steps: Step pulses, forward positive.
        quarter_steps: Step pulses between two detents.
        rate_steps_s: Highest step rate.
    """

    steps: int
    quarter_steps: int
    rate_steps_s: int


@dataclass(frozen=True, slots=True)
class Given:
    """A step that the controller has, and has not reported as complete.

    Attributes:
        ways: The motors that it turns, by their channels.
        target: The position of every axis when it is complete, in step pulses since the greeting.
        ends_s: Its earliest end, to know when to ask.
        whole: Whether it is complete then; False for the rest of a step that was cut short.
    """

    ways: Mapping[int, AxisWay]
    target: tuple[int, ...]
    ends_s: float
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a controller cannot go on.

    Attributes:
        text: What happened, and what to do.
        lost: Whether faces may stand between detents.
    """

    text: str
    lost: bool


class Controller(ABC):
    """One controller, from its greeting on.

    Args:
        file: Its axes.
        motors: The rig's motors, by their channels.

    Attributes:
        out: Bytes for the controller; the owner of the port sends and clears them.
        settings: The settings that it reported, by their names.
        name: What it calls itself.
        greeted: Whether it has answered and takes moves.
        given: The steps that it has, in order.
        ended: The steps that it has completed since they were last taken; False if one was cut
            short.
        emptied: Whether a stop has dropped everything that was not complete.
        trouble: Why it cannot go on.
        silent: Whether it does not answer.
    """

    def __init__(self, file: GCodeFile, motors: Mapping[int, Motor]) -> None:
        self.file = file
        self.motors = motors
        self.out = bytearray()
        self.settings: dict[str, float] = {}
        self.name = ""
        self.greeted = False
        self.given: deque[Given] = deque()
        self.ended: list[bool] = []
        self.emptied = False
        self.trouble: Trouble | None = None
        self.silent = False
        self.position = (0,) * len(file.axes)
        self._text = bytearray()
        self._emptying = False

    def receive(self, data: bytes, now_s: float) -> None:
        """Process bytes from the controller."""
        self._text += data
        *lines, rest = self._text.replace(b"\r", b"\n").split(b"\n")
        self._text = bytearray(rest)
        for line in lines:
            if line.strip():
                self._hear(line.decode("ascii", "replace").strip(), now_s)

    @abstractmethod
    def greet(self, now_s: float) -> None:
        """Ask for what is not known yet; called again and again until `greeted`."""

    @property
    def ready(self) -> bool:
        """Whether it takes lines."""
        return True

    def aim(self, servo: int, pulse_us: int) -> None:
        """Move a servo."""
        self._command(self.file.servo_line.format(servo=servo, pulse_us=pulse_us))

    @abstractmethod
    def wants(self, waiting: int, duration_s: float, now_s: float) -> bool:
        """Return whether it should get the next step now.

        Args:
            waiting: Number of steps that wait.
            duration_s: Time of the next one.
            now_s: The time.
        """

    def give(self, ways: Mapping[int, AxisWay], duration_s: float, now_s: float) -> None:
        """Send a step: one line, whose axes move together."""
        begins_s = max(now_s, self.given[-1].ends_s) if self.given else now_s
        target = list(self.given[-1].target if self.given else self.position)
        line = self._move(ways, target)
        for channel, way in ways.items():
            target[channel] += way.steps
        self.given.append(Given(ways, tuple(target), begins_s + duration_s))
        self._send_move(line, now_s)

    @abstractmethod
    def poll(self, now_s: float) -> None:
        """Ask what it is time to ask."""

    @abstractmethod
    def next_wake_s(self) -> float:
        """Return when to poll, infinity for never."""

    @abstractmethod
    def hold(self, now_s: float) -> None:
        """Stop: every face ends at a detent, and the rest is dropped."""

    @abstractmethod
    def energize(self, *, on: bool) -> None:
        """Switch the motors on or off."""

    @abstractmethod
    def accelerate(self, channel: int, steps_s2: int) -> None:
        """Write the acceleration of an axis."""

    @abstractmethod
    def acceleration(self, channel: int) -> float:
        """Return the acceleration of an axis, in steps per second squared."""

    @abstractmethod
    def steps_per_unit(self, channel: int) -> float:
        """Return the step pulses of an axis for one unit of G-code."""

    @abstractmethod
    def differences(self) -> list[str]:
        """Return the lines to send for the settings that do not fit the rig."""

    @abstractmethod
    def write(self, lines: list[str]) -> None:
        """Write settings."""

    @abstractmethod
    def _command(self, line: str) -> None:
        """Send a line that moves no motor."""

    @abstractmethod
    def _hear(self, line: str, now_s: float) -> None: ...

    @abstractmethod
    def _send_move(self, line: str, now_s: float) -> None: ...

    def _move(self, ways: Mapping[int, AxisWay], begin: list[int]) -> str:
        """Return a relative move at the highest rate that each of its axes allows.

        Positions are rounded, not distances, so that rounding never adds up.
        """
        words, units, paces = "", [], []
        for channel, way in ways.items():
            scale = self.steps_per_unit(channel)
            after, before = (begin[channel] + way.steps) / scale, begin[channel] / scale
            words += f"{self.file.axes[channel]}{_plain(round(after, 4) - round(before, 4))}"
            units.append(way.steps / scale)
            paces.append(way.rate_steps_s / abs(way.steps))
        feed = 60 * math.hypot(*units) * min(paces)
        return f"G1{words}F{_plain(feed)}"

    def _end_first(self) -> None:
        """Note that the first step is complete."""
        step = self.given.popleft()
        self.position = step.target
        self.ended.append(step.whole)
        if self._emptying and not self.given:
            self._emptying, self.emptied = False, True

    def _fail(self, text: str, *, lost: bool) -> None:
        if self.trouble is None:
            self.trouble = Trouble(text, lost)


def _plain(value: float) -> str:
    """Return a number without needless zeros, as short as the controller reads it."""
    return f"{value:.4f}".rstrip("0").rstrip(".")


def near(one: float, other: float) -> bool:
    """Return whether two settings are the same within 1 %."""
    return math.isclose(one, other, rel_tol=0.01)
