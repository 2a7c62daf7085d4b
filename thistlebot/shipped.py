"""What belongs to the program and is no code: the firmware, its binaries and the documents.

A wheel carries them in `thistlebot/shipped` (`hatch_build.py` puts them there); in a checkout they
lie where they always do.

Libraries that are no part of every installation: who lacks one is told how to get it.
"""

import hashlib
import shutil
import sys
import tempfile
from importlib import resources
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


def shipped_root(package: Path | None = None) -> Path:
    """Return the folder that holds `firmware`, `docs` and the README.

    Args:
        package: Where the package `thistlebot` lies; found by itself unless given.
    """
    package = package or Path(str(resources.files("thistlebot")))
    packed = package / "shipped"
    return packed if packed.is_dir() else package.resolve().parent


def shipped_site(root: Path) -> Path | None:
    """Return the folder of the documentation as web pages, or None if they are not there.

    `make docs` builds those of a checkout.

    Args:
        root: See `shipped_root`.
    """
    site = root / ("site" if root.name == "shipped" else "build/site")
    return site if (site / "index.html").is_file() else None


def shipped_hex(board: str, root: Path) -> Path | None:
    """Return the binary that came with the program, or None where it came without.

    Args:
        board: As `flash` names it; the two kinds of Nano have one binary.
        root: See `shipped_root`.
    """
    file = root / "hex" / f"{board.removesuffix('-old')}.hex"
    return file if file.is_file() else None


def firmware_workshop(cache: Path, root: Path) -> Path:
    """Return a folder with the firmware's sources in which it may be built.

    In a checkout that is `firmware` itself. An installed program copies the sources into the cache
    folder first, so that nothing is written beside its code; other sources get another folder.

    Args:
        cache: The program's cache folder.
        root: See `shipped_root`.

    Raises:
        MissingFileError: The program came without sources, or they cannot be copied.
    """
    sources = root / "firmware"
    if not (sources / "Makefile").is_file():
        raise MissingFileError(f"no firmware sources at {sources}: reinstall the program")
    if root.name != "shipped":
        return sources
    folder = cache / "firmware" / _digest(sources)
    if not folder.is_dir():
        try:
            _copy(sources, folder)
        except OSError as error:
            raise MissingFileError(
                f"cannot copy the firmware's sources to {folder}: {error.strerror}"
            ) from error
    return folder


def _copy(sources: Path, folder: Path) -> None:
    """Copy at once or not at all, also when two processes do it."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix="new-") as fresh:
        made = shutil.copytree(sources, Path(fresh) / "firmware")
        try:
            made.rename(folder)
        except OSError:
            if not folder.is_dir():
                raise


def _digest(sources: Path) -> str:
    """A name for these very sources."""
    content = hashlib.sha256()
    for path in sorted(path for path in sources.rglob("*") if path.is_file()):
        content.update(f"{path.relative_to(sources).as_posix()}\0{path.stat().st_size}\0".encode())
        content.update(path.read_bytes())
    return content.hexdigest()[:16]
