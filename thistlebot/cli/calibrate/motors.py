"""The verb `calibrate motors`: what each motor turns, how fast it may, and how turns overlap.

`calibrate motors` on a machine of variables and actions: a person looks, and answers.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from calibration.action_times import TimeCalibration, TimeResult
from calibration.actuators import ActuatorCalibration, Person
from calibration.corners import CornerCalibration, CornerResult, without_corners
from calibration.motors import MotorCalibration, MotorResult
from calibration.rig_file import with_corners, with_machine, with_motors
from cube.moves import FACES
from cube.state import SOLVED
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.action_machine.rig_file import Variable
from robot.rigs.catalogue import default_rig_text
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.mechanism import Mechanism
from robot.running.program_run import RunProgress
from thistlebot.cli import options
from thistlebot.cli.options import require_with
from thistlebot.config import Folders, find_rig_file, load_rig
from thistlebot.errors import UsageError
from thistlebot.measuring.colours import ReaderObserver
from thistlebot.measuring.rig_files import VirtualPerson
from thistlebot.records import to_line
from thistlebot.session.choices import Choices
from thistlebot.session.machine import Machine, open_machine
from thistlebot.session.measured_file import measured_file, write_measured
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
            typer.echo(to_line(_actuator_record(name, variable) | written.record()))
        for each in timed:
            record = {"action": each.action, "time_ms": each.time_ms, "enough_ms": each.enough_ms}
            typer.echo(to_line(record | {"before_ms": each.before_ms} | written.record()))
    screen.line(written.text())


def _actuator_record(name: str, variable: Variable) -> dict[str, object]:
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


def motors(
    context: typer.Context,
    faces: Annotated[str, typer.Option(metavar="FACES", help="Only these, such as UR.")] = FACES,
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Rig file to write. Default: the one in use; with --virtual none.",
        ),
    ] = None,
    corners: Annotated[
        bool,
        typer.Option(help="Also find how early a face may begin while the one before ends."),
    ] = True,
    part: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="On other machines: only this part; repeat it for several."
        ),
    ] = None,
    times: Annotated[
        bool, typer.Option(help="On other machines: also find how short each action may be.")
    ] = True,
    rig: options.Rig = None,
    profile: options.Profile = None,
    scheme: options.Scheme = None,
    port: options.Port = None,
    camera: options.Camera = None,
    virtual: options.Virtual = False,
    seed: options.Seed = None,
    json: options.Json = False,
) -> None:
    """Measure the motors with a solved cube in the rig, and write the result into the rig file.

    First each face turns once, slowly: the camera sees which face it was, which way it went and
    how far. Then each motor turns faster and faster until it loses steps; you are then asked to
    put that face straight. What is written is 8 % slower than the fastest speed that held, and is
    tried with all faces at the end.

    Last come the corners: turns begin earlier and earlier before the end of the one before, until
    the cube jams; for each kind of transition you are asked to put the faces straight once. What is
    written is 1.5 degrees less than the widest angle that held.

    On a machine of variables and actions you are asked what you see, without a cube in it: each
    servo goes to its places by small steps, never further than you have seen to be free; motors
    make a quarter turn, outputs switch. Then, with a cube, each action takes less and less time
    until you say that it did not arrive; what is written is 15 % more than was enough.
    """
    screen = Screen(quiet=json)
    folders = Folders.of_platform()
    wanted = faces.upper()
    if not wanted or not set(wanted) <= set(FACES):
        raise UsageError(f"--faces {faces!r}: letters of {FACES}")
    described = _rig_to_measure(rig, folders)
    _require_options(described, context)
    source = find_rig_file(rig, folders)
    target = measured_file(source or folders.config / "rig.toml", output, virtual=virtual)
    text = default_rig_text() if source is None else source.read_text(encoding="utf-8-sig")
    colours = options.parse_scheme(scheme)
    choices = Choices(rig, profile, port, tuple(camera or ()), virtual, seed or 0, colours)
    with open_machine(choices, folders) as machine:
        machine.hurry()  # nobody watches virtual motors
        if isinstance(described, ActionMachine):
            assert source is not None  # the usual rig has motors on its faces
            calibrate_actuators(
                machine, source, target, part or (), screen, times=times, as_json=json
            )
            return
        driver = machine.connected_driver()
        bench = _Bench(machine, screen)
        judge = ReaderObserver(machine.view_reader())
        calibration = MotorCalibration(driver, machine.rig, judge, bench)
        calibration.check_wiring()
        chosen = [face for face in calibration.rig.motors if face in wanted]
        results = [calibration.find_speed(face) for face in chosen]
        if corners:
            calibration.rig = without_corners(calibration.rig)  # they are for the speeds of before
        made = calibration.verify()
        angles: list[CornerResult] = []
        if corners:
            cutting = CornerCalibration(driver, made, judge, bench, driver.lanes)
            angles = cutting.find_all()
            made = cutting.verify()
    name = str(source or "the rig file")
    text = with_motors(text, made.motors, name)
    text = with_corners(text, {each.key: getattr(made.corners, each.key) for each in angles}, name)
    written = write_measured(target, text)
    if json:
        for result in results:
            typer.echo(to_line(_record(result) | written.record()))
        for angle in angles:
            typer.echo(to_line(_corner_record(angle, made) | written.record()))
    screen.line(written.text())


def _record(result: MotorResult) -> dict[str, object]:
    return {
        "face": result.face,
        "channel": result.motor.channel,
        "direction": result.motor.direction,
        "microsteps": result.motor.microsteps,
        "rate_steps_s": result.motor.rate_steps_s,
        "acceleration_steps_s2": result.motor.acceleration_steps_s2,
        "quarter_ms": round(result.quarter_ms, 3),
        "fastest_ms": round(result.fastest_ms, 3),
        "failed_ms": None if result.failed_ms is None else round(result.failed_ms, 3),
    }


def _corner_record(result: CornerResult, made: FaceMotors) -> dict[str, object]:
    return {
        "corner": result.key,
        "angle_deg": getattr(made.corners, result.key),
        "widest_deg": result.widest_deg,
        "failed_deg": result.failed_deg,
    }


class _Bench:
    """The person beside the rig, or the virtual one."""

    def __init__(self, machine: Machine, screen: Screen) -> None:
        self._machine = machine
        self._screen = screen

    def align(self, face: str) -> None:
        if self._machine.choices.virtual:
            self._machine.world.rig.state = SOLVED
            return
        self._machine.connected_driver().release()
        typer.prompt(
            f"{', '.join(face)} lost steps or jammed. Put every face straight and the cube back to "
            "solved, then press Enter",
            default="",
            show_default=False,
            prompt_suffix=" ",
            err=True,
        )

    def note(self, text: str) -> None:
        self._screen.line(text)


def _rig_to_measure(rig: Path | None, folders: Folders) -> Mechanism:
    """Return the rig; refuse one whose file cannot be written.

    Raises:
        UsageError: The message says what to do.
    """
    if rig is not None and find_rig_file(rig, folders) is None:
        raise UsageError(
            f"{rig} is no file: calibrate motors writes into a rig file; "
            f"`thistlebot init --rig {rig}` makes one"
        )
    return load_rig(rig, folders)


def _require_options(rig: Mechanism, context: typer.Context) -> None:
    """Refuse options that are for the other kind of machine."""
    on_faces, other = not isinstance(rig, ActionMachine), "a machine of variables and actions"
    faces = "motors on faces"
    require_with(
        context,
        ("faces", faces, on_faces),
        ("corners", faces, on_faces),
        ("part", other, not on_faces),
        ("times", other, not on_faces),
    )
