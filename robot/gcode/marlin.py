"""The dialect of Marlin 2.1.

Source: the pages G0-G1, M110, M112, M114, M115, M118, M201, M203, M204, M205, M400 and M503 of
MarlinFirmware/MarlinDocumentation, and "Host commands" for ``ok``, ``Resend`` and ``busy``. A line
has a number and a checksum. An ``ok`` says that a move is planned, not that it is made; a stock
Marlin reports no position during a motion. So steps are given in groups, and M400 follows each
group: its ``ok`` says that the group is complete. Marlin delays a first move by 100 ms unless three
are planned, so a group has three steps where possible, and the next group is sent just before the
end of the running one, so that it waits in the controller's buffer.

A stop sends nothing more: the group under way ends at detents. M410 would be quicker, but Marlin
stops without a ramp then, and the position is lost.
"""

import math
import re
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

from robot.gcode.controller import Controller, near
from robot.rigs.board_file import GCodeFile
from robot.rigs.motor import Motor

GROUP = 3
MOST_TOGETHER = 5
LEAD_S = 0.04
"""Time before the end of a group at which the next one is sent."""
LONGEST_GROUP_S = 0.5
LINES_AHEAD = 5
"""Lines without an answer: four in the command buffer (BUFSIZE), one in the receive buffer."""
_BARRIER = "M400"
_QUIET_S, _SILENT_S, _RESEND_S = 3.0, 2.0, 0.05
_SETTING = re.compile(r"\b(M\d+)((?: [A-Z]-?[\d.]+)+)")

LEAST_DEVIATION = 0.01
"""Marlin takes no smaller one."""
_COARSE = (
    "the motors would not rest between two turns, because a quarter turn has too few units: lower "
    "M92 so that it has about 100, and adapt M201 and M203"
)
JUNCTION_STEPS_S = 1_000
"""A motor may start and stop at this rate: a junction this slow is as good as one at rest."""
_RIGHT_ANGLE = math.sqrt(0.5) / (1 - math.sqrt(0.5))
"""Square of the junction speed of two axes, over acceleration times junction deviation."""


@dataclass(slots=True)
class _Line:
    """A line without an answer."""

    number: int
    text: str
    steps: int = 0  # complete at its answer


