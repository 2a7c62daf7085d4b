"""Motors and servos: identification, places, directions, and times, with the user's help."""

from collections.abc import Generator
from contextlib import closing
from dataclasses import replace
from typing import TypeVar

from calibration.action_times import TimeResult
from calibration.actuators import ANSWERS, Person
from calibration.motors import MotorResult, SpeedTrial
from calibration.procedures import StepBegan, Told, motors_procedure, parts_procedure
from calibration.rig_file import with_flipped
from frontends.control.calibrate_commands import (
    Aligned,
    Answer,
    Buzz,
    FlipDirection,
    MeasureMotors,
    MeasureParts,
    SaveMotors,
)
from frontends.control.job_context import JobContext
from frontends.control.jobs.calibrate.telling import doing_motors, pane_now, show_motors
from frontends.control.task import CALIBRATE, Jobs, NamedJob
from frontends.control.view_model.calibrate import Asking, MotorFound
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.running.buzz import BUZZ_DEG
from robot.running.buzz import buzz as buzz_motor
from robot.running.program_run import RunProgress
from thistlebot.errors import UsageError
from thistlebot.session.bench import MachineObserver, VirtualPerson
from thistlebot.session.measured_file import save_rig

_WAIT_S = 0.2
_RigT = TypeVar("_RigT", FaceMotors, ActionMachine)


def measure_parts(context: JobContext, command: MeasureParts) -> None:
    """Find the position of each part at its places, and the shortest times of the actions."""
    rig, parts = context.machine.rig, (command.part,) if command.part else ()
    if not isinstance(rig, ActionMachine):
        raise UsageError(f"rig {rig.name!r} has motors on faces: find their speeds instead")
    if not set(parts) <= set(rig.variables):
        raise UsageError(
            f"{command.part!r} is not a part of this machine: {', '.join(rig.variables)}"
        )
    person, driver = _person(context), context.connect()
    context.machine.require_aligned()
    _measure(context, parts_procedure(driver, rig, person, parts, times=command.times))


def measure_motors(context: JobContext, command: MeasureMotors) -> None:
    """Check the wiring with a solved cube, then search each motor's fastest reliable speed."""
    rig, faces = context.machine.rig, command.faces.upper()
    if not isinstance(rig, FaceMotors) or not faces or not set(faces) <= set(rig.motors):
        known = "".join(rig.motors) if isinstance(rig, FaceMotors) else "none"
        raise UsageError(f"only motors on faces have speeds to find; here: {known}")
    person, driver = _person(context), context.connect()
    context.machine.require_aligned()
    observer = MachineObserver(context.machine)
    _measure(context, motors_procedure(driver, rig, observer, person, faces, corners=False))


def _measure(context: JobContext, procedure: Generator[Told, None, _RigT]) -> None:
    """Show the progress of a procedure until its result can be saved."""
    context.calibration.rig = None
    show_motors(context, trials=(), found=(), told=(), saved="", can_save=False)
    with closing(procedure), doing_motors(context, ""):
        while context.calibration.rig is None:
            context.require_not_stopped()  # between two trials nothing moves
            try:
                _show(context, next(procedure))
            except StopIteration as end:
                context.calibration.rig = end.value
    show_motors(context, can_save=True)


def _show(context: JobContext, told: Told) -> None:
    motors, found = pane_now(context).motors, None
    match told:
        case StepBegan(doing, part):
            show_motors(context, doing=doing, part=part)
        case SpeedTrial():
            trial = replace(told, quarter_ms=round(told.quarter_ms, 2))
            show_motors(context, trials=(*motors.trials, trial))
        case MotorResult(face, _, quarter_ms):
            found = MotorFound(face, quarter_ms)
        case TimeResult(action, time_ms):
            found = MotorFound(action, float(time_ms[-1]))
    if found is not None:
        show_motors(context, found=(*motors.found, found))


def _person(context: JobContext) -> Person:
    person = PagePerson(context)
    if context.machine.choices.virtual:
        return VirtualPerson(context.machine, person.note)
    return person


class PagePerson:
    """The user of the page, who is beside the machine; see `calibration.actuators.Person`."""

    def __init__(self, context: JobContext) -> None:
        self._context = context

    def do(self, text: str) -> None:
        """Ask for an action, and wait until it is done."""
        self.answer(text, "do")

    def answer(self, question: str, kind: str) -> str:
        """Ask a question, with a button for each answer."""
        show_motors(self._context, asking=Asking(kind, question, ANSWERS[kind]))
        try:
            while True:
                said = self._context.next_input(_WAIT_S)
                if isinstance(said, Answer) and said.said in ANSWERS[kind]:
                    return said.said
        finally:
            show_motors(self._context, asking=None)

    def align(self, faces: str) -> None:
        """Ask the user to align faces, and wait until it is done."""
        show_motors(self._context, align=faces)
        while not isinstance(self._context.next_input(_WAIT_S), Aligned):
            pass
        show_motors(self._context, align="")

    def note(self, text: str) -> None:
        """Publish a result."""
        show_motors(self._context, told=(*pane_now(self._context).motors.told, text))

    def follow(self, progress: RunProgress) -> None:
        """Do nothing: the user watches the machine."""

    def arrived(self, question: str, steps: int, pulses_us: dict[int, int]) -> bool:
        """Ask whether servos had arrived."""
        del steps, pulses_us
        return self.answer(question, "arrived") != "n"


def buzz(context: JobContext, command: Buzz) -> None:
    """Turn one motor a little, or do one action, there and back."""
    rig, part = context.machine.rig, command.part
    with doing_motors(context, "buzz", part):
        driver = context.connect()
        context.machine.require_aligned()
        if part in rig.motors:
            buzz_motor(driver, rig.buzz(part, BUZZ_DEG))
        elif part in rig.action_names:
            context.driver().run(rig.there_and_back(part))
        else:
            known = ", ".join((*rig.motors, *rig.action_names))
            raise UsageError(f"{part!r} is not a part of rig {rig.name!r}: it has {known}")


def flip_direction(context: JobContext, command: FlipDirection) -> None:
    """Reverse a motor's direction in the rig file."""
    save_changed(context, with_flipped(context.machine.rig, command.part))


def save_motors(context: JobContext, _command: SaveMotors) -> None:
    """Write the results into the rig file, and use it."""
    made = context.calibration.rig
    if made is None:
        raise UsageError("there is nothing to save: find the speeds first")
    save_changed(context, made, can_save=False)
    context.calibration.rig = None


def save_changed(context: JobContext, made: FaceMotors | ActionMachine, **shown: bool) -> None:
    """Write a changed rig into the rig file, and use it."""
    written = save_rig(context.machine, made)
    show_motors(context, saved=str(written.file or "-"), **shown)
    if written.file is not None:
        context.reopen()


MOTOR_JOBS: Jobs = {
    MeasureParts: NamedJob("measure_parts", measure_parts),
    MeasureMotors: NamedJob("measure_motors", measure_motors),
    Buzz: NamedJob("buzz", buzz),
    FlipDirection: NamedJob(CALIBRATE, flip_direction),
    SaveMotors: NamedJob(CALIBRATE, save_motors),
}
