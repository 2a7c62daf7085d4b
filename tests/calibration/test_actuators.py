"""Places of a machine's actuators, found on the virtual machine by a person who sees its arms."""

import re

import msgspec
import pytest
from benches import Notes, machine
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.actuators import ANSWERS, COARSE_US, ActuatorCalibration
from calibration.errors import CalibrationError
from documents.typed_toml import parse_document
from robot.ports.port import SimulatedClock
from robot.protocol.messages import ActionKind, OutputMode
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.action_machine.rig_file import Variable
from robot.rigs.actions import Act
from robot.rigs.catalogue import rig_text
from robot.rigs.program import RigProgram
from robot.running.driver import RigDriver
from robot.running.program_run import RunResult
from robot.virtual.virtual_rig import VirtualRig

CUBOTINO = machine("cubotino")


class WatchedDriver(RigDriver):
    """Takes note of what it has the parts do."""

    def __init__(self, virtual: VirtualRig, rig: ActionMachine, clock: SimulatedClock) -> None:
        super().__init__(virtual, rig, clock, seed=1)
        self._made: list[Act] = []

    def made(self, kind: ActionKind, channel: int | None = None) -> list[int]:
        """Return the values of the actions of a kind, of one channel or of all."""
        return [
            act.value for act in self._made if act.kind is kind and channel in (None, act.channel)
        ]

    def run(self, program: RigProgram, *arguments: object, **named: object) -> RunResult:
        self._made += [act for step in program.steps for act in step.actions]
        return super().run(program, *arguments, **named)  # type: ignore[arg-type]


class Typist(Notes):
    def __init__(self, *answers: str) -> None:
        super().__init__()
        self.answers = list(answers)

    def answer(self, question: str, kind: str) -> str:
        assert kind in ANSWERS
        self.asked.append(question)
        return self.answers.pop(0)

    def follow(self, *_: object) -> bool:
        raise AssertionError("places are not timed")

    arrived = follow


class Beside(Typist):
    """A person who knows where the holder of the real machine has to be, and looks at its arm."""

    def __init__(self, real: ActionMachine, virtual: VirtualRig) -> None:
        super().__init__()
        self._holder = real.variables["holder"]
        self._virtual = virtual

    def answer(self, question: str, kind: str) -> str:
        assert kind == "place"
        self.asked.append(question)
        told_us = re.search(r"(\d+) µs", question)
        place, *others = re.findall(r"'(.+?)'", question)
        assert self._holder.servo is not None
        at_us = self._virtual.parts.servos[self._holder.servo].at_us
        assert told_us is not None
        assert at_us == int(told_us[1])
        left_us = self._holder.pulse_us[self._holder.places.index(place)] - at_us
        if abs(left_us) < 5:
            return "here"
        if "here" in others and abs(left_us) > COARSE_US:  # on its way
            return ""
        return ("+" if left_us > 0 else "-") * round(min(abs(left_us), 50) / 10)


class Blocked(Typist):
    """The real end stop comes before the place of the file; the person turns back."""

    def answer(self, question: str, kind: str) -> str:
        assert kind == "place"
        if "'right'" in question and "2200" in question:
            return "---"
        return "here" if "'right'" in question and "2170" in question else ""


def with_holder(rig: ActionMachine, *pulses_us: int) -> ActionMachine:
    holder = msgspec.structs.replace(rig.variables["holder"], pulse_us=pulses_us)
    return msgspec.structs.replace(rig, variables=rig.variables | {"holder": holder})


def bench(
    real: ActionMachine, believed: ActionMachine, person: Typist | None = None
) -> tuple[ActuatorCalibration, WatchedDriver, Typist]:
    clock = SimulatedClock()
    virtual = VirtualRig(real, clock)
    driver = WatchedDriver(virtual, believed, clock)
    driver.connect()
    person = person or Beside(real, virtual)
    calibration = ActuatorCalibration(driver, believed, person)
    calibration.begin()
    return calibration, driver, person


def typed(rig: ActionMachine, part: str, *answers: str) -> tuple[Variable, Typist, WatchedDriver]:
    calibration, driver, person = bench(rig, rig, Typist(*answers))
    found = calibration.find(part)
    assert person.answers == []
    return found, person, driver


