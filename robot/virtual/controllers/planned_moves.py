"""What both models of controllers share: lines in, planned moves, turned motors out."""

import math
import re
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from robot.errors import NotPossibleError
from robot.rigs.board_file import GCodeFile
from robot.rigs.motor import Motor
from robot.rigs.trapezoid import Trapezoid
from robot.virtual.running_steps import Turned
from robot.virtual.servos import ServoArm

LINE_S = 0.001
"""Time in which an 8-bit controller reads and plans a line."""
RECEIVE_BYTES = 128
_WORD = re.compile(r"([A-Z])\s*(-?[\d.]+)")


def words_of(line: str) -> dict[str, float]:
    """Return the words of a line of G-code; of equal letters the last."""
    return {letter: float(value) for letter, value in _WORD.findall(line)}


@dataclass(frozen=True, slots=True)
class PlannedMove:
    """A planned move: its axes share one ramp.

    Attributes:
        ways: The steps of each axis, by channels.
        motion: The motion of the axis with the most steps.
    """

    ways: Mapping[int, int]
    motion: Trapezoid

    def of(self, channel: int) -> Trapezoid:
        """Return the motion of one axis."""
        steps = abs(self.ways[channel])
        share = steps / self.motion.steps
        rate = self.motion.rate_steps_s * share
        return Trapezoid(steps, rate, self.motion.acceleration_steps_s2 * share)


