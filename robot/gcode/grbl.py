"""The dialect of Grbl 1.1, Grbl-Mega-5X, grblHAL and FluidNC.

Source: the pages "Grbl Interface Basics", "Grbl v1.1 Commands" and "Configuring Grbl" in
doc/markdown of github.com/gnea/grbl, which the others follow. Lines are sent by character counting.
A status report's position tells which steps are complete. A stop is a feed hold (`!`); once the
report says ``Hold:0``, a reset drops the rest without losing the position, and the face that stands
between two detents moves on to the next one.
"""

import math
from collections import deque
from collections.abc import Mapping
from itertools import pairwise

from robot.gcode.controller import AxisWay, Controller, Given, near
from robot.rigs.board_file import GCodeFile
from robot.rigs.motor import Motor

WINDOW = 3
"""Steps that it has at most: the running one and two more, which a dead program leaves behind."""
RECEIVE_BYTES = 127
_GREET_S, _AGAIN_S, _ANSWER_S, _IDLE_S, _SILENT_S = 0.3, 0.005, 0.1, 0.3, 1.5
_RESET = b"\x18"
_SETUP = "G21G91G94"
"""Millimetres, relative moves, units per minute."""
_FIXED = {"$1": 255, "$11": 0, "$13": 0, "$20": 0, "$21": 0}
"""Motors stay on between moves and rest between them; millimetres; faces have no limits."""
_LOCKED = {
    "Alarm": "locked itself (Alarm{})",
    "Door": "reports an open safety door: close it, or connect its input to ground",
    "Sleep": "is asleep: reset it",
    "Hold": "is held: a feed-hold button was pressed; align the faces and reset it",
    "Check": "only checks lines: send $C in a serial terminal",
}
_ALARMS = {
    1: "a limit switch closed: set $21=0, faces have no limits",
    2: "a turn was beyond the soft limits: set $20=0, faces have no limits",
    3: "it was reset during a turn",
}
_ERRORS = {
    9: "it is locked after an alarm",
    15: "the turn is beyond the soft limits: set $20=0, faces have no limits",
    20: "it does not know the command",
}


