"""Files that a calibration writes: with a backup, and from a virtual machine only when asked."""

import difflib
import itertools
from dataclasses import dataclass
from pathlib import Path

from documents.errors import ConfigError
from documents.files import require_writable, write_atomically


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a measurement.

    Attributes:
        file: Where it is; None when it was not kept.
        backup: The file that stood there before.
        differences: What is new against that one: its lines with `-`, the new ones with `+`.
    """

    file: Path | None
    backup: Path | None = None
    differences: tuple[str, ...] = ()

    def record(self) -> dict[str, str | None]:
        """Say it to a program."""
        return {
            "file": None if self.file is None else str(self.file),
            "backup": None if self.backup is None else str(self.backup),
        }

    def text(self, option: str = "--output") -> str:
        """Say it to a person, who writes a virtual measurement with this option."""
        if self.file is None:
            return f"not kept  measured on the virtual machine; {option} FILE writes it"
        backup = [f"backup    {self.backup}"] if self.backup else []
        return "\n".join([*self.differences, *backup, f"wrote     {self.file}"])


def measured_file(usual: Path, output: Path | None, *, virtual: bool) -> Path | None:
    """Choose where a measurement goes, and make sure before it begins that this can be written.

    Args:
        usual: Where a real machine reads it.
        output: The file that the user named, if any.
        virtual: Whether it is measured on the virtual machine; then only a named file is written.

    Returns:
        The file; None for nowhere.

    Raises:
        ConfigError: It cannot be written.
    """
    file = output or (None if virtual else usual)
    if file is not None:
        require_writable(file)
    return file


def write_measured(file: Path | None, text: str) -> Written:
    """Write a measurement, and keep what stood there before beside it as ``NAME.1.bak`` and so on.

    Raises:
        ConfigError: It cannot be written; the old file is as it was.
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
    """What stands in a file now, None when there is none."""
    try:
        return file.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"{file} cannot be read ({error.strerror}), so it is kept") from None


def _differences(old: str, new: str) -> list[str]:
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), n=0, lineterm="")
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]
