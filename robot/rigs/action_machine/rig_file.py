"""The rig file of a machine that handles the cube: its variables, and the effects of its actions.

A variable is a part that is at one of several places: a holder's angle, a cover, a claw. An action
moves one or more of them to other places, requires places of others, and may turn a layer or the
whole cube at the same time.
"""

from typing import Annotated, Literal

import msgspec

from cube.moves import FACES
from robot.protocol.messages import (
    DWELL_MS,
    LONGEST_PULSE_US,
    LONGEST_WAIT_MS,
    MAX_ACTIONS,
    SHORTEST_PULSE_US,
)
from robot.rigs.board_file import Board, BoardFile, GCodeFile
from robot.rigs.mechanism import Mechanism
from robot.rigs.motor import Motor, require

MOST_SERVOS = 16
"""Maximum number of servos, on a board with a servo driver; most boards report fewer."""
LONGEST_DWELL_MS = 255 * DWELL_MS
"""The longest time that a board waits for a servo."""
_FARTHEST = 2**15 - 1
"""Largest number of steps on the wire."""
_MOST_STATES = 20_000

Places = Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
"""Places of a variable; any one of them counts."""
_Pulse = Annotated[int, msgspec.Meta(ge=SHORTEST_PULSE_US, le=LONGEST_PULSE_US)]
_Steps = Annotated[int, msgspec.Meta(ge=-_FARTHEST, le=_FARTHEST)]
_Time = Annotated[int, msgspec.Meta(ge=1, le=LONGEST_WAIT_MS)]