class Grbl(Controller):
    """A controller that speaks like Grbl; `Controller` documents the methods."""

    def __init__(self, file: GCodeFile, motors: Mapping[int, Motor]) -> None:
        super().__init__(file, motors)
        self._state = ""
        self._sent: deque[str] = deque()
        self._stored: deque[str] = deque()
        self._base: tuple[float, ...] | None = None
        self._asked_s = self._heard_s = -math.inf
        self._unanswered = 0
        self._idle_since_s = math.inf
        self._held: tuple[float, ...] = ()
        self._holding = self._resetting = self._asleep = False
        self._refused = self._said = ""

    # Greeting.

    def greet(self, now_s: float) -> None:
        """Wait until nothing moves, then ask for the settings."""
        state = self._state.partition(":")[0]
        if self._resetting:
            return
        if self._state == "Hold:0" or state == "Sleep":  # an earlier program's; it takes no lines
            self._reset()
        elif state not in ("Idle", "Alarm", "Check", "Door"):
            if now_s >= self._asked_s + _GREET_S:
                self.out, self._asked_s = self.out + b"?", now_s
        elif not self._sent and not self.settings:
            self._command("$I")
            self._command("$$")
        elif not self._sent:
            self._asleep = state == "Alarm"
            if not self._asleep:
                self._require_unlocked()
                self._command(_SETUP)
            self.greeted = True

    def _require_unlocked(self) -> None:
        state = self._state.partition(":")[0]
        if state in _LOCKED:
            why = f": {self._said}" if self._said else ""
            text = f"the controller {_LOCKED[state].format(why)}"
            self._fail(text, lost=bool(self.given))

    def steps_per_unit(self, channel: int) -> float:
        """Return $100 and following."""
        return self.settings.get(f"${100 + self._number(channel)}", 0.0)

    def acceleration(self, channel: int) -> float:
        """Return $120 and following."""
        own = self.settings.get(f"${120 + self._number(channel)}", 0.0)
        return own * self.steps_per_unit(channel)

    def _number(self, channel: int) -> int:
        """Return the number of an axis in settings and reports."""
        return "XYZABCUVW".find(self.file.axes[channel])

    def differences(self) -> list[str]:
        """Compare `$$` with the rig."""
        lines = []
        for channel, motor in self.motors.items():
            number, scale = self._number(channel), self.steps_per_unit(channel)
            if number < 0 or not scale:
                self._fail(f"the controller has no axis {self.file.axes[channel]}", lost=False)
                return []
            rate = motor.rate_steps_s / scale * 60
            if self.settings.get(f"${110 + number}", 0.0) < 0.99 * rate:
                lines.append(f"${110 + number}={rate:.3f}")
            if not near(self.acceleration(channel), motor.acceleration_steps_s2):
                lines.append(f"${120 + number}={motor.acceleration_steps_s2 / scale:.3f}")
        known = self.settings
        return lines + [
            f"{key}={value}" for key, value in _FIXED.items() if known.get(key, value) != value
        ]

    def write(self, lines: list[str]) -> None:
        """Write settings one by one: the controller hears nothing while it stores one."""
        for line in lines:
            key, _, value = line.partition("=")
            self.settings[key] = float(value)
        self._stored += lines
        self._store_next()

    def _store_next(self) -> None:
        if self._stored and not self._sent:
            self._command(self._stored.popleft())

    def accelerate(self, channel: int, steps_s2: int) -> None:
        """Write $120 or a following one."""
        number = self._number(channel)
        self.write([f"${120 + number}={steps_s2 / self.steps_per_unit(channel):.3f}"])

    # Steps.

    def wants(self, waiting: int, duration_s: float, now_s: float) -> bool:  # noqa: ARG002 - for Marlin
        """Take steps until the window or the receive buffer is full."""
        room = sum(map(len, self._sent)) + 2 * len(self._sent) + 40 <= RECEIVE_BYTES
        return self.ready and room and len(self.given) < WINDOW

    @property
    def ready(self) -> bool:
        """Whether nothing stopped it."""
        stopped = self._holding or self._resetting or self._refused or self._asleep
        storing = self._stored or any(line.startswith("$") for line in self._sent)
        return not stopped and not storing

    def _command(self, line: str) -> None:
        self._sent.append(line)
        self.out += line.encode() + b"\n"

    def _send_move(self, line: str, now_s: float) -> None:
        self._command(line)
        self._heard_s = now_s
        self._idle_since_s = math.inf

    def _reset(self) -> None:
        self.out += _RESET
        self._sent.clear()
        self._state = ""
        self._resetting = True

    def poll(self, now_s: float) -> None:
        """Ask for a report when the running step should be complete, and during a stop."""
        if self.given or self._holding:
            if now_s >= self.next_wake_s():
                self._ask(now_s)
            self.silent |= now_s > max(self._heard_s, self.given[0].ends_s if self.given else 0) + (
                _SILENT_S
            )

    def next_wake_s(self) -> float:
        """Return when to ask for a report."""
        if not self.given and not self._holding:
            return math.inf
        again_s = self._asked_s + (_ANSWER_S if self._unanswered else _AGAIN_S)
        return again_s if self._holding else max(self.given[0].ends_s + 0.001, again_s)

    def hold(self, now_s: float) -> None:
        """Hold the feed, if anything moves."""
        if not self.given:
            self.emptied = True
            return
        self.out += b"!"
        self._holding, self._heard_s = True, now_s
        self._ask(now_s)

    def _ask(self, now_s: float) -> None:
        """Ask for one report at a time: they take longer on the line than the pauses between."""
        self.out += b"?"
        self._asked_s, self._unanswered = now_s, 1

    def energize(self, *, on: bool) -> None:
        """Put it to sleep, which switches the motors off, or wake it by a reset.

        After an alarm it is woken, too: a person has confirmed that the faces are aligned.
        """
        if on and self._asleep and not self._resetting:
            self._reset()
        elif not on and not self._asleep:
            self._command("$SLP")
            self._asleep = True

    # What it says.

    def _hear(self, line: str, now_s: float) -> None:
        self._heard_s = now_s
        if line == "ok":
            if self._sent:
                self._sent.popleft()
            self._store_next()
        elif line.startswith("error:"):
            self._refuse(int(line.partition(":")[2]) if line[6:].isdigit() else 0)
        elif line.startswith("ALARM:"):
            number = int(line[6:]) if line[6:].isdigit() else 0
            what = _ALARMS.get(number, "see its manual")
            self._fail(f"the controller reports ALARM {number}: {what}", lost=True)
        elif line.startswith("<") and line.endswith(">"):
            self._unanswered = 0
            self._report(line[1:-1].split("|"), now_s)
        elif line.startswith("$"):
            key, _, value = line.partition("=")
            with_number = value.split(" ")[0].replace(".", "", 1).replace("-", "", 1)
            if with_number.isdigit():
                self.settings[key] = float(value.split(" ")[0])
        elif line.startswith("[VER:"):
            self.name = f"Grbl {line[5:-1].split(':', maxsplit=1)[0]}"
        elif line.startswith("[MSG:"):
            self._said = line[5:-1]
        elif line[:4].lower() == "grbl":
            self._started()

    def _refuse(self, number: int) -> None:
        """Process an error: the line does not count; those after it are still made."""
        if not self._sent:
            return  # of an earlier program's line
        line = self._sent.popleft()
        why = _ERRORS.get(number, "see its manual")
        self._refused = f"the controller refuses {line!r} with error {number}: {why}"
        if not self.given and self.greeted:
            self._fail(self._refused, lost=False)

    def _started(self) -> None:
        """Process the text of a start, which is expected after a reset of ours."""
        if not self.greeted:
            self._sent.clear()
            self.settings.clear()
            self._state = ""
        if self._resetting:
            self._resetting = False
            if self._asleep:
                self._asleep = False
                self._command("$X")
            if self.greeted:
                self._command(_SETUP)
            if self._holding:
                self._to_detent()
        elif self.greeted:
            self._fail("the controller restarted: check its supply and its cable", lost=True)

    def _report(self, fields: list[str], now_s: float) -> None:
        places = [each[5:] for each in fields if each.startswith(("MPos:", "WPos:"))]
        if not places or self._resetting:
            return
        self._state = fields[0]
        values = [float(each) for each in places[0].split(",")]
        numbers = [self._number(channel) for channel in range(len(self.file.axes))]
        at = tuple(values[each] if 0 <= each < len(values) else 0.0 for each in numbers)
        if not self.greeted or self._base is None or not self.given:
            scaled = zip(self.position, self._scales(), strict=True)
            moved = [steps / scale for steps, scale in scaled]
            self._base = tuple(place - way for place, way in zip(at, moved, strict=True))
        state = self._state.partition(":")[0]
        if self.greeted and not self._asleep and not (state == "Hold" and self._holding):
            self._require_unlocked()
        if self.given:
            self._follow(at, idle=state == "Idle", now_s=now_s)
        if self._holding and not self.trouble:
            self._hold_on(state, at)

    def _scales(self) -> list[float]:
        return [self.steps_per_unit(channel) or 1.0 for channel in range(len(self.file.axes))]

    def _steps(self, at: tuple[float, ...]) -> tuple[float, ...]:
        """Return a reported position in step pulses since the greeting."""
        assert self._base is not None
        each = zip(at, self._base, self._scales(), strict=True)
        return tuple((place - base) * scale for place, base, scale in each)

    def _follow(self, at: tuple[float, ...], *, idle: bool, now_s: float) -> None:
        """Note the steps that are complete at a position."""
        steps = self._steps(at)
        ends = [self.position, *(each.target for each in self.given)]
        runs = [number for number, end in enumerate(pairwise(ends)) if self._within(*end, steps)]
        for _ in range(runs[0] if runs else 0):
            self._end_first()
        while self.given and self._same(self.given[0].target, steps):
            self._end_first()
        if idle and self.given and not self._sent and now_s >= self.given[-1].ends_s:
            back = self._same(self.given[-1].target, steps)  # where it began, as after R R'
            for _ in range(len(self.given) if back else 0):
                self._end_first()
        self._idle_since_s = min(self._idle_since_s, now_s) if idle and self.given else math.inf
        if now_s - self._idle_since_s > _IDLE_S:
            self._give_up(steps)

    def _give_up(self, steps: tuple[float, ...]) -> None:
        """It rests, and not where it should: a line was refused, or lost on the way."""
        self._sent.clear()
        if self._same(self.given[-1].target, steps):  # an answer was lost, not a line
            while self.given:
                self._end_first()
            return
        quarters = [self.motors[channel].steps_per_quarter for channel in self.motors]
        askew = any(
            abs(steps[channel] / quarter - round(steps[channel] / quarter)) > 0.05
            for channel, quarter in zip(self.motors, quarters, strict=True)
        )
        text = self._refused or "the controller rests and did not make all turns: check its cable"
        self._fail(text, lost=askew)

    def _within(
        self, begin: tuple[int, ...], end: tuple[int, ...], steps: tuple[float, ...]
    ) -> bool:
        return all(
            min(one, other) - scale <= at <= max(one, other) + scale
            for one, other, at, scale in zip(begin, end, steps, self._blur(), strict=True)
        )

    def _same(self, target: tuple[int, ...], steps: tuple[float, ...]) -> bool:
        return self._within(target, target, steps)

    def _blur(self) -> list[float]:
        """Return how far a report may be off, in steps: it has three decimals."""
        return [0.6 + 0.001 * scale for scale in self._scales()]

    # Stops.

    def _hold_on(self, state: str, at: tuple[float, ...]) -> None:
        """Continue a stop, as far as the last report allows."""
        if self._state == "Hold:0":
            self._held = self._steps(at)
            self._reset()
        elif not self.given:
            self._holding, self.emptied = False, True
        elif state == "Run" and self.given[0].whole:
            self.out += b"!"  # the first one came before the motion

    def _to_detent(self) -> None:
        """Finish the turns that the hold interrupted, at the next detent of each."""
        self._holding = False
        if not self.given or self._same(self.position, self._held):
            self.given.clear()
            self.emptied = True
            return
        step, ways, whole = self.given[0], {}, True
        target, begin = list(self.position), [round(each) for each in self._held]
        for channel, way in step.ways.items():
            made = abs(self._held[channel] - self.position[channel]) / way.quarter_steps
            quarters = min(abs(way.steps), math.ceil(made - 0.02) * way.quarter_steps)
            end = self.position[channel] + (quarters if way.steps > 0 else -quarters)
            target[channel], whole = end, whole and quarters == abs(way.steps)
            if end != begin[channel]:
                ways[channel] = AxisWay(end - begin[channel], way.quarter_steps, way.rate_steps_s)
        line = self._move(ways, begin)
        self.given.clear()
        self.given.append(Given(ways, tuple(target), step.ends_s, whole))
        self._emptying = True
        self._send_move(line, self._heard_s)
