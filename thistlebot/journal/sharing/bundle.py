"""Bundles: a file with all data of one run, to attach to a report, readable on every machine."""

import getpass
import io
import struct
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from documents.files import require_end, write_atomically
from thistlebot.errors import MissingFileError, UsageError
from thistlebot.journal.rows import Picture, StoredRun
from thistlebot.journal.sharing.anonymous import anonymous
from thistlebot.journal.store import LARGEST_RECORD
from vision.cameras.picture_size import MOST_PIXELS

SUFFIX = ".thistlebot.zip"
_RUN = "run.json"
_README = """A run of Thistlebot with its pictures; it contains no user names and no paths.

To look at it on any computer:
  thistlebot history import FILE
  thistlebot history show last
  thistlebot history replay last
"""
_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, NotImplementedError),
    *(OSError, KeyError, ValueError, EOFError, RuntimeError, struct.error),
)
"""Errors raised when the file is not an archive, or was changed."""
_LARGEST = 400_000_000
"""Size limits that no run exceeds, packed or unpacked."""
_LARGEST_PICTURE = 30_000_000
_PNG = b"\x89PNG\r\n\x1a\n"


class _Content(msgspec.Struct, frozen=True, kw_only=True):
    """The content of the file ``run.json`` in a bundle.

    Attributes:
        run: The run.
        pictures: Its pictures, in the order of exposure; their PNGs are files of the bundle.
        format: Version of the bundle's format.
    """

    run: StoredRun
    pictures: Annotated[tuple[Picture, ...], msgspec.Meta(max_length=1000)]
    format: Literal[1] = 1


def bundle_name(run: StoredRun) -> str:
    """Return the name of a run's bundle."""
    return f"run-{run.uid}{SUFFIX}"


def bundles_in(folder: Path) -> tuple[Path, ...]:
    """Return the bundles in a folder, by their names."""
    return tuple(sorted(folder.glob(f"*{SUFFIX}")))


def write_bundle(file: Path, run: StoredRun, pictures: Sequence[Picture]) -> None:
    """Write a run to a file, anonymised.

    Raises:
        ConfigError: The file cannot be written.
    """
    run, pictures = anonymous(run, pictures, (str(Path.home()), str(Path.cwd())), getpass.getuser())
    bare = tuple(msgspec.structs.replace(each, png=b"") for each in pictures)
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as archive:
        for name, content in (("README.txt", _README), (_RUN, _json(run, bare))):
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
        for each in pictures:
            if each.png:
                archive.writestr(zipfile.ZipInfo(_file_of(each)), each.png)
    write_atomically(file, memory.getvalue())


def _json(run: StoredRun, pictures: tuple[Picture, ...]) -> bytes:
    return msgspec.json.encode(_Content(run=run, pictures=pictures))


def _file_of(picture: Picture) -> str:
    return f"pictures/{picture.number:03}.png"


def read_bundle(file: Path) -> tuple[StoredRun, tuple[Picture, ...]]:
    """Read a run from a file.

    Raises:
        MissingFileError: There is no such file.
        ConfigError: The file is a pipe or a device.
        UsageError: The file is not a bundle, is damaged, or comes from a newer version.
    """
    require_end(file)
    try:
        if file.stat().st_size > _LARGEST:
            raise ValueError("it is too large")
        with zipfile.ZipFile(file) as archive:
            return _read(archive)
    except FileNotFoundError:
        raise MissingFileError(f"{file} does not exist; check the path") from None
    except _DAMAGE as error:
        raise UsageError(
            f"{file} is not a bundle of a run that this version reads, or it is damaged ({error}): "
            "download or copy it again, or update thistlebot"
        ) from None


def _read(archive: zipfile.ZipFile) -> tuple[StoredRun, tuple[Picture, ...]]:
    """Read an archive.

    Raises:
        ValueError: It is not a bundle.
        Exception: Another one of `_DAMAGE`.
    """
    if sum(entry.file_size for entry in archive.infolist()) > _LARGEST:
        raise ValueError("it is too large")
    text = _unpacked(archive, _RUN, LARGEST_RECORD)
    text.decode()  # nothing checks the bytes of raw JSON
    content = msgspec.json.decode(text, type=_Content)
    files = [_file_of(each) for each in content.pictures]
    if len(set(files)) != len(files):
        raise ValueError("it names one picture twice")
    there = set(archive.namelist())
    return content.run, tuple(
        msgspec.structs.replace(each, png=_picture(archive, name) if name in there else b"")
        for each, name in zip(content.pictures, files, strict=True)
    )


def _unpacked(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    """Unpack a part of a bundle, limited in size whatever its entry says."""
    with archive.open(name) as part:
        content = part.read(most + 1)
    if len(content) > most:
        raise ValueError(f"{name} is too large")
    return content


def _picture(archive: zipfile.ZipFile, name: str) -> bytes:
    png = _unpacked(archive, name, _LARGEST_PICTURE)
    if not png.startswith(_PNG) or len(png) < 24:
        raise ValueError(f"{name} is not a picture")
    width, height = struct.unpack(">II", png[16:24])
    if width * height > MOST_PIXELS:
        raise ValueError(f"{name} has too many pixels")
    return png
