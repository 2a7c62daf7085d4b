"""Files that a calibration writes: with a backup, and from a virtual machine only on request.

Results about motors go into the rig file, a view to the place that the rig names.
"""

import difflib
import itertools
from dataclasses import dataclass
from pathlib import Path

from calibration.rig_file import with_rig
from documents.errors import ConfigError, MissingDocumentError
from documents.files import read_bytes, read_text, require_writable, write_atomically
from documents.typed_toml import document_text
from robot.errors import NotPossibleError
from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.catalogue import default_rig_text, rig_text
from robot.rigs.face_motors.mechanism import FaceMotors
from thistlebot.config import find_rig_file
from thistlebot.session.machine import Machine
from vision.geometry.view import View


@dataclass(frozen=True, slots=True)
class Written:
    """The fate of a measurement.

    Attributes:
        file: Its file; None if it was not stored.
        backup: The previous file.
        differences: The changes: old lines with `-`, new ones with `+`.
    """

    file: Path | None
    backup: Path | None = None
    differences: tuple[str, ...] = ()

    def record(self) -> dict[str, str | None]:
        """Return it as a record."""
        return {
            "file": None if self.file is None else str(self.file),
            "backup": None if self.backup is None else str(self.backup),
        }

    def text(self, option: str = "--output") -> str:
        """Return it as text; the option stores a virtual measurement."""
        if self.file is None:
            return f"not kept  measured on the virtual machine; to save it, give {option} FILE"
        backup = [f"backup    {self.backup}"] if self.backup else []
        return "\n".join([*self.differences, *backup, f"wrote     {self.file}"])


def measured_file(usual: Path, output: Path | None, *, virtual: bool) -> Path | None:
    """Choose the file of a measurement, and check before it begins that it can be written.

    Args:
        usual: The file that a real machine reads.
        output: The file that the user named, if any.
        virtual: Whether it is measured on a virtual machine; then only a named file is written.

    Returns:
        The file; None if there is none.

    Raises:
        ConfigError: It cannot be written.
    """
    file = output or (None if virtual else usual)
    if file is not None:
        require_writable(file)
    return file


def write_measured(file: Path | None, text: str) -> Written:
    """Write a measurement, and keep the previous file beside it as ``NAME.1.bak`` and so on.

    Raises:
        ConfigError: It cannot be written; the old file is unchanged.
    """
    if file is None:
        return Written(None)
    old = _text(file)
    if old is None or old == text:
        write_atomically(file, text)
        return Written(file)
    numbered = (file.with_name(f"{file.name}.{number}.bak") for number in itertools.count(1))
    backup = next(path for path in numbered if not path.exists())
    write_atomically(backup, old)
    write_atomically(file, text)
    return Written(file, backup, tuple(_differences(old, text)))


def _text(file: Path) -> str | None:
    """Return the present text of a file, None if there is none."""
    try:
        return read_bytes(file).decode("utf-8", "surrogateescape")
    except MissingDocumentError:
        return None
    except ConfigError as error:
        raise ConfigError(f"{error}; it was not overwritten") from None


def _differences(old: str, new: str) -> list[str]:
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), n=0, lineterm="")
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]


def rig_target(machine: Machine, output: Path | None = None) -> tuple[str, Path | None, str]:
    """Return the text of a machine's rig file, the file for a new one, and its name.

    Nothing of a virtual machine is stored, and a built-in rig has no file, so the user's own is
    created.

    Raises:
        ConfigError: The file cannot be read or written.
        NotPossibleError: A built-in rig is used by its name.
    """
    choices, folders = machine.choices, machine.folders
    source = find_rig_file(choices.rig, folders)
    if source is None and choices.rig is not None and choices.virtual:
        return rig_text(str(choices.rig)), None, str(choices.rig)
    if source is None and choices.rig is not None:
        raise NotPossibleError(
            f"{choices.rig} is a built-in rig, and built-in rigs are read-only: create your "
            f"own rig file with `thistlebot rig new {choices.rig}`"
        )
    usual = source or folders.config / "rig.toml"
    target = measured_file(usual, output, virtual=choices.virtual)
    text = default_rig_text() if source is None else read_text(source)
    return text, target, str(usual)


def save_rig(
    machine: Machine, made: FaceMotors | ActionMachine, output: Path | None = None
) -> Written:
    """Write the results about a machine's motors or parts.

    Raises:
        ConfigError: The rig file cannot be read or written.
        NotPossibleError: It has no file.
    """
    text, target, name = rig_target(machine, output)
    return write_measured(target, with_rig(text, made, name))


def view_file(machine: Machine, number: int) -> Path:
    """Return the view file that the rig names for a camera, or the path for a new one."""
    rig_file = find_rig_file(machine.choices.rig, machine.folders)
    folder = rig_file.parent if rig_file else machine.folders.config
    cameras = machine.rig.cameras
    if 0 <= number < len(cameras):
        entry = cameras[number]
        return folder / (entry.view or f"views/{entry.name}.toml")
    return folder / f"views/camera-{number}.toml"


def save_view(machine: Machine, number: int, view: View) -> Written:
    """Write a view to the file of the rig's camera.

    Raises:
        ConfigError: The file cannot be written.
    """
    target = measured_file(view_file(machine, number), None, virtual=machine.choices.virtual)
    return write_measured(target, document_text(view))
