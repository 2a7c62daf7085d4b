"""Libraries that are no part of every installation: who lacks one is told how to get it."""

import sys
from importlib.util import find_spec
from pathlib import Path

from thistlebot.errors import MissingFileError


def install_command(library: str, prefix: Path | None = None) -> str:
    """Return the command that adds a library to this very installation.

    Args:
        library: Its name.
        prefix: Where the environment lies; this one unless given.
    """
    prefix = prefix or Path(sys.prefix)
    if (prefix / "pipx_metadata.json").is_file():
        return f"pipx inject thistlebot {library}"
    if (prefix / "uv-receipt.toml").is_file():
        return f"uv tool install . --with {library}"
    return f"{sys.executable} -m pip install {library}"


def require_library(library: str, wanted_by: str) -> None:
    """Make sure that a library is there.

    Args:
        library: Its name, which is also that of its package.
        wanted_by: What needs it, as the user wrote it.

    Raises:
        MissingFileError: It is not installed; the message holds the command that installs it.
    """
    if find_spec(library) is None:
        raise MissingFileError(
            f"{wanted_by} needs {library}, which is not installed: {install_command(library)}"
        )
