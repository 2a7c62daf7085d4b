"""A model of Grbl 1.1, as "Grbl Interface Basics" and "Grbl v1.1 Commands" describe it.

These pages are in doc/markdown of github.com/gnea/grbl.
"""

from robot.virtual.controllers.planned_moves import PlannedMove, VirtualController, held, words_of

PLANNED_MOVES = 16
LONGEST_LINE = 80


class VirtualGrbl(VirtualController):
    """A controller with Grbl; a quarter turn is one unit."""

    def _power_on(self) -> None:
        self.settings = {"$1": 255, "$10": 1, "$11": 0, "$13": 0, "$20": 0, "$21": 0, "$22": 0}
        for channel, motor in self._motors.items():
            quarter = motor.steps_per_quarter
            self.settings |= {
                f"${100 + channel}": quarter,
                f"${110 + channel}": motor.rate_steps_s / quarter * 60,
                f"${120 + channel}": motor.acceleration_steps_s2 / quarter,
            }
        self.state = "Idle"
        self._held_s: float | None = None

    # Faults.

    def alarm(self, number: int) -> None:
        """Stop at once, and lock itself."""
        self._halt()
        self._lines.clear()
        self.state = "Alarm"
        self._say(f"ALARM:{number}")

    def open_door(self) -> None:
        """Open the safety door: a hold that the host did not ask for."""
        self._say("[MSG:Check Door]")
        self._hold("Door")

    def refuse(self, number: int) -> None:
        """Refuse the next line that waits, if one does."""
        self._refusals = number

    _refusals = 0

    # The dialect.

    def _start(self) -> None:
        self._held_s = None
        self._say("Grbl 1.1h ['$' for help]")
        if self.state in ("Alarm", "Sleep"):
            self.state = "Alarm"
            self._say("[MSG:'$H'|'$X' to unlock]")
        else:
            self.state = "Idle"

    def _at_once(self, byte: int) -> bool:
        match byte:
            case 0x3F:
                self._report()
            case 0x21:
                self._hold("Hold")
            case 0x7E if self.state == "Hold:0":
                self.state = "Idle"
            case 0x18:
                if self._running is not None and self.state not in ("Hold:0", "Door:0"):
                    self.alarm(3)
                self._drop()
                self._start()
            case _:
                return False
        return True

    def _report(self) -> None:
        made = [0] * len(self._position)
        state = self.state
        if self._running is not None:
            for channel, way in self._made(self._running, self.now_s - self._start_s).ways.items():
                most = abs(way if self._held_s is None else self._stopped.ways[channel])
                made[channel] = max(-most, min(most, way))
            state = "Run" if state == "Idle" else state
        places = ",".join(
            f"{(position + way) / self.settings.get(f'${100 + channel}', 1):.3f}"
            for channel, (position, way) in enumerate(zip(self._position, made, strict=True))
        )
        self._say(f"<{state}|MPos:{places}|FS:0,0>")

    def _hold(self, name: str) -> None:
        """Brake; the state says ``:0`` when everything rests."""
        if self._running is None and name == "Hold":
            return  # nothing to hold
        self.state = f"{name}:0" if self._running is None else f"{name}:1"
        if self._running is not None:
            steps, rests_s = held(self._running.motion, self.now_s - self._start_s)
            share = steps / self._running.motion.steps
            ways = {channel: round(way * share) for channel, way in self._running.ways.items()}
            self._held_s = self._start_s + rests_s
            self._stopped = PlannedMove(ways, self._running.motion)

    def _end_s(self) -> float:
        return super()._end_s() if self._held_s is None else self._held_s

    def _act(self) -> None:
        if self._held_s is not None and self.now_s >= self._held_s:
            self._finish(self._stopped)
            self._held_s, self.state = None, self.state.replace(":1", ":0")
        else:
            super()._act()

    def _drop(self) -> None:
        self._moves.clear()
        self._lines.clear()
        self._text.clear()

    def _begins_s(self) -> float:
        return self.now_s if self.state == "Idle" else float("inf")

    def _reads(self) -> bool:
        free = len(self._moves) + (self._running is not None) < PLANNED_MOVES - 1
        return free and not self.state.startswith(("Hold", "Door", "Sleep"))

    def _execute(self, line: str) -> None:
        if self._refusals and not line.startswith("$"):
            self._refusals, number = 0, self._refusals
            self._say(f"error:{number}")
        elif len(line) >= LONGEST_LINE:
            self._say("error:11")
        elif line.startswith("$"):
            self._command(line)
        elif self.state == "Alarm":
            self._say("error:9")
        else:
            if line.startswith("G1"):
                self._plan(words_of(line))
            elif line.startswith("M280"):
                self._aim(words_of(line))
            self._say("ok")

    def _command(self, line: str) -> None:
        name, equals, value = line.partition("=")
        if equals:
            self.settings[name] = float(value)
        elif line == "$$":
            for key, number in self.settings.items():
                self._say(f"{key}={number:.3f}")
        elif line == "$I":
            self._say("[VER:1.1h.20190825:]")
            self._say("[OPT:V,15,128]")
        elif line == "$X":
            self.state = "Idle"
        elif line == "$SLP":
            self.state = "Sleep"
        self._say("ok")

    def _limits(self, channel: int) -> tuple[float, float, float]:
        keys = (f"${base + channel}" for base in (100, 110, 120))
        scale, rate, acceleration = (self.settings[key] for key in keys)
        return scale, rate / 60, acceleration
