"""Motors and servos: which one is it, which way does it turn, how fast may it?

Places, directions and times of a machine of variables and actions, with a person who looks.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from calibration.action_times import TimeCalibration, TimeTrial
from calibration.actuators import ActuatorCalibration, Person
from calibration.motors import MotorCalibration, MotorResult, SpeedTrial
from cube.state import SOLVED
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.action_machine.rig_file import Variable
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.running.driver import BUZZ_DEG
from robot.running.driver import buzz as buzz_motor
from robot.running.program_run import RunProgress
from thistlebot.control.commands import (
    Aligned,
    Answer,
    Buzz,
    FlipDirection,
    MeasureMotors,
    MeasureParts,
    SaveMotors,
)
from thistlebot.control.job_context import JobContext
from thistlebot.control.jobs.calibrate.telling import (
    doing_motors,
    pane_now,
    show_motors,
    written_text,
)
from thistlebot.control.view_model.calibrate import Asking, MotorFound, ShownTrial
from thistlebot.errors import UsageError
from thistlebot.measuring.colours import ReaderObserver
from thistlebot.measuring.rig_files import VirtualPerson, save_flipped, save_parts
from thistlebot.measuring.rig_files import save_motors as write_motors

_WAIT_S = 0.2
_ANSWERS = {
    "do": ("",),
    "place": ("", "here", "-", "+", "---", "+++"),
    "turn": ("", "way", "2", "1/2", "0"),
    "switch": ("", "way", "0"),
    "arrived": ("", "n"),
}
"""What may be said to each kind of question; nothing means yes, go on."""


def measure_parts(context: JobContext, command: MeasureParts) -> None:
    """Find where each part stands at its places, and how little time the actions need."""
    rig = context.machine.rig
    if not isinstance(rig, ActionMachine):
        raise UsageError(f"rig {rig.name!r} has motors on faces: search their speeds instead")
    wanted = (command.part,) if command.part else tuple(rig.variables)
    if command.part and command.part not in rig.variables:
        raise UsageError(f"{command.part!r} is no part of it: {', '.join(rig.variables)}")
    context.calibration.rig = None
    show_motors(context, trials=(), found=(), told=(), saved="", can_save=False)
    person = _person(context)
    driver = context.connect()
    try:
        places = ActuatorCalibration(driver, rig, person)
        with doing_motors(context, "places"):
            places.begin()
        for name in wanted:
            with doing_motors(context, "places", name), _asking_of(person, rig.variables[name]):
                places.find(name)
        made = places.rig
        if command.times:
            person.do("Put a solved cube in.")
            made = _timed(context, TimeCalibration(driver, made, person), wanted)
    finally:
        driver.use(rig)  # until what was found is saved
    context.calibration.rig = made
    show_motors(context, can_save=True)


def _timed(context: JobContext, times: TimeCalibration, wanted: tuple[str, ...]) -> ActionMachine:
    for number, rule in enumerate(times.rig.actions):
        if not (times.timed(rule) and set(rule.change) & set(wanted)):
            continue
        with doing_motors(context, "times", rule.name):
            search = times.search(number)
            result = None
            while True:
                context.require_going_on()  # between two trials nothing moves
                try:
                    trial = next(search)
                except StopIteration as end:
                    result = end.value
                    break
                trials = pane_now(context).motors.trials
                show_motors(context, trials=(*trials, _shown_actuator(trial, len(trials) + 1)))
        if result is not None:
            ms = float(result.time_ms[-1])
            found = MotorFound(result.action, ms, float(result.enough_ms[-1]), None)
            show_motors(context, found=(*pane_now(context).motors.found, found))
    return times.rig


def _shown_actuator(trial: TimeTrial, number: int) -> ShownTrial:
    return ShownTrial(trial.action, number, 0, 0, float(trial.time_ms), trial.enough)


def _person(context: JobContext) -> "Person | PagePerson":
    def note(text: str) -> None:
        show_motors(context, told=(*pane_now(context).motors.told, text))

    if context.machine.choices.virtual:
        return VirtualPerson(context.machine, note)
    return PagePerson(context)


@contextmanager
def _asking_of(person: "Person | PagePerson", variable: Variable) -> Iterator[None]:
    """Let the page offer the answers that fit a part."""
    if isinstance(person, PagePerson):
        by_steps = variable.servo is not None or bool(variable.steps)
        person.kind = "place" if by_steps else "switch" if variable.motor is None else "turn"
    yield


class PagePerson:
    """Whoever is before the page, beside the machine; see `calibration.actuators.Person`.

    Args:
        context: The machine.

    Attributes:
        kind: Of the questions about a part.
    """

    def __init__(self, context: JobContext) -> None:
        self._context = context
        self.kind = "place"

    def do(self, text: str) -> None:
        """Ask for something, and wait until it is done."""
        self._ask("do", text)

    def answer(self, question: str) -> str:
        """Ask what is to be seen."""
        return self._ask(self.kind, question)

    def note(self, text: str) -> None:
        """Tell what was found."""
        show_motors(self._context, told=(*pane_now(self._context).motors.told, text))

    def follow(self, progress: RunProgress) -> None:
        """A person sees for themselves."""

    def arrived(self, question: str, steps: int, pulses_us: dict[int, int]) -> bool:
        """Ask whether something had arrived."""
        del steps, pulses_us
        return self._ask("arrived", question) != "n"

    def _ask(self, kind: str, text: str) -> str:
        show_motors(self._context, asking=Asking(kind, text, _ANSWERS[kind]))
        try:
            while True:
                said = self._context.next_input(_WAIT_S)
                if isinstance(said, Answer) and said.said in _ANSWERS[kind]:
                    return said.said
        finally:
            show_motors(self._context, asking=None)


def buzz(context: JobContext, command: Buzz) -> None:
    """Turn one motor a little, or do one action, there and back."""
    rig, part = context.machine.rig, command.part
    with doing_motors(context, "buzz", part):
        driver = context.connect()
        if part in rig.motors:
            buzz_motor(driver, rig.buzz(part, BUZZ_DEG))
        elif part in rig.action_names:
            context.driver().run(rig.there_and_back(part))
        else:
            known = ", ".join((*rig.motors, *rig.action_names))
            raise UsageError(f"{part!r} is no part of rig {rig.name!r}: it has {known}")


def flip_direction(context: JobContext, command: FlipDirection) -> None:
    """Write that a motor turns the other way."""
    written = save_flipped(context.machine, command.part)
    show_motors(context, saved=written_text(written) or "-")
    if written.file is not None:
        context.reopen()


def measure_motors(context: JobContext, command: MeasureMotors) -> None:
    """Check the wiring with a solved cube, then search each motor's fastest reliable speed."""
    rig = context.machine.rig
    faces = command.faces.upper()
    if not isinstance(rig, FaceMotors) or not faces or not set(faces) <= set(rig.motors):
        known = "".join(rig.motors) if isinstance(rig, FaceMotors) else "none"
        raise UsageError(f"speeds can be searched of motors on faces; here: {known}")
    context.calibration.rig = None
    show_motors(context, trials=(), found=(), told=(), saved="", can_save=False)
    driver = context.driver()
    observer = ReaderObserver(context.machine.view_reader())
    calibration = MotorCalibration(driver, rig, observer, _Bystander(context))
    try:
        with doing_motors(context, "wiring"):
            calibration.check_wiring()
        for face in faces:
            with doing_motors(context, "speed", face):
                _search(context, calibration, face)
        with doing_motors(context, "verify"):
            context.calibration.rig = calibration.verify()
    finally:
        driver.use(rig)  # until what was found is saved
    show_motors(context, can_save=True)


