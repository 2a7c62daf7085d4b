"""Finds the actuators' positions at the places of a machine, with a person who looks.

A servo's end stops are unknown at first. So each one begins at one pulse and continues by small
steps; it stays within the range that the person has seen to be free.
"""

from dataclasses import dataclass
from typing import Protocol

import msgspec

from calibration.errors import CalibrationError
from calibration.motors import SLOW, Operator, slowed
from cube.moves import MoveSequence
from robot.protocol.messages import LONGEST_PULSE_US, SHORTEST_PULSE_US, OutputMode
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.action_machine.rig_file import Variable
from robot.rigs.action_machine.transitions import StateGraph
from robot.rigs.actions import Act
from robot.rigs.motor import Motor
from robot.rigs.program import Pose, ProgramStep, RigProgram
from robot.running.driver import RigDriver
from robot.running.program_run import RunProgress

COARSE_US, FINE_US = 50, 10
"""Step sizes in pulses: about 4.5 degrees, and about 1 degree."""
COARSE_FULL_STEPS, FINE_FULL_STEPS = 10, 2
SPEED_US_S = 1_000
_SETTLE_S = 0.2
_HERE = "here"


ANSWERS = {
    "do": ("",),
    "place": ("", _HERE, "-", "+", "---", "+++"),
    "turn": ("", "way", "2", "1/2", "0"),
    "switch": ("", "way", "0"),
    "arrived": ("", "n"),
}
"""Possible answers to each kind of question; empty for yes, continue."""


class Person(Operator, Protocol):
    """The person beside the machine, who does and sees what the program cannot."""

    def do(self, text: str) -> None:
        """Ask for an action, and wait until it is done."""

    def answer(self, question: str, kind: str) -> str:
        """Return the answer to a question of a kind, one of `ANSWERS`."""

    def follow(self, progress: RunProgress) -> None:
        """Watch while something moves."""

    def arrived(self, question: str, steps: int, pulses_us: dict[int, int]) -> bool:
        """Return whether servos had arrived after some steps of the last program.

        Args:
            question: What to look at.
            steps: The steps.
            pulses_us: The expected pulse of each servo at that time.
        """


