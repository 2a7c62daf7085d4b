"""The verb `calibrate motors`: what each motor turns, how fast, and how far turns may overlap.

On a machine of variables and actions, `calibrate motors` asks the user what happens.
"""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from calibration.action_times import TimeResult
from calibration.actuators import Person
from calibration.corners import CornerResult
from calibration.motors import MotorResult
from calibration.procedures import Told, finished, motors_procedure, parts_procedure
from cube.moves import FACES
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.mechanism import Mechanism
from robot.running.program_run import RunProgress
from thistlebot.cli import options
from thistlebot.cli.option_rules import require_with
from thistlebot.config import Folders, find_rig_file, load_rig
from thistlebot.errors import UsageError
from thistlebot.records import to_line
from thistlebot.session.bench import MachineObserver, VirtualPerson
from thistlebot.session.choices import Choices
from thistlebot.session.machine import Machine, open_machine
from thistlebot.session.measured_file import rig_target, save_rig
from thistlebot.terminal.screen import Screen

Faces = Annotated[str, typer.Option(metavar="FACES", help="Measure only these faces, such as UR.")]
Output = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Rig file to write. Default: the current one; none with --virtual."
    ),
]
FindCorners = Annotated[
    bool,
    typer.Option(
        help="Also measure how early a face may start while the previous one still turns."
    ),
]
Parts = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="On other machines: measure only this part; repeatable."),
]
FindTimes = Annotated[
    bool, typer.Option(help="On other machines: also measure the shortest time of each action.")
]


def motors(
    context: typer.Context,
    faces: Faces = FACES,
    output: Output = None,
    corners: FindCorners = True,
    part: Parts = None,
    times: FindTimes = True,
    rig: options.Rig = None,
    profile: options.Profile = None,
    scheme: options.Scheme = None,
    port: options.Port = None,
    camera: options.Camera = None,
    virtual: options.Virtual = False,
    aligned: options.Aligned = False,
    seed: options.Seed = None,
    json: options.Json = False,
) -> None:
    """Measure the motors with a solved cube in the rig, and write the results into the rig file.

    First each face turns once, slowly: the camera sees which face it was, which way it went and
    how far. Then each motor turns faster and faster until it loses steps; you are then asked to
    put that face straight. The program writes a speed 8 % below the fastest speed that held, and
    tests it with all faces at the end.

    Finally it measures the corners: turns begin earlier and earlier before the end of the previous
    turn, until the cube jams; for each kind of transition you are asked to put the faces straight
    once. The program writes an angle 1.5 degrees below the widest angle that held.

    On a machine of variables and actions you are asked what you see, without a cube in it: each
    servo goes to its places by small steps, never further than you have seen to be free; motors
    make a quarter turn, outputs switch. Then, with a cube, each action gets less and less time
    until you say that it did not arrive; the program writes 15 % more than the shortest time that
    was enough.
    """
    screen = Screen(quiet=json)
    folders = Folders.of_platform()
    wanted = faces.upper()
    if not wanted or not set(wanted) <= set(FACES):
        raise UsageError(f"--faces {faces!r}: use letters of {FACES}")
    _require_options(_rig_to_measure(rig, folders), context, part or ())
    colours = options.parse_scheme(scheme)
    choices = Choices(rig, profile, port, tuple(camera or ()), virtual, seed or 0, colours, aligned)
    with open_machine(choices, folders) as machine:
        machine.hurry()  # nobody watches virtual motors
        rig_target(machine, output)  # can be written
        told, made = _measured(machine, screen, wanted, part or (), corners=corners, times=times)
        written = save_rig(machine, made, output)
    if json:
        for record in _records(told, made, part or ()):
            typer.echo(to_line(record | written.record()))
    screen.line(written.text())


def _measured(
    machine: Machine,
    screen: Screen,
    faces: str,
    parts: Collection[str],
    *,
    corners: bool,
    times: bool,
) -> tuple[list[Told], FaceMotors | ActionMachine]:
    machine.require_aligned()
    rig, driver = machine.rig, machine.connected_driver()
    virtual = machine.choices.virtual
    person: Person = VirtualPerson(machine, screen.line) if virtual else _Person(screen)
    if isinstance(rig, ActionMachine):
        return finished(parts_procedure(driver, rig, person, parts, times=times))
    observer = MachineObserver(machine)
    return finished(motors_procedure(driver, rig, observer, person, faces, corners=corners))


def _records(
    told: Sequence[Told], made: FaceMotors | ActionMachine, parts: Collection[str]
) -> list[dict[str, Any]]:
    variables = made.variables if isinstance(made, ActionMachine) else {}
    found = [{"part": name} | msgspec.to_builtins(variables[name]) for name in parts or variables]
    results = (MotorResult, CornerResult, TimeResult)
    return found + [msgspec.to_builtins(each) for each in told if isinstance(each, results)]


class _Person:
    """The user at the terminal."""

    def __init__(self, screen: Screen) -> None:
        self.note = screen.line

    def do(self, text: str) -> None:
        self._ask(f"{text} Then press Enter")

    def answer(self, question: str, _kind: str) -> str:
        return self._ask(question)

    def align(self, faces: str) -> None:
        self._ask(
            f"{', '.join(faces)} lost steps or jammed. Align every face, solve the cube, then "
            "press Enter"
        )

    def follow(self, progress: RunProgress) -> None:
        pass

    def arrived(self, question: str, steps: int, pulses_us: dict[int, int]) -> bool:  # noqa: ARG002
        while (said := self._ask(f"{question} Press Enter for yes, n for no")) not in (
            "",
            "y",
            "n",
        ):
            self.note(f"{said!r}: answer with Enter or n")
        return said != "n"

    def _ask(self, text: str) -> str:
        said = typer.prompt(text, default="", show_default=False, prompt_suffix=" ", err=True)
        return str(said).strip()


def _rig_to_measure(rig: Path | None, folders: Folders) -> Mechanism:
    """Return the rig; refuse one whose file cannot be written.

    Raises:
        UsageError: The message says what to do.
    """
    if rig is not None and find_rig_file(rig, folders) is None:
        raise UsageError(
            f"{rig} is not a file: calibrate motors writes into a rig file; create one with "
            f"`thistlebot rig new {rig}`"
        )
    return load_rig(rig, folders)


def _require_options(rig: Mechanism, context: typer.Context, parts: Sequence[str]) -> None:
    """Refuse options for the other kind of machine, and parts that this machine does not have."""
    on_faces, other = not isinstance(rig, ActionMachine), "a machine of variables and actions"
    faces = "motors on faces"
    require_with(
        context,
        ("faces", faces, on_faces),
        ("corners", faces, on_faces),
        ("part", other, not on_faces),
        ("times", other, not on_faces),
    )
    for name in parts:
        if isinstance(rig, ActionMachine) and name not in rig.variables:
            raise UsageError(f"--part {name!r}: the rig has {', '.join(rig.variables)}")
