"""Files of the program that are not code: the firmware, its binaries and the documents.

A wheel contains them in `thistlebot/shipped` (`hatch_build.py` puts them there); in a checkout they
are in their usual places.

It also checks the extras, which are not part of every installation: if one is missing, the error
says how to install it.
"""

import hashlib
import json
import re
import shutil
import sys
import tempfile
from importlib import metadata, resources
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from thistlebot.errors import MissingFileError

VERSIONS = "versions.txt"
"""The versions with which this release was tested, as constraints for pip and uv."""


def install_command(extra: str, prefix: Path | None = None) -> str:
    """Return the command that adds an extra to this installation, in the tested versions.

    Args:
        extra: Its name, such as ``web``.
        prefix: Folder of the environment; by default this one.
    """
    prefix, root = prefix or Path(sys.prefix), shipped_root()
    if prefix.parent == root:
        return "make venv"
    file = root / VERSIONS if root.name == "shipped" else root / "build" / VERSIONS
    versions = f"--constraint {file}" if file.is_file() else ""
    if (prefix / "pipx_metadata.json").is_file():
        added = f"pipx inject thistlebot {' '.join(_libraries(extra))}"
        return f"{added} --pip-args='{versions}'" if versions else added
    source = f"'{_source()}[{extra}]' {versions}".rstrip()
    if (prefix / "uv-receipt.toml").is_file():
        return f"uv tool install --force {source}"
    return f"{sys.executable} -m pip install {source}"


def _libraries(extra: str) -> list[str]:
    """Return the requirements of an extra, without versions."""
    wanted = re.compile(rf"([\w.-]+).*extra == ['\"]{extra}['\"]")
    found = map(wanted.match, metadata.requires("thistlebot") or ())
    return [each[1] for each in found if each]


def _source() -> str:
    """Return what this program was installed from: a folder, a wheel, or its name."""
    url = metadata.distribution("thistlebot").read_text("direct_url.json")
    place = urlsplit(json.loads(url)["url"]) if url else None
    return url2pathname(place.path) if place and place.scheme == "file" else "thistlebot"


def require_extra(extra: str, wanted_by: str) -> None:
    """Check that all libraries of an extra are installed.

    Args:
        extra: Its name.
        wanted_by: The command or option that needs it, as the user wrote it.

    Raises:
        MissingFileError: One is not installed; the message contains the command that installs all.
    """
    if any(find_spec(library) is None for library in _libraries(extra)):
        raise MissingFileError(
            f"{wanted_by} needs the extra {extra}, which is not installed: {install_command(extra)}"
        )


def shipped_root(package: Path | None = None) -> Path:
    """Return the folder that contains `firmware`, `docs` and the README.

    Args:
        package: Folder of the package `thistlebot`; by default that of this module.
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
    """Return the binary that came with the program, or None if there is none.

    Args:
        board: As for `flash`; the two kinds of Nano have one binary.
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
    """Copy atomically, even if two processes do it."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix="new-") as fresh:
        made = shutil.copytree(sources, Path(fresh) / "firmware")
        try:
            made.rename(folder)
        except OSError:
            if not folder.is_dir():
                raise


def _digest(sources: Path) -> str:
    """Return a name for these sources."""
    content = hashlib.sha256()
    for path in sorted(path for path in sources.rglob("*") if path.is_file()):
        content.update(f"{path.relative_to(sources).as_posix()}\0{path.stat().st_size}\0".encode())
        content.update(path.read_bytes())
    return content.hexdigest()[:16]