class UnreadyMachine(ActionMachine, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The same machine, but at rest until it gets a command, because its pulses are unknown."""

    def ready(
        self,
        pose: Pose | None = None,  # noqa: ARG002 - nothing moves
        *,
        counted: bool = False,  # noqa: ARG002 - likewise
    ) -> RigProgram:
        """Return an empty program."""
        return RigProgram(())


def unready(rig: ActionMachine) -> UnreadyMachine:
    """Return a machine that does not go to its start automatically."""
    fields = {name: getattr(rig, name) for name in rig.__struct_fields__}
    return UnreadyMachine(**fields)


@dataclass(slots=True)
class _Scale:
    """The position of an actuator, and its known free range."""

    unit: str
    fine: int
    coarse: int
    least: int
    most: int
    at: int
    free_from: int
    free_to: int

    def within(self, wanted: int) -> int:
        """Return the value nearest to `wanted`, at most a small step beyond the free range."""
        low, high = self.free_from - self.coarse, self.free_to + self.coarse
        return min(max(wanted, low, self.least), high, self.most)

    def outwards(self, to: int) -> bool:
        """Return whether a step leads out of the free range."""
        return abs(to - self._middle) > abs(self.at - self._middle)

    def free(self) -> None:
        """Note that nothing is in the way at this position."""
        self.free_from, self.free_to = min(self.free_from, self.at), max(self.free_to, self.at)

    @property
    def _middle(self) -> float:
        return (self.free_from + self.free_to) / 2


class MachineCalibration:
    """A calibration of a machine of variables and actions.

    Args:
        driver: The board, connected.
        rig: The known values of the machine.
        person: The person who looks and answers.

    Attributes:
        rig: The machine with the results so far.
    """

    def __init__(self, driver: RigDriver, rig: ActionMachine, person: Person) -> None:
        self.rig = rig
        self._driver = driver
        self._person = person


class ActuatorCalibration(MachineCalibration):
    """Calibrates the places of one machine without a cube."""

    def begin(self) -> None:
        """Bring servos and outputs to their start, one after the other.

        Raises:
            RigError: The board refuses.
            LinkError: The board is lost.
        """
        self._driver.use(unready(self.rig))
        self._driver.prepare()
        self._person.do("Take the cube out, and keep your hands away from moving parts.")
        needed = {name for rule in self.rig.actions for name in rule.needs}
        for name in sorted(self.rig.variables, key=lambda name: name not in needed):
            variable = self.rig.variables[name]
            if variable.servo is not None:
                pulse_us = variable.pulse_us[variable.start_place]
                self._person.do(
                    f"The {name} will jump to {pulse_us} µs at full speed: if it is somewhere "
                    "else now, take its arm off the servo's shaft."
                )
                self._move(Act.position(variable.servo, pulse_us, f"the {name}", 0, 1.0), 1.0)
            if variable.output is not None:
                self._person.do(f"The {name}'s output {variable.output} is switched off.")
                self._switch(name, variable, OutputMode(variable.start_place))

    def find(self, name: str) -> Variable:
        """Find the position of a part at each of its places, or the direction of its motor.

        Raises:
            CalibrationError: It does not move, or its places cannot be distinguished.
            RigError: The board refuses.
            LinkError: The board is lost.
        """
        variable = self.rig.variables[name]
        if variable.output is not None:
            made = self._find_way_of_output(name, variable)
        elif variable.servo is not None or variable.steps:
            made = self._find_places(name, variable)
        else:
            assert variable.motor is not None
            motor = self._find_way_of_motor(name, variable, variable.motor)
            made = msgspec.structs.replace(variable, motor=motor)
        variables = self.rig.variables | {name: made}
        self.rig = msgspec.structs.replace(self.rig, variables=variables)
        return made

    # Places along a range.

    def _find_places(self, name: str, variable: Variable) -> Variable:
        known = list(variable.pulse_us or variable.steps)
        start = variable.start_place
        scale = self._scale(variable, known[start])
        upwards = [place for place in range(len(known)) if known[place] > known[start]]
        downwards = [place for place in range(len(known)) if known[place] < known[start]]
        ordered = sorted(upwards, key=lambda place: known[place])
        ordered += sorted(downwards, key=lambda place: -known[place])
        if variable.servo is not None:
            ordered = [start, *ordered]
        for place in ordered:
            if self._allows(name, place):
                known[place] = self._find_place(name, variable, place, known[place], scale)
        self._go(name, variable, scale, known[start])
        rising = known == sorted(set(known))
        if not rising and known != sorted(set(known), reverse=True):
            raise CalibrationError(
                f"the places of the {name} are not in order: {', '.join(variable.places)} at "
                f"{', '.join(map(str, known))} {scale.unit}; put them in order in the rig file"
            )
        key = "pulse_us" if variable.servo is not None else "steps"
        return msgspec.structs.replace(variable, **{key: tuple(known)})

    def _scale(self, variable: Variable, at: int) -> _Scale:
        if variable.motor is None:
            limits = SHORTEST_PULSE_US, LONGEST_PULSE_US
            return _Scale("µs", FINE_US, COARSE_US, *limits, at, at, at)
        full = variable.motor.microsteps
        reach = max(variable.steps) - min(variable.steps)
        limits = min(variable.steps) - reach, max(variable.steps) + reach
        fine, coarse = FINE_FULL_STEPS * full, COARSE_FULL_STEPS * full
        return _Scale("steps", fine, coarse, *limits, at, at, at)

    def _allows(self, name: str, place: int) -> bool:
        """Return whether a part may go to a place while all others are at their start."""
        machine = StateGraph(self.rig)
        state = list(machine.start)
        state[machine.names.index(name)] = place
        if allowed := machine.allowed(tuple(state)):
            return allowed
        self._person.note(
            f"{machine.text(tuple(state))}: forbidden by the rig file, so not measured"
        )
        return False

    def _find_place(
        self, name: str, variable: Variable, place: int, target: int, scale: _Scale
    ) -> int:
        called = variable.places[place]
        while True:
            near = scale.within(target)
            self._go(name, variable, scale, near)
            there = scale.at == target
            question = (
                f"The {name} is at {scale.at} {scale.unit}: is this {called!r}? Press Enter for yes"
                if there
                else f"The {name} is at {scale.at} {scale.unit}, on its way to {called!r} at "
                f"{target}: press Enter to continue, {_HERE!r} if it is there"
            )
            said = self._person.answer(f"{question}, + or - to move it", "place").strip()
            if said in ("", _HERE):
                scale.free()
                if there or said == _HERE:
                    return scale.at
            elif set(said) in ({"+"}, {"-"}):
                way = scale.fine * len(said) * (1 if said[0] == "+" else -1)
                if scale.outwards(scale.at + way):
                    scale.free()
                target = scale.within(scale.at + max(-scale.coarse, min(way, scale.coarse)))
            else:
                self._person.note(
                    f"{said!r}: answer with Enter, {_HERE}, or signs such as + or ---"
                )

    def _go(self, name: str, variable: Variable, scale: _Scale, to: int) -> None:
        if to == scale.at:
            return
        if variable.servo is not None:
            time_s = abs(to - scale.at) / SPEED_US_S + _SETTLE_S
            act = Act.position(variable.servo, to, f"the {name}", SPEED_US_S, _SETTLE_S)
            self._move(act, time_s)
        else:
            assert variable.motor is not None
            motor = slowed(variable.motor, SLOW)
            way = to - scale.at
            self._move(Act.move_by(motor.channel, way, f"the {name}"), 5.0, name, motor)
        scale.at = to

    # Motors that turn by quarters, and outputs.

    def _find_way_of_motor(self, name: str, variable: Variable, motor: Motor) -> Motor:
        bound = bool(variable.places) and not variable.cyclic
        forward = not bound or variable.start_place + 1 < variable.count
        quarters = 1 if forward else -1
        for _ in range(_MOST_TRIES):
            slow = slowed(motor, SLOW)
            self._move(Act.turn(motor.channel, quarters, f"the {name}"), 5.0, name, slow)
            said = self._person.answer(
                f"Did the {name} make a quarter turn "
                f"{'forward' if forward else 'back'}{self._meaning(name, forward=forward)}? "
                "Press Enter for yes, 'way' if it went in the other direction, 2 if twice as "
                "far, 1/2 if half as far, 0 if it did not move",
                "turn",
            ).strip()
            self._move(Act.turn(motor.channel, -quarters, f"the {name}"), 5.0, name, slow)
            match said:
                case "":
                    return motor
                case "way":
                    motor = msgspec.structs.replace(motor, direction=-motor.direction)
                case "2" if motor.microsteps > 1:
                    motor = msgspec.structs.replace(motor, microsteps=motor.microsteps // 2)
                case "1/2":
                    motor = msgspec.structs.replace(motor, microsteps=motor.microsteps * 2)
                case "0":
                    break
                case _:
                    self._person.note(f"{said!r}: answer with Enter, way, 2, 1/2 or 0")
        raise CalibrationError(
            f"the {name} does not turn correctly: check the motor's supply and cable, and its "
            "channel, `microsteps` and `gear` in the rig file"
        )

    def _meaning(self, name: str, *, forward: bool) -> str:
        """Return the meaning of a direction, if an action tells it."""
        signs = {"+": forward, "-": not forward}
        for rule in self.rig.actions:
            way = rule.change.get(name)
            told = rule.layer[0] if rule.layer else _SEEN_FROM.get(rule.cube[:1], "")
            if isinstance(way, str) and told:
                back = (rule.cube or told).endswith("'") == signs[way]
                return f", {'counter' if back else ''}clockwise seen from {told[0]}"
        return ""

    def _find_way_of_output(self, name: str, variable: Variable) -> Variable:
        other = 1 - variable.start_place
        self._switch(name, variable, OutputMode(other))
        said = self._person.answer(
            f"The {name} is switched {'on' if other else 'off'}: is it "
            f"{variable.places[other]!r}? Press Enter for yes, 'way' if it is "
            f"{variable.places[1 - other]!r}, 0 if nothing moved",
            "switch",
        ).strip()
        self._switch(name, variable, OutputMode(variable.start_place))
        if said == "way":
            return msgspec.structs.replace(variable, places=variable.places[::-1])
        if said:
            raise CalibrationError(
                f"the {name} does not move: check its supply and cable, and `output` in the rig "
                "file"
            )
        return variable

    # The board.

    def _switch(self, name: str, variable: Variable, mode: OutputMode) -> None:
        assert variable.output is not None
        self._move(Act.switch(variable.output, mode, f"the {name}"), 0.1)

    def _move(self, part: Act, time_s: float, name: str = "", motor: Motor | None = None) -> None:
        """Move one part, optionally with other values of its motor."""
        rig = self.rig
        if motor is not None:
            variable = msgspec.structs.replace(rig.variables[name], motor=motor)
            rig = msgspec.structs.replace(rig, variables=rig.variables | {name: variable})
        self._driver.use(unready(rig))
        self._driver.prepare()
        self._driver.run(RigProgram((ProgramStep((part,), MoveSequence(), 0.0, time_s),)))


_MOST_TRIES = 6
_SEEN_FROM = {"x": "R", "y": "U", "z": "F"}
