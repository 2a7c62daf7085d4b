"""Writes what was found about motors into the rig file, and a view where the rig names it.

Who stands beside the virtual machine, which is as its rig file says, and sees its arms.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from calibration.rig_file import with_machine, with_motors
from cube.state import SOLVED
from documents.files import read_text
from documents.typed_toml import document_text
from robot.errors import NotPossibleError
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.catalogue import default_rig_text, rig_text
from robot.rigs.face_motors.mechanism import FaceMotors
from robot.rigs.mechanism import Mechanism
from robot.rigs.motor import Motor
from robot.running.program_run import RunProgress
from thistlebot.config import find_rig_file
from thistlebot.session.machine import Machine
from thistlebot.session.measured_file import Written, measured_file, write_measured
from vision.geometry.view import View

_NEAR_US = 30.0
"""A virtual arm this near has arrived: the host learns of the end of a step a little late."""


class VirtualPerson:
    """Answers for the virtual machine; see `calibration.actuators.Person`.

    Args:
        machine: The machine.
        note: Told what was found.
    """

    def __init__(self, machine: Machine, note: Callable[[str], None]) -> None:
        self._machine = machine
        self._note = note
        self._arms_us: dict[int, list[float]] = {}

    def do(self, _: str) -> None:
        """Put a solved cube in, whatever was asked for."""
        self._machine.world.rig.state = SOLVED

    def answer(self, _: str) -> str:
        """Say yes: everything is as the rig file says."""
        return ""

    def note(self, text: str) -> None:
        """Hand on what was found."""
        self._note(text)

    def follow(self, progress: RunProgress) -> None:
        """Remember where the arms are after each step."""
        arms = self._machine.world.rig.parts.servos
        self._arms_us[progress.executed] = [arm.at_us for arm in arms]

    def arrived(self, _: str, steps: int, pulses_us: dict[int, int]) -> bool:
        """Say whether the arms had arrived then."""
        seen, self._arms_us = self._arms_us.get(steps), {}
        return seen is not None and all(
            abs(seen[servo] - pulse_us) <= _NEAR_US for servo, pulse_us in pulses_us.items()
        )


def rig_target(machine: Machine) -> tuple[str, Path | None, str]:
    """Return the text of a machine's rig file, where a new one goes, and what it is called.

    Nothing of a virtual machine is written, and a rig that comes with the program has no file; the
    user's own is made then.

    Raises:
        ConfigError: The file cannot be read or written.
        NotPossibleError: A rig that comes with the program is used by its name.
    """
    choices, folders = machine.choices, machine.folders
    source = find_rig_file(choices.rig, folders)
    if source is None and choices.rig is not None and choices.virtual:
        return rig_text(str(choices.rig)), None, str(choices.rig)
    if source is None and choices.rig is not None:
        raise NotPossibleError(
            f"rig {choices.rig} comes with the program, and what is measured has no file to go to: "
            f"`thistlebot init --rig {choices.rig}` makes one"
        )
    usual = source or folders.config / "rig.toml"
    target = measured_file(usual, None, virtual=choices.virtual)
    text = default_rig_text() if source is None else read_text(source)
    return text, target, str(usual)


def save_motors(machine: Machine, motors: Mapping[str, Motor]) -> Written:
    """Write values of motors on faces.

    Raises:
        ConfigError: The rig file cannot be read or written.
        NotPossibleError: It has no file.
    """
    text, target, name = rig_target(machine)
    return write_measured(target, with_motors(text, motors, name))


def save_parts(machine: Machine, made: ActionMachine) -> Written:
    """Write places, directions and times of a machine of variables and actions.

    Raises:
        ConfigError: The rig file cannot be read or written.
        NotPossibleError: It has no file.
    """
    text, target, name = rig_target(machine)
    return write_measured(target, with_machine(text, made, name))


def save_flipped(machine: Machine, part: str) -> Written:
    """Write that a motor turns the other way.

    Args:
        machine: The machine.
        part: The motor, as `Mechanism.motors` names it.

    Raises:
        ConfigError: The rig file cannot be read or written.
        NotPossibleError: It has no file, or the rig has no such motor.
    """
    text, target, name = rig_target(machine)
    return write_measured(target, flipped_text(machine.rig, text, part, name))


def flipped_text(rig: Mechanism, text: str, part: str, name: str = "the rig file") -> str:
    """Return the text of a rig file in which a motor turns the other way.

    Raises:
        ConfigError: The text is no such rig file.
        NotPossibleError: The rig has no such motor.
    """
    motor = rig.motors.get(part)
    if motor is None:
        raise NotPossibleError(
            f"rig {rig.name!r} has no motor {part!r}: it has {', '.join(rig.motors) or 'none'}"
        )
    flipped = msgspec.structs.replace(motor, direction=-motor.direction)
    if isinstance(rig, FaceMotors):
        return with_motors(text, {part: flipped}, name)
    assert isinstance(rig, ActionMachine)
    variable = msgspec.structs.replace(rig.variables[part], motor=flipped)
    made = msgspec.structs.replace(rig, variables=rig.variables | {part: variable})
    return with_machine(text, made, name)


def view_file(machine: Machine, number: int) -> Path:
    """Return the view file that the rig names for a camera, or the place for a new one."""
    rig_file = find_rig_file(machine.choices.rig, machine.folders)
    folder = rig_file.parent if rig_file else machine.folders.config
    cameras = machine.rig.cameras
    if 0 <= number < len(cameras):
        entry = cameras[number]
        return folder / (entry.view or f"views/{entry.name}.toml")
    return folder / f"views/camera-{number}.toml"


def save_view(machine: Machine, number: int, view: View) -> Written:
    """Write a view where the rig's camera has it.

    Raises:
        ConfigError: The file cannot be written.
    """
    target = measured_file(view_file(machine, number), None, virtual=machine.choices.virtual)
    return write_measured(target, document_text(view))