def save_motors(context: JobContext, _command: SaveMotors) -> None:
    """Write what was found into the rig file, and use it."""
    made = context.calibration.rig
    if made is None:
        raise UsageError("there is nothing to save: search the speeds first")
    if isinstance(made, FaceMotors):
        written = write_motors(context.machine, made.motors)
    else:
        written = save_parts(context.machine, made)
    context.calibration.rig = None
    show_motors(context, can_save=False, saved=written_text(written) or "-")
    if written.file is not None:
        context.reopen()


def _search(context: JobContext, calibration: MotorCalibration, face: str) -> None:
    search = calibration.search_speed(face)
    while True:
        context.require_going_on()  # between two trials nothing moves
        try:
            trial: SpeedTrial = next(search)
        except StopIteration as end:
            result: MotorResult = end.value
            break
        trials = pane_now(context).motors.trials
        show_motors(context, trials=(*trials, _shown(trial)))
    found = MotorFound(result.face, result.quarter_ms, result.fastest_ms, result.failed_ms)
    show_motors(context, found=(*pane_now(context).motors.found, found))


def _shown(trial: SpeedTrial) -> ShownTrial:
    return ShownTrial(
        trial.face,
        trial.number,
        trial.rate_steps_s,
        trial.acceleration_steps_s2,
        round(trial.quarter_ms, 2),
        trial.held,
    )


class _Bystander:
    """Whoever is before the page, beside the rig; or the virtual one."""

    def __init__(self, context: JobContext) -> None:
        self._context = context

    def align(self, face: str) -> None:
        machine = self._context.machine
        if machine.choices.virtual:
            machine.world.rig.state = SOLVED
            return
        machine.connected_driver().release()
        show_motors(self._context, align=face)
        while not isinstance(self._context.next_input(_WAIT_S), Aligned):
            pass
        show_motors(self._context, align="")

    def note(self, text: str) -> None:
        show_motors(self._context, told=(*pane_now(self._context).motors.told, text))
