"""A disk of a few megabytes in memory, which fills up."""

import contextlib
import errno
import subprocess
from pathlib import Path

_SIZE = "6m"
_PIECE = bytes(16 * 1024)


class SmallDisk:
    """A tmpfs of its own; mounting one takes root's rights.

    Args:
        folder: Where it is mounted; made by this.

    Raises:
        PermissionError: It cannot be mounted here.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        self._ballast = folder / "ballast"
        command = ["mount", "-t", "tmpfs", "-o", f"size={_SIZE}", "tmpfs", str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise PermissionError(done.stderr.strip())

    def fill(self) -> None:
        """Take all the room that is left."""
        with self._ballast.open("ab", buffering=0) as file:
            try:
                while True:
                    file.write(_PIECE)
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise

    def free(self) -> None:
        """Give the room back."""
        self._ballast.unlink(missing_ok=True)

    def close(self) -> None:
        """Unmount it, whatever is in it."""
        with contextlib.suppress(FileNotFoundError):
            subprocess.run(["umount", "-l", self._folder], check=True)  # noqa: S607 - of the system


def can_mount(folder: Path) -> bool:
    """Whether this user may mount one."""
    try:
        disk = SmallDisk(folder / "probe")
    except PermissionError:
        return False
    disk.close()
    return True
