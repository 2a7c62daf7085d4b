"""Places of a machine's actuators, found on the virtual machine by a person who sees its arms."""

import re

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.actuators import COARSE_US, ActuatorCalibration
from calibration.errors import CalibrationError
from documents.typed_toml import parse_document
from robot.ports.clock import SimulatedClock
from robot.protocol.messages import OutputMode
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.action_machine.rig_file import Variable
from robot.rigs.actions import ServoMove, Switching
from robot.rigs.catalogue import named_rig, rig_text
from robot.rigs.program import RigProgram
from robot.running.driver import RigDriver
from robot.running.program_run import RunProgress, RunResult
from robot.virtual.virtual_rig import VirtualRig


def machine(name: str) -> ActionMachine:
    rig = named_rig(name)
    assert isinstance(rig, ActionMachine)
    return rig


CUBOTINO = machine("cubotino")


class WatchedDriver(RigDriver):
    """Takes note of where each servo is sent."""

    def __init__(self, virtual: VirtualRig, rig: ActionMachine, clock: SimulatedClock) -> None:
        super().__init__(virtual, rig, clock, seed=1)
        self.sent_us: list[tuple[int, int]] = []
        self.switched: list[tuple[int, OutputMode]] = []

    def run(self, program: RigProgram, *arguments: object, **named: object) -> RunResult:
        for step in program.steps:
            parts = [part for part in step.actions if isinstance(part, ServoMove)]
            self.sent_us += [(part.channel, part.pulse_us) for part in parts]
            outputs = [part for part in step.actions if isinstance(part, Switching)]
            self.switched += [(part.channel, part.mode) for part in outputs]
        return super().run(program, *arguments, **named)  # type: ignore[arg-type]


class Beside:
    """A person who knows where the places of the real machine are, and looks at its arms."""

    def __init__(self, real: ActionMachine, virtual: VirtualRig) -> None:
        self._real = real
        self._virtual = virtual
        self.asked: list[str] = []
        self.told: list[str] = []
        self.notes: list[str] = []

    def do(self, text: str) -> None:
        self.told.append(text)

    def answer(self, question: str) -> str:
        self.asked.append(question)
        found = re.match(r"The (.+?) is at (\d+) µs(: is this|, on its way to) '(.+?)'", question)
        assert found is not None
        variable = self._real.variables[found[1]]
        assert variable.servo is not None
        at_us = self._virtual.parts.servos[variable.servo].at_us
        assert at_us == int(found[2])
        left_us = variable.pulse_us[variable.places.index(found[4])] - at_us
        if abs(left_us) < 5:
            return "here"
        if "on its way" in found[3] and abs(left_us) > COARSE_US:
            return ""
        return ("+" if left_us > 0 else "-") * round(min(abs(left_us), 50) / 10)

    def note(self, text: str) -> None:
        self.notes.append(text)

    def follow(self, _: RunProgress) -> None:
        raise AssertionError("places are not timed")

    def arrived(self, *_: object) -> bool:
        raise AssertionError("places are not timed")


def with_pulses(rig: ActionMachine, **pulses_us: tuple[int, ...]) -> ActionMachine:
    changed = {
        name: msgspec.structs.replace(rig.variables[name], pulse_us=pulses)
        for name, pulses in pulses_us.items()
    }
    return msgspec.structs.replace(rig, variables=rig.variables | changed)


def bench(
    real: ActionMachine, believed: ActionMachine
) -> tuple[ActuatorCalibration, WatchedDriver, Beside]:
    clock = SimulatedClock()
    virtual = VirtualRig(real, clock)
    driver = WatchedDriver(virtual, believed, clock)
    driver.connect()
    person = Beside(real, virtual)
    return ActuatorCalibration(driver, believed, person), driver, person


@settings(max_examples=12)
@given(st.integers(52, 78), st.integers(138, 162), st.integers(225, 250))
def test_the_places_that_the_person_sees_are_found(left: int, middle: int, right: int) -> None:
    real = with_pulses(CUBOTINO, holder=(10 * left, 10 * middle, 10 * right))
    calibration, driver, _ = bench(real, CUBOTINO)
    calibration.begin()
    found = calibration.find("holder")
    assert found == real.variables["holder"]
    assert calibration.rig.variables["holder"] == found
    assert calibration.rig.variables["cover"] == CUBOTINO.variables["cover"]
    sent_us = [pulse_us for servo, pulse_us in driver.sent_us if servo == found.servo]
    assert sent_us[0] == 1500
    assert sent_us[-1] == found.pulse_us[1]
    assert min(sent_us) >= found.pulse_us[0] - COARSE_US
    assert max(sent_us) <= found.pulse_us[2] + COARSE_US


