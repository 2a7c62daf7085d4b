"""Writes what was found about motors into the rig file, and a view where the rig names it."""

from pathlib import Path

from calibration.rig_file import with_rig
from documents.files import read_text
from documents.typed_toml import document_text
from robot.errors import NotPossibleError
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.catalogue import default_rig_text, rig_text
from robot.rigs.face_motors.mechanism import FaceMotors
from thistlebot.config import find_rig_file
from thistlebot.session.machine import Machine
from thistlebot.session.measured_file import Written, measured_file, write_measured
from vision.geometry.view import View


def rig_target(machine: Machine, output: Path | None = None) -> tuple[str, Path | None, str]:
    """Return the text of a machine's rig file, where a new one goes, and what it is called.

    Nothing of a virtual machine is written, and a rig that comes with the program has no file; the
    user's own is made then.

    Args:
        machine: The machine.
        output: The file that the user named, if any.

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
    target = measured_file(usual, output, virtual=choices.virtual)
    text = default_rig_text() if source is None else read_text(source)
    return text, target, str(usual)


def save_rig(
    machine: Machine, made: FaceMotors | ActionMachine, output: Path | None = None
) -> Written:
    """Write what was found about a machine's motors or parts.

    Args:
        machine: The machine.
        made: Its rig as it is to be.
        output: As of `rig_target`.

    Raises:
        ConfigError: The rig file cannot be read or written.
        NotPossibleError: It has no file.
    """
    text, target, name = rig_target(machine, output)
    return write_measured(target, with_rig(text, made, name))


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
