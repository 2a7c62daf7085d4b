"""`calibrate motors` on a machine of variables and actions: a person looks, and answers."""

from collections.abc import Sequence
from pathlib import Path

import typer

from calibration.action_times import TimeCalibration, TimeResult
from calibration.actuators import ActuatorCalibration, Person
from calibration.rig_file import with_machine
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.action_machine.rig_file import Variable
from robot.running.program_run import RunProgress
from thistlebot.errors import UsageError
from thistlebot.measuring.virtual_person import VirtualPerson
from thistlebot.records import to_line
from thistlebot.session.machine import Machine
from thistlebot.session.measured_file import write_measured
from thistlebot.terminal.screen import Screen


def calibrate_actuators(
    machine: Machine,
    source: Path,
    target: Path | None,
    parts: Sequence[str],
    screen: Screen,
    *,
    times: bool,
    as_json: bool,
) -> None:
    """Calibrate places and times, and write them.

    Args:
        machine: The machine; its rig is one of variables and actions.
        source: Its rig file.
        target: The file to write; None for none.
        parts: Only these parts, and actions that move one of them; all of them if there is none.
        screen: Where it is told.
        times: Find how short actions may be, too.
        as_json: Print records.

    Raises:
        UsageError: There is no such part.
        CalibrationError: A part does not do what it should.
        RigError: The board refuses.
        LinkError: The board is lost.
    """
    rig = machine.rig
    assert isinstance(rig, ActionMachine)
    for name in parts:
        if name not in rig.variables:
            raise UsageError(f"--part {name!r}: the rig has {', '.join(rig.variables)}")
    wanted = tuple(parts) or tuple(rig.variables)
    virtual = machine.choices.virtual
    person: Person = VirtualPerson(machine, screen.line) if virtual else _Person(screen)
    driver = machine.connected_driver()
    places = ActuatorCalibration(driver, rig, person)
    places.begin()
    found = {name: places.find(name) for name in wanted}
    made, timed = places.rig, list[TimeResult]()
    if times:
        person.do("Put a solved cube in.")
        action_times = TimeCalibration(driver, made, person)
        for number, rule in enumerate(made.actions):
            if action_times.timed(rule) and set(rule.change) & set(wanted):
                result = action_times.find(number)
                timed += [] if result is None else [result]
        made = action_times.rig
    text = with_machine(source.read_text(encoding="utf-8-sig"), made, str(source))
    written = write_measured(target, text)
    if as_json:
        for name, variable in found.items():
            typer.echo(to_line(_record(name, variable) | written.record()))
        for each in timed:
            record = {"action": each.action, "time_ms": each.time_ms, "enough_ms": each.enough_ms}
            typer.echo(to_line(record | {"before_ms": each.before_ms} | written.record()))
    screen.line(written.text())


def _record(name: str, variable: Variable) -> dict[str, object]:
    record: dict[str, object] = {"part": name, "places": variable.places}
    if variable.motor is not None:
        record["direction"] = variable.motor.direction
        record["microsteps"] = variable.motor.microsteps
    if variable.pulse_us:
        record["pulse_us"] = variable.pulse_us
    if variable.steps:
        record["steps"] = variable.steps
    return record


class _Person:
    """Sits before the terminal."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    def do(self, text: str) -> None:
        self._ask(f"{text} Then press Enter")

    def answer(self, question: str) -> str:
        return self._ask(question)

    def note(self, text: str) -> None:
        self._screen.line(text)

    def follow(self, progress: RunProgress) -> None:
        pass

    def arrived(self, question: str, steps: int, pulses_us: dict[int, int]) -> bool:  # noqa: ARG002
        while (said := self._ask(f"{question} Enter for yes, n for no")) not in ("", "y", "n"):
            self.note(f"{said!r}: only Enter or n")
        return said != "n"

    def _ask(self, text: str) -> str:
        said = typer.prompt(text, default="", show_default=False, prompt_suffix=" ", err=True)
        return str(said).strip()