class Home(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a motor finds position 0, when the machine gets ready and its position is unknown.

    Attributes:
        switch: The board's switch that closes there. The motor slows down behind it.
        travel: How far the motor goes at most towards the switch, in step pulses; negative for
            back.

    Raises:
        ValueError: The travel is 0.
    """

    switch: Annotated[int, msgspec.Meta(ge=0)]
    travel: _Steps

    def __post_init__(self) -> None:
        require(self.travel != 0, "travel", self.travel, "a number of steps, negative for back")


class Variable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of the machine, moved by exactly one of `servo`, `motor` and `output`.

    Attributes:
        places: The places where it can stand, in the order in which its actuator passes them. Leave
            it out for a shaft that a motor turns endlessly and that has the same position at each
            quarter turn.
        start: Where it stands when the machine is switched on, before a cube is put in; the first
            place by default.
        cyclic: Whether it has four places a quarter turn apart, with the last one next to the
            first.
        servo: The board's servo output that moves it.
        pulse_us: The servo's pulse at each place, 500 to 2500.
        motor: The stepper that moves it. Two neighbouring places are a quarter turn apart, unless
            `steps` is given.
        steps: For a motor that does not move by quarter turns: its position at each place, in step
            pulses; 0 at the start, or at its `home`.
        home: For a motor with `steps`: its switch. Without one, the part must stand at its start
            when the motors are switched on.
        output: The board's output that moves it: off at the first of two places, on at the second.

    Raises:
        ValueError: A value out of range; the message begins with its key.
    """

    places: tuple[str, ...] = ()
    start: str = ""
    cyclic: bool = False
    servo: Annotated[int, msgspec.Meta(ge=0, lt=MOST_SERVOS)] | None = None
    pulse_us: tuple[_Pulse, ...] = ()
    motor: Motor | None = None
    steps: tuple[_Steps, ...] = ()
    home: Home | None = None
    output: Annotated[int, msgspec.Meta(ge=0)] | None = None

    def __post_init__(self) -> None:
        count = len(self.places)
        turns_on = not count and self.motor is not None
        require(turns_on or count >= 2, "places", list(self.places), "at least two places")
        twice = sorted({place for place in self.places if self.places.count(place) > 1})
        require(not twice, "places", list(self.places), "a list without repeated places")
        known = not self.start or self.start in self.places
        require(known, "start", repr(self.start), f"one of {', '.join(self.places)}")
        drives = [self.servo, self.motor, self.output]
        given = sum(each is not None for each in drives)
        require(given == 1, "servo, motor, output", f"{given} of them", "exactly one of the three")
        if self.output is not None:
            wanted = "two places, because an output is either off or on"
            require(count == 2, "places", list(self.places), wanted)
        self._check_pulses(count)
        if self.motor is not None and not self.steps:
            way = (count - 1) * self.motor.steps_per_quarter
            require(way <= _FARTHEST, "places", count, f"at most {_FARTHEST} steps apart")
        if self.motor is None:
            wanted = "false, except for a motor that can turn without end"
            require(not self.cyclic, "cyclic", "true", wanted)
        if self.steps:
            require(self.motor is not None, "steps", list(self.steps), "left out without a motor")
            require(not self.cyclic, "steps", list(self.steps), "left out for a cyclic variable")
            wanted = f"{count} positions, one for each place"
            require(len(self.steps) == count, "steps", list(self.steps), wanted)
            begins = self.steps[self.start_place] == 0 or self.home is not None
            wanted = f"0 at {self.places[self.start_place]!r}, its start, from which it is counted"
            require(begins, "steps", list(self.steps), wanted)
        else:
            require(self.home is None, "home", "given", "left out without `steps`")
        if self.cyclic:
            wanted = "four places, a quarter turn apart, for a cyclic variable"
            require(count == 4, "places", list(self.places), wanted)

    def _check_pulses(self, count: int) -> None:
        given = list(self.pulse_us)
        if self.servo is None:
            require(not given, "pulse_us", given, "left out without a servo")
            return
        wanted = f"{count} pulses, one for each place"
        require(len(given) == count, "pulse_us", given, wanted)
        ways = sorted(set(given)), sorted(set(given), reverse=True)
        wanted = "rising or falling pulses, because the servo passes the places in their order"
        require(given in ways, "pulse_us", given, wanted)

    @property
    def count(self) -> int:
        """Number of different places."""
        return len(self.places) or 1

    @property
    def start_place(self) -> int:
        """The number of its place at power-on."""
        return self.places.index(self.start) if self.start else 0


Change = Literal["+", "-"] | tuple[str, str]
"""How an action moves a variable: forward, back, or from one place to another."""


class ActionRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An action of the machine.

    Actions run at the same time if they move different variables, do not need each other's
    variables, and turn nothing or opposite layers.

    Attributes:
        name: For the screen, and for `try`, such as "flip the cube".
        change: The variables that it moves: `"+"` forward by one or more places, and back again;
            `"-"` the opposite way; or from one place to another, `["low", "high"]`. Use the same
            form for all variables of an action. `cube` and `layer` describe the way forward.
        needs: Where other variables must stand before and during the action.
        cube: How the whole cube turns for one place: `x`, `y` or `z`, with `'` or `2`; empty if it
            does not.
        layer: The layers that turn by a quarter for each place, clockwise seen from outside, such
            as `["D'"]`: a layer of the machine, not a face of the cube; not together with `cube`.
        time_ms: The time for one place, for two, and so on; the action never moves further than
            this list is long. A servo gets this time to arrive, 2550 ms at most. A stepper takes as
            long as its rates require; the planner uses the times given here.
        one_way: Whether it only moves forward (`"+"`), as a shaft that turns in one direction does.
        after_stop: What to do after a stop in the middle: `"resume"`, the next press ends the
            action; `"look"`, the position of the cube is unknown, and a person is asked.

    Raises:
        ValueError: A value out of range; the message begins with its key.
    """

    name: Annotated[str, msgspec.Meta(min_length=1)]
    change: Annotated[dict[str, Change], msgspec.Meta(min_length=1, max_length=MAX_ACTIONS)]
    time_ms: Annotated[tuple[_Time, ...], msgspec.Meta(min_length=1)]
    needs: dict[str, Places] = {}
    cube: str = ""
    layer: tuple[str, ...] = ()
    one_way: bool = False
    after_stop: Literal["resume", "look"] = "resume"

    def __post_init__(self) -> None:
        times = list(self.time_ms)
        require(times == sorted(times), "time_ms", times, "times in ascending order")
        fixed = [each for each in self.change.values() if isinstance(each, tuple)]
        mixed = bool(fixed) and len(fixed) < len(self.change)
        require(not mixed, "change", "mixed", 'either all of "+" and "-", or two places each')
        if fixed:
            require(len(times) == 1, "time_ms", times, "one time")
            require(not self.one_way, "one_way", "true", 'left out except with "+"')
        both = self.cube and self.layer
        require(not both, "layer", list(self.layer), "left out if the whole cube turns")
        turns = not self.cube or (self.cube[0] in "xyz" and self.cube[1:] in ("", "'", "2"))
        require(turns, "cube", repr(self.cube), "x, y or z, alone or with ' or 2")
        for each in self.layer:
            known = each[:1] in tuple(FACES) and each[1:] in ("", "'", "2")
            require(known, "layer", repr(each), "one of U R F D L B, alone or with ' or 2")


class ActionMachineFile(Mechanism, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rig file of a machine that holds the cube, and turns or tips it.

    Attributes:
        kind: Always `"actions"`.
        variables: A table `[variables.NAME]` for each part that moves.
        actions: A table `[[actions]]` for each action.
        forbidden: A table `[[forbidden]]` for each combination of places that is not allowed, such
            as both claws open; if a variable has several places in it, any one of them counts.
        board: The table `[board]`, for servos that the computer itself moves, or for a controller
            that speaks G-code; without it, a board of ours at a serial port.

    Raises:
        ValueError: A value out of range, or inconsistent names; the message names the key.
    """

    kind: Literal["actions"]
    variables: Annotated[dict[str, Variable], msgspec.Meta(min_length=1)]
    actions: Annotated[tuple[ActionRule, ...], msgspec.Meta(min_length=1)]
    forbidden: tuple[Annotated[dict[str, Places], msgspec.Meta(min_length=1)], ...] = ()
    board: Board | None = None

    def __post_init__(self) -> None:
        self._check_outputs()
        states = 1
        for variable in self.variables.values():
            states *= variable.count
        wanted = f"variables with at most {_MOST_STATES} combinations of places"
        require(states <= _MOST_STATES, "variables", f"{states} ways", wanted)
        for number, rule in enumerate(self.actions):
            self._check_rule(f"actions[{number}]", rule)
            for other in self.actions[:number]:
                self._check_told_apart(f"actions[{number}]", rule, other)
        for number, places in enumerate(self.forbidden):
            self._check_places(f"forbidden[{number}]", places)
        for number, camera in enumerate(self.cameras):
            self._check_places(f"cameras[{number}].needs", camera.needs)

    def _check_outputs(self) -> None:
        used: dict[tuple[str, int], str] = {}
        for name, variable in self.variables.items():
            channel = variable.motor.channel if variable.motor else None
            found = {"servo": variable.servo, "output": variable.output, "motor": channel}
            found["home.switch"] = variable.home.switch if variable.home else None
            for drive, number in found.items():
                if number is not None:
                    other = used.setdefault((drive, number), name)
                    wanted = f"different from that of {other}"
                    require(other == name, f"variables.{name}.{drive}", number, wanted)
        if isinstance(self.board, GCodeFile):
            self._check_controller(self.board)
        elif self.board is not None:
            self._check_board(self.board)
        if self.buzzer is not None:
            other = used.get(("output", self.buzzer), "")
            require(not other, "buzzer", self.buzzer, f"a different output from that of {other}")

    def _check_board(self, board: BoardFile) -> None:
        servos, (shortest, longest) = len(board.channels), board.pulse_us
        require(self.buzzer is None, "buzzer", self.buzzer, "left out with [board]")
        for name, variable in self.variables.items():
            key = f"variables.{name}"
            wanted = f"0 to {servos - 1}, because [board] has {servos} channels and servos only"
            driven = variable.servo is not None and variable.servo < servos
            require(driven, f"{key}.servo", variable.servo, wanted)
            within = all(shortest <= each <= longest for each in variable.pulse_us)
            wanted = f"{shortest} to {longest}, the limits of [board]"
            require(within, f"{key}.pulse_us", list(variable.pulse_us), wanted)

    def _check_controller(self, board: GCodeFile) -> None:
        """Refuse what no controller that speaks G-code does for us."""
        for name, variable in self.variables.items():
            key, wanted = f"variables.{name}", "left out with a [board] that speaks G-code"
            require(variable.output is None, f"{key}.output", variable.output, wanted)
            require(variable.home is None, f"{key}.home", variable.home, wanted)
            channel = -1 if variable.motor is None else variable.motor.channel
            wanted = f"below {len(board.axes)}, the axes of [board]"
            require(channel < len(board.axes), f"{key}.motor.channel", channel, wanted)
            servo = -1 if variable.servo is None else variable.servo
            wanted = f"below {board.servos}, the servos of [board]"
            require(servo < board.servos, f"{key}.servo", servo, wanted)

    def _check_rule(self, key: str, rule: ActionRule) -> None:
        for name, change in rule.change.items():
            variable = self._variable(f"{key}.change", name)
            if isinstance(change, tuple):
                self._check_places(f"{key}.change", {name: change})
                require(change[0] != change[1], f"{key}.change.{name}", list(change), "two places")
            else:
                most = (variable.count if variable.places else 4) - 1
                wanted = f"at most {most} times, the number of steps that {name} can go"
                require(len(rule.time_ms) <= most, f"{key}.time_ms", list(rule.time_ms), wanted)
            if self.variables[name].servo is not None:
                wanted = f"at most {LONGEST_DWELL_MS} if a servo moves"
                longest = max(rule.time_ms)
                require(longest <= LONGEST_DWELL_MS, f"{key}.time_ms", longest, wanted)
        self._check_places(f"{key}.needs", rule.needs)
        for name in rule.needs:
            clash = name in rule.change
            require(not clash, f"{key}.needs", name, "variables that the action does not change")

    def _check_told_apart(self, key: str, rule: ActionRule, other: ActionRule) -> None:
        """Refuse two actions that move the same parts alike but have different effects."""
        same = rule.change == other.change and (rule.cube, rule.layer) != (other.cube, other.layer)
        meets = all(
            set(places) & set(other.needs.get(name, places)) for name, places in rule.needs.items()
        )
        wanted = (
            f"something that distinguishes it from {other.name!r}, which moves the same parts "
            "in the same way"
        )
        require(
            not (same and meets), f"{key}.change", f"different from that of {rule.name!r}", wanted
        )

    def _check_places(self, key: str, places: dict[str, Places]) -> None:
        for name, wanted in places.items():
            known = self._variable(key, name).places
            for place in wanted:
                require(place in known, f"{key}.{name}", repr(place), f"one of {', '.join(known)}")

    def _variable(self, key: str, name: str) -> Variable:
        require(name in self.variables, key, name, f"one of {', '.join(self.variables)}")
        return self.variables[name]