@settings(max_examples=4)
@given(st.integers(52, 78), st.integers(138, 162), st.integers(225, 250))
def test_the_places_that_the_person_sees_are_found(left: int, middle: int, right: int) -> None:
    real = with_holder(CUBOTINO, 10 * left, 10 * middle, 10 * right)
    calibration, driver, _ = bench(real, CUBOTINO)
    found = calibration.find("holder")
    assert found == real.variables["holder"] == calibration.rig.variables["holder"]
    assert calibration.rig.variables["cover"] == CUBOTINO.variables["cover"]
    sent_us = driver.made(ActionKind.POSITION, found.servo)
    assert (sent_us[0], sent_us[-1]) == (1500, found.pulse_us[1])
    assert min(sent_us) >= found.pulse_us[0] - COARSE_US
    assert max(sent_us) <= found.pulse_us[2] + COARSE_US


def test_a_step_back_does_not_free_the_way_and_pulses_end_where_servos_do() -> None:
    calibration, driver, _ = bench(CUBOTINO, CUBOTINO, Blocked())
    assert calibration.find("holder").pulse_us == (600, 1500, 2170)
    assert max(driver.made(ActionKind.POSITION)) == 2200
    wide = with_holder(CUBOTINO, 600, 1500, 2490)
    found, _, driver = typed(wide, "holder", *[""] * 20, "+++++", "+++++", *[""] * 19)
    assert found.pulse_us == (600, 1500, 2500)
    assert max(driver.made(ActionKind.POSITION)) == 2500


def test_a_motor_that_turns_the_other_way_or_too_far_is_put_right() -> None:
    found, person, driver = typed(machine("mindcub3r"), "table", "way", "2", "what", "")
    assert found.motor is not None
    assert (found.motor.direction, found.motor.microsteps) == (-1, 4)
    assert driver.made(ActionKind.TURN) == [1, -1] * 4
    assert [note[:6] for note in person.notes] == ["'what'"]
    for name, part, face, counter in (
        ("mindcub3r", "table", "U", False),
        ("claws", "R-angle", "R", False),
        ("three", "upper", "U", True),
    ):
        (question,) = typed(machine(name), part, "")[1].asked
        assert f" {part} " in question
        assert f" {face}?" in question
        assert ("counter" in question) == counter, question


def test_fingers_on_a_stepper_are_counted_in_steps() -> None:
    found, person, _ = typed(machine("claws"), "R-fingers", *[""] * 7, "+", "", "")
    assert found.steps == (0, 626, 690)
    assert re.search(r"R-fingers .* 80 .*'flip' .*610", person.asked[0])


LATCH = parse_document(
    rig_text("cubotino")
    .replace(
        'places = ["closed", "open", "flipped"]\nstart = "open"\nservo = 1\n'
        "pulse_us = [1000, 1300, 2000]",
        'places = ["open", "closed"]\noutput = 2',
    )
    .partition('[[actions]]\nname = "flip')[0]
    + "".join(
        f'\n[[actions]]\nname = "{name}"\nchange = {{ cover = {way} }}\ntime_ms = [100]\n'
        for name, way in (("latch", ["open", "closed"]), ("unlatch", ["closed", "open"]))
    ),
    ActionMachine,
    "latch.toml",
)


def test_an_output_is_switched_and_taken_back_and_what_does_not_move_is_told() -> None:
    for said, places in (("", ("open", "closed")), ("way", ("closed", "open"))):
        found, person, driver = typed(LATCH, "cover", said)
        assert found.places == places
        assert re.findall(r"'(\w+)'", person.asked[0]) == ["closed", "way", "open"]
        switched = driver.made(ActionKind.OUTPUT, 2)
        assert switched == [OutputMode.OFF, OutputMode.ON, OutputMode.OFF]
    for rig, part in ((machine("mindcub3r"), "table"), (LATCH, "cover")):
        with pytest.raises(CalibrationError, match=rf"\b{part}\b"):
            typed(rig, part, "0")