class VirtualController(ABC):
    """A controller on a virtual rig; `VirtualRig` gives it bytes and the time.

    Args:
        step: Called when a motor has moved, as in `RunningSteps`.
        file: The axes, in the order of the rig's channels.
        motors: The rig's motors, to which the settings fit.
        servos: The arms of the servos.

    Attributes:
        settings: Its settings, by their names.
        lost_answers: Number of the next answers that are lost on the way.
        lost_lines: Number of the next lines that are lost on the way.
        overflows: Lines that found no room in the receive buffer.
    """

    def __init__(
        self,
        step: Turned,
        file: GCodeFile,
        motors: Mapping[str, Motor],
        servos: Sequence[ServoArm] = (),
    ) -> None:
        self.step = step
        self._servos = servos
        self.file = file
        self.settings: dict[str, float] = {}
        self.lost_answers = self.lost_lines = self.overflows = 0
        self.now_s = 0.0
        self._motors = {motor.channel: motor for motor in motors.values()}
        self._text = bytearray()
        self._lines: deque[tuple[float, str]] = deque()
        self._free_s = 0.0
        self._moves: deque[PlannedMove] = deque()
        self._running: PlannedMove | None = None
        self._start_s = 0.0
        self._position = [0] * len(file.axes)
        self._output = bytearray()
        self._power_on()
        self._start()

    # As `VirtualBoard` has it.

    @property
    def motors_since_s(self) -> float | None:
        """Start time of the running move; None if there is none."""
        return None if self._running is None else self._start_s

    def output(self) -> bytes:
        """Return the bytes for the host."""
        data = bytes(self._output)
        self._output.clear()
        return data

    def press_button(self) -> None:
        """Say that such a controller has no solve button."""
        raise NotPossibleError("a controller that speaks G-code has no solve button")

    def receive(self, data: bytes, now_s: float) -> None:
        """Process bytes from the host."""
        self.advance(now_s)
        for byte in data:
            if self._at_once(byte):
                continue
            if byte in b"\r\n":
                self._take_line(self._text.decode("ascii", "replace").strip())
                self._text.clear()
            else:
                self._text.append(byte)
        self.advance(now_s)

    def advance(self, now_s: float) -> None:
        """Let time pass."""
        while (wake_s := self.next_wake_s()) <= now_s:
            self.now_s = max(self.now_s, wake_s)
            self._act()
        self.now_s = max(self.now_s, now_s)

    def next_wake_s(self) -> float:
        """Return the time of the next event, infinity for none."""
        wakes = [self._end_s()]
        if self._lines and self._reads():
            wakes.append(max(self._lines[0][0], self._free_s) + LINE_S)
        if self._running is None and self._moves:
            wakes.append(self._begins_s())
        return min(wakes)

    # Faults.

    def restart(self) -> None:
        """Restart, as after a loss of power; the faces stay where they are."""
        self._halt()
        self._lines.clear()
        self._text.clear()
        self._start()

    def garble(self) -> None:
        """Say something that belongs to no protocol."""
        self._output += b"\xff\x00echo?\r\n"

    # For the dialects.

    @abstractmethod
    def _power_on(self) -> None:
        """Set the settings that fit the rig, and the state."""

    @abstractmethod
    def _start(self) -> None:
        """Say what it says at its start."""

    @abstractmethod
    def _at_once(self, byte: int) -> bool:
        """Return whether a byte is a command by itself, and execute it."""

    @abstractmethod
    def _execute(self, line: str) -> None:
        """Execute a line."""

    @abstractmethod
    def _reads(self) -> bool:
        """Return whether it reads the next line now."""

    @abstractmethod
    def _limits(self, channel: int) -> tuple[float, float, float]:
        """Return steps per unit, the rate in units per second and the acceleration, likewise."""

    def _begins_s(self) -> float:
        return self.now_s

    def _say(self, line: str) -> None:
        if line == "ok" and self.lost_answers:
            self.lost_answers -= 1
            return
        self._output += line.encode() + b"\r\n"

    def _take_line(self, line: str) -> None:
        if not line:
            return
        if self.lost_lines:
            self.lost_lines -= 1
            return
        if sum(len(text) + 1 for _, text in self._lines) + len(line) > RECEIVE_BYTES:
            self.overflows += 1
            return
        self._lines.append((self.now_s, line))

    def _end_s(self) -> float:
        if self._running is None:
            return math.inf
        return self._start_s + self._running.motion.duration_s

    def _act(self) -> None:
        if self._running is not None and self.now_s >= self._end_s():
            self._finish(self._running)
        elif self._running is None and self._moves and self.now_s >= self._begins_s():
            self._running, self._start_s = self._moves.popleft(), self.now_s
        elif self._lines and self._reads():
            self._free_s = self.now_s
            self._execute(self._lines.popleft()[1])

    def _finish(self, move: PlannedMove) -> None:
        """End a move, whole or what a hold left of it."""
        self._running = None
        for channel, way in move.ways.items():
            if way:
                self._position[channel] += way
                self.step(channel, way, move.of(channel), self._start_s)

    def _plan(self, words: Mapping[str, float]) -> None:
        """Plan a relative move."""
        units = {
            channel: words[axis]
            for channel, axis in enumerate(self.file.axes)
            if words.get(axis) and channel in self._motors
        }
        if not units:
            return
        path = math.hypot(*units.values())
        pace, ramp, ways = words.get("F", self._feed) / 60 / path, math.inf, {}
        self._feed = words.get("F", self._feed)
        for channel, way in units.items():
            scale, rate, acceleration = self._limits(channel)
            ways[channel] = round(way * scale)
            pace, ramp = min(pace, rate / abs(way)), min(ramp, acceleration / abs(way))
        most = max(map(abs, ways.values()))
        self._moves.append(PlannedMove(ways, Trapezoid(most, pace * most, ramp * most)))

    def _aim(self, words: Mapping[str, float]) -> None:
        """Move a servo, as M280 says."""
        self._servos[int(words["P"])].give(int(words["S"]), self.now_s)

    _feed = 1.0

    def _halt(self) -> None:
        """Stop without a ramp, wherever the faces are."""
        if self._running is not None:
            self._finish(self._made(self._running, self.now_s - self._start_s))
        self._moves.clear()

    def _made(self, move: PlannedMove, elapsed_s: float) -> PlannedMove:
        """Return the part of a move that is made after a time, if it ends there."""
        steps = min(move.motion.steps, round(_way(move.motion, elapsed_s)))
        share = steps / move.motion.steps
        ways = {channel: round(way * share) for channel, way in move.ways.items()}
        return PlannedMove(ways, replace(move.motion, steps=max(1, steps)))


def _way(motion: Trapezoid, elapsed_s: float) -> float:
    """Return the steps of a motion after a time."""
    end_s = motion.duration_s
    if elapsed_s >= end_s:
        return motion.steps
    ramp_s, rising = motion.ramp_s, motion.acceleration_steps_s2 / 2
    if elapsed_s <= ramp_s:
        return rising * elapsed_s**2
    if elapsed_s >= end_s - ramp_s:
        return motion.steps - rising * (end_s - elapsed_s) ** 2
    return rising * ramp_s**2 + motion.rate_steps_s * (elapsed_s - ramp_s)


def held(motion: Trapezoid, elapsed_s: float) -> tuple[float, float]:
    """Return the steps until a motion has stopped, and the time, if it brakes now."""
    end_s, ramp_s = motion.duration_s, motion.ramp_s
    if elapsed_s >= end_s - ramp_s:
        return motion.steps, end_s
    speed = motion.acceleration_steps_s2 * min(elapsed_s, ramp_s)
    braking_s = speed / motion.acceleration_steps_s2
    return _way(motion, elapsed_s) + speed * braking_s / 2, elapsed_s + braking_s
