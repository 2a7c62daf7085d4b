"""A model of Marlin 2.1, as its documentation of G-code and of hosts describes it.

The pages are in MarlinFirmware/MarlinDocumentation. A first move is delayed by 100 ms unless three
are planned (BLOCK_DELAY_FOR_1ST_MOVE of its planner).
"""

import math
from functools import reduce

from robot.virtual.controllers.planned_moves import VirtualController, words_of

PLANNED_MOVES = 16
FIRST_DELAY_S, ENOUGH_MOVES = 0.1, 3
BUSY_S = 2.0
UNITS = 100
"""Units of a quarter turn: the more, the slower a junction with the least deviation of 0.01."""


class VirtualMarlin(VirtualController):
    """A controller with Marlin; a quarter turn is 100 units."""

    def _power_on(self) -> None:
        self.settings = {"M205 J": 0.01}
        for channel, motor in self._motors.items():
            axis, scale = self.file.axes[channel], motor.steps_per_quarter / UNITS
            self.settings |= {
                f"M92 {axis}": scale,
                f"M203 {axis}": motor.rate_steps_s / scale,
                f"M201 {axis}": motor.acceleration_steps_s2 / scale,
            }
        known = (value for key, value in self.settings.items() if key.startswith("M201"))
        self.settings["M204 P"] = 2 * max(known, default=0.0)
        self.halted = False
        self.powered = False

    # Faults.

    def garble_next(self) -> None:
        """Receive a wrong byte in the next line."""
        self._garbled = True

    def kill(self) -> None:
        """Halt for a reason of its own."""
        self._halt()
        self._lines.clear()
        self.halted = True
        self._say("Error:Printer halted. kill() called!")

    # The dialect.

    def _start(self) -> None:
        self._last = -1
        self._garbled = self.halted = self._waits = False
        self._delayed_s = self._busy_s = math.inf
        self._say("start")
        self._say("echo:Marlin 2.1.2.1")

    def _at_once(self, byte: int) -> bool:  # noqa: ARG002 - without EMERGENCY_PARSER, none is
        return False

    def _take_line(self, line: str) -> None:
        if not line or self.halted:
            return
        body, _, checksum = line.partition("*")
        wrong = checksum != str(reduce(lambda one, other: one ^ other, body.encode(), 0))
        number = int(words_of(body).get("N", -1))
        if self._garbled or wrong:
            self._garbled = False
            self._demand("checksum mismatch")
        elif "M110" in body:
            self._last = number
            super()._take_line(body.partition(" ")[2])
        elif number != self._last + 1:
            self._demand("Line Number is not Last Line Number+1")
        else:
            before, lost = len(self._lines), self.lost_lines
            super()._take_line(body.partition(" ")[2])
            if lost == self.lost_lines and len(self._lines) > before:
                self._last = number

    def _demand(self, why: str) -> None:
        self._say(f"Error:{why}, Last Line: {self._last}")
        self._say(f"Resend: {self._last + 1}")
        self._say("ok")

    def _begins_s(self) -> float:
        return self.now_s if len(self._moves) >= ENOUGH_MOVES else max(self.now_s, self._delayed_s)

    def next_wake_s(self) -> float:
        """Return the time of the next event."""
        return min(super().next_wake_s(), self._busy_s)

    def _act(self) -> None:
        if self.now_s >= self._busy_s:
            self._say("echo:busy: processing")
            self._busy_s = self.now_s + BUSY_S
            return
        began = self._running is not None
        super()._act()
        rests = self._running is None and not self._moves
        if began and self._running is None and self._moves:  # the next one follows at once
            self._delayed_s = self.now_s
        if self._waits and rests:
            self._waits, self._busy_s = False, math.inf
            self._say("ok")

    def _reads(self) -> bool:
        free = len(self._moves) + (self._running is not None) < PLANNED_MOVES - 1
        return free and not self._waits and not self.halted

    def _execute(self, line: str) -> None:
        command = line.split(maxsplit=1)[0] if not line.startswith("G1") else "G1"
        words = words_of(line.removeprefix(command))
        match command:
            case "G1":
                if self._running is None and not self._moves:
                    self._delayed_s = self.now_s + FIRST_DELAY_S
                self._plan(words)
            case "M400":
                if self._running is not None or self._moves:
                    self._waits, self._busy_s = True, self.now_s + BUSY_S
                    return
            case "M17" | "M18":
                self.powered = command == "M17"
            case "M280":
                self._aim(words)
            case "M115":
                self._say("FIRMWARE_NAME:Marlin 2.1.2.1 (Github) PROTOCOL_VERSION:1.0")
            case "M503":
                for key, value in self.settings.items():
                    self._say(f"echo:  {key}{value:.4f}")
            case "M118":
                self._say(f"echo:{line.rpartition(' ')[2]}")
            case "M92" | "M201" | "M203" | "M204" | "M205":
                self.settings |= {f"{command} {axis}": value for axis, value in words.items()}
        self._say("ok")

    def _limits(self, channel: int) -> tuple[float, float, float]:
        axis = self.file.axes[channel]
        scale, rate, acceleration = (
            self.settings[f"{key} {axis}"] for key in ("M92", "M203", "M201")
        )
        return scale, rate, min(acceleration, self.settings["M204 P"] / math.sqrt(2))