class Marlin(Controller):
    """A controller that speaks like Marlin; `Controller` documents the methods."""

    def __init__(self, file: GCodeFile, motors: Mapping[int, Motor]) -> None:
        super().__init__(file, motors)
        self._number = 0
        self._waiting: deque[tuple[str, int]] = deque()
        self._sent: deque[_Line] = deque()
        self._left = self._open = 0
        self._heard_s = self._sent_s = 0.0
        self._resend = 0
        self._ignored = 0
        self._asked_s = -math.inf
        self._marks = 0
        self._marked_s = math.inf

    # Greeting.

    def greet(self, now_s: float) -> None:
        """Begin to number lines, and ask for the settings when nothing moves."""
        if now_s - self._asked_s > _SILENT_S:
            self._begin(now_s)

    def _begin(self, now_s: float) -> None:
        self._sent.clear()
        self._waiting.clear()
        self._asked_s, self._number = now_s, 0
        for line in ("M110 N0", "M115", "M503", "G91", "M211 S0", "M84 S0", _BARRIER):
            self._command(line)
        self._mark()
        self._pump(now_s)

    def _mark(self) -> None:
        """Let it echo a text of its own: every answer before that belongs to earlier lines."""
        self._marks += 1
        self._command(f"M118 E1 mark{self._marks}")

    def steps_per_unit(self, channel: int) -> float:
        """Return what M92 says."""
        return self.settings.get(f"M92 {self.file.axes[channel]}", 0.0)

    def acceleration(self, channel: int) -> float:
        """Return what M201 says."""
        own = self.settings.get(f"M201 {self.file.axes[channel]}", 0.0)
        return own * self.steps_per_unit(channel)

    def differences(self) -> list[str]:
        """Compare M503 with the rig."""
        lines = []
        for channel, motor in self.motors.items():
            axis, scale = self.file.axes[channel], self.steps_per_unit(channel)
            if not scale:
                self._fail(f"the controller has no axis {axis}", lost=False)
                return []
            rate = motor.rate_steps_s / scale
            if self.settings.get(f"M203 {axis}", 0.0) < 0.99 * rate:
                lines.append(f"M203 {axis}{rate:.2f}")
            acceleration = motor.acceleration_steps_s2 / scale
            if not near(self.acceleration(channel), motor.acceleration_steps_s2):
                lines.append(f"M201 {axis}{acceleration:.0f}")
            if self.settings.get("M204 P", math.inf) < math.sqrt(2) * 0.99 * acceleration:
                lines.append(f"M204 P{math.ceil(1.5 * acceleration)}")
        return list(dict.fromkeys(lines)) + self._junction_lines()

    def _junction_lines(self) -> list[str]:
        """Return what makes motors rest between two steps."""
        deviation = self.settings.get("M205 J")
        if deviation is not None:
            if self._junction_steps_s(LEAST_DEVIATION) > JUNCTION_STEPS_S:
                self._fail(_COARSE, lost=False)
            fast = self._junction_steps_s(deviation) > JUNCTION_STEPS_S
            return [f"M205 J{LEAST_DEVIATION}"] if fast else []
        axes = [(self.file.axes[each], self.steps_per_unit(each)) for each in self.motors]
        jerks = [axis for axis, scale in axes if self._jerk(axis) * scale > JUNCTION_STEPS_S]
        return ["M205 " + " ".join(f"{axis}0" for axis in jerks)] if jerks else []

    def _junction_steps_s(self, deviation: float) -> float:
        """Return the highest rate at which a motor starts at a junction of two axes."""
        rates = (
            math.sqrt(
                _RIGHT_ANGLE * deviation * self.steps_per_unit(channel) * self.acceleration(channel)
            )
            for channel in self.motors
        )
        return max(rates, default=0.0)

    def _jerk(self, axis: str) -> float:
        return self.settings.get(f"M205 {axis}", 0.0)

    def write(self, lines: list[str]) -> None:
        """Send settings, which the controller keeps until its next start, or M500 stores."""
        for line in lines:
            self._note_settings(line)
            self._command(line)

    def _command(self, line: str) -> None:
        self._waiting.append((line, 0))

    def accelerate(self, channel: int, steps_s2: int) -> None:
        """Send M201."""
        self.write([f"M201 {self.file.axes[channel]}{steps_s2 / self.steps_per_unit(channel):.0f}"])

    # Steps.

    def wants(self, waiting: int, duration_s: float, now_s: float) -> bool:
        """Take the steps of a group, and the next group just before the end of the running one."""
        if self._emptying or self._resend:
            return False
        if not self._left and (not self.given or now_s >= self.given[-1].ends_s - LEAD_S):
            most = max(1, int(LONGEST_GROUP_S / duration_s))
            self._left = min(most, waiting if waiting <= MOST_TOGETHER else GROUP)
        return self._left > 0

    def _send_move(self, line: str, now_s: float) -> None:
        self._command(line)
        self._left, self._open = max(0, self._left - 1), self._open + 1
        if not self._left:
            self._close_group()
        self._pump(now_s)

    def _close_group(self) -> None:
        self._waiting.append((_BARRIER, self._open))
        self._open = 0

    def _pump(self, now_s: float) -> None:
        """Send as many lines as the controller has room for."""
        while self._waiting and len(self._sent) < LINES_AHEAD and not self._resend:
            text, steps = self._waiting.popleft()
            self._sent.append(_Line(self._number, text, steps))
            self._number += 1
            self._transmit(self._sent[-1], now_s)

    def _transmit(self, line: _Line, now_s: float) -> None:
        text = f"N{line.number} {line.text}"
        checksum = 0
        for byte in text.encode():
            checksum ^= byte
        self.out += f"{text}*{checksum}\n".encode()
        self._sent_s = now_s

    def poll(self, now_s: float) -> None:
        """Send what may be sent; after a long silence, ask whether an answer was lost."""
        if self._resend and now_s >= self._sent_s + _RESEND_S:
            first, self._resend = self._resend, 0
            for line in self._sent:
                if line.number >= first:
                    self._transmit(line, now_s)
        self._pump(now_s)
        if self._sent and now_s >= self._quiet_s():
            if self._marked_s < math.inf:
                self.silent = True
            self._marked_s = now_s
            self._mark()
            self._sent.append(_Line(self._number, self._waiting.pop()[0]))
            self._number += 1
            self._transmit(self._sent[-1], now_s)

    def _quiet_s(self) -> float:
        """Return until when an answer may take."""
        ends_s = self.given[-1].ends_s if self.given else 0.0
        return max(self._heard_s, self._sent_s, ends_s) + _QUIET_S

    def next_wake_s(self) -> float:
        """Return when to send or ask next."""
        if self._resend:
            return self._sent_s + _RESEND_S
        wakes = [self.given[-1].ends_s - LEAD_S] if self.given and not self._left else []
        if self._sent:
            wakes.append(self._quiet_s())
        return min(wakes, default=math.inf)

    def hold(self, now_s: float) -> None:
        """Send nothing more; what the controller has ends at detents."""
        unsent = sum(text.startswith("G1") for text, _ in self._waiting)
        barred = sum(steps for _, steps in self._waiting)
        self._waiting.clear()
        for _ in range(unsent):
            self.given.pop()
        if barred > unsent:
            self._waiting.append((_BARRIER, barred - unsent))
        self._emptying = bool(self.given)
        self.emptied = not self.given
        self._pump(now_s)

    def energize(self, *, on: bool) -> None:
        """Send M17 or M18."""
        self._command("M17" if on else "M18")

    # What it says.

    def _hear(self, line: str, now_s: float) -> None:
        self._heard_s = now_s
        if line.startswith("ok"):
            self._answered()
        elif line.startswith(("Resend:", "rs ")):
            digits = re.search(r"\d+", line)
            self._resend, self._sent_s = int(digits[0]) if digits else 0, now_s
            self._ignored += 1  # the ok that follows belongs to the refused line
        elif line.startswith(("Error:", "!!")):
            if not re.search(r"checksum|line number", line, re.IGNORECASE):
                self._fail(f"the controller stopped: {line}; restart it", lost=True)
        elif line == "start":
            self._restarted(now_s)
        elif line.endswith(f"mark{self._marks}"):
            self._catch_up()
        elif "unknown command" in line.lower():
            text = self._sent[0].text if self._sent else ""
            if text.startswith("G1"):
                self._fail(f"the controller does not know {text!r}", lost=False)
        else:
            self._note_settings(line)
            if name := re.search(r"FIRMWARE_NAME:(\S+ ?[\d.]*)", line):
                self.name = name[1].strip()
        self._pump(now_s)

    def _answered(self) -> None:
        if self._ignored:
            self._ignored -= 1
            return
        if self._sent:
            self._complete(self._sent.popleft())

    def _complete(self, line: _Line) -> None:
        for _ in range(min(line.steps, len(self.given))):
            self._end_first()

    def _catch_up(self) -> None:
        """Process the echo of a mark: lines before it are done, also if answers were lost."""
        self._marked_s = math.inf
        while self._sent and not self._sent[0].text.endswith(f"mark{self._marks}"):
            self._complete(self._sent.popleft())
        self.greeted = True

    def _restarted(self, now_s: float) -> None:
        if self.greeted:
            self._fail("the controller restarted: check its supply and its cable", lost=True)
        else:
            self._begin(now_s)

    def _note_settings(self, line: str) -> None:
        for command, words in _SETTING.findall(line):
            for word in words.split():
                self.settings[f"{command} {word[0]}"] = float(word[1:])