def test_nothing_goes_further_than_a_small_step_beyond_what_was_seen() -> None:
    calibration, driver, person = bench(CUBOTINO, CUBOTINO)
    calibration.begin()
    calibration.find("holder")
    free = {0: [1500, 1500], 1: [1300, 1300]}
    for servo, pulse_us in driver.sent_us:
        low, high = free[servo]
        assert low - COARSE_US <= pulse_us <= high + COARSE_US
        free[servo] = [min(low, pulse_us), max(high, pulse_us)]
    assert free[0] == [600, 2400]
    assert len([text for text in person.told if "at once, as fast as it can" in text]) == 2
    assert person.told[0].startswith("Take the cube out")


class Blocked(Beside):
    """The real end stop comes before the place of the file; the person turns back."""

    def answer(self, question: str) -> str:
        self.asked.append(question)
        if "'right'" in question and "2200" in question:
            return "---"
        if "'right'" in question and "2170" in question:
            return "here"
        return "here" if "is this" in question else ""


def test_a_step_back_does_not_free_the_way() -> None:
    calibration, driver, _ = bench(CUBOTINO, CUBOTINO)
    calibration._person = Blocked(CUBOTINO, VirtualRig(CUBOTINO))
    calibration.begin()
    assert calibration.find("holder").pulse_us == (600, 1500, 2170)
    assert max(pulse_us for _, pulse_us in driver.sent_us) == 2200


class Typist(Beside):
    """Answers from a list."""

    def __init__(self, answers: list[str]) -> None:
        self.answers = answers
        self.asked, self.told, self.notes = [], [], []

    def answer(self, question: str) -> str:
        self.asked.append(question)
        return self.answers.pop(0)


def typed(name: str, part: str, *answers: str) -> tuple[Variable, Typist]:
    rig = machine(name)
    calibration, _, _ = bench(rig, rig)
    person = Typist(list(answers))
    calibration._person = person
    calibration.begin()
    found = calibration.find(part)
    assert person.answers == []
    return found, person


def test_a_motor_that_turns_the_other_way_or_too_far_is_put_right() -> None:
    found, person = typed("mindcub3r", "table", "way", "2", "what", "")
    assert found.motor is not None
    assert (found.motor.direction, found.motor.microsteps) == (-1, 4)
    assert "quarter turn forward, clockwise seen from U?" in person.asked[0]
    assert person.notes == ["'what': only Enter, way, 2, 1/2 or 0"]
    _, person = typed("claws", "R-angle", "")
    assert "forward, clockwise seen from R?" in person.asked[0]
    _, person = typed("three", "upper", "")
    assert "forward, counterclockwise seen from U?" in person.asked[0]


def test_a_motor_that_does_not_turn_is_told() -> None:
    with pytest.raises(CalibrationError, match="the table does not turn as it should"):
        typed("mindcub3r", "table", "0")


def test_fingers_on_a_stepper_are_counted_in_steps() -> None:
    found, person = typed("claws", "R-fingers", *[""] * 7, "+", "", "")
    assert found.steps == (0, 626, 690)
    assert "at 80 steps, on its way to 'flip' at 610" in person.asked[0]


def test_pulses_end_where_servos_do() -> None:
    believed = with_pulses(CUBOTINO, holder=(600, 1500, 2490))
    calibration, driver, _ = bench(believed, believed)
    calibration._person = Typist(["", *[""] * 19, "+++++", "+++++", "", *[""] * 18])
    calibration.begin()
    assert calibration.find("holder").pulse_us == (600, 1500, 2500)
    assert max(pulse_us for _, pulse_us in driver.sent_us) == 2500


LATCH = parse_document(
    rig_text("cubotino").replace(
        'places = ["closed", "open", "flipped"]\nstart = "open"\nservo = 1\n'
        "pulse_us = [1000, 1300, 2000]",
        'places = ["open", "closed"]\noutput = 2',
    )[: rig_text("cubotino").index("# A way there")]
    + """
[[actions]]
name = "latch"
change = { cover = ["open", "closed"] }
time_ms = [100]

[[actions]]
name = "unlatch"
change = { cover = ["closed", "open"] }
time_ms = [100]
""",
    ActionMachine,
    "latch.toml",
)


@pytest.mark.parametrize(
    ("said", "places"), [("", ("open", "closed")), ("way", ("closed", "open"))]
)
def test_an_output_is_switched_and_taken_back(said: str, places: tuple[str, ...]) -> None:
    calibration, driver, _ = bench(LATCH, LATCH)
    person = Typist([said])
    calibration._person = person
    calibration.begin()
    assert calibration.find("cover").places == places
    assert person.asked == [
        "The cover is switched on: is it 'closed'? Enter for yes, 'way' if it is 'open', 0 if "
        "nothing moved"
    ]
    switched = [each for each in driver.switched if each[0] == 2]
    assert switched == [(2, OutputMode.OFF), (2, OutputMode.ON), (2, OutputMode.OFF)]


def test_an_output_that_moves_nothing_is_told() -> None:
    calibration, _, _ = bench(LATCH, LATCH)
    calibration._person = Typist(["0"])
    calibration.begin()
    with pytest.raises(CalibrationError, match="the cover does not move"):
        calibration.find("cover")
