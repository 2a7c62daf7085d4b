"""A file with all data of one run, to attach to a report; its format is the same on every machine.

It does not contain anything that identifies the machine's owner: no paths, no addresses of cameras.
"""

import getpass
import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec

from documents.files import write_atomically
from thistlebot.errors import MissingFileError, UsageError
from thistlebot.journal.rows import Picture, StoredRun
from thistlebot.journal.store import LARGEST_RECORD
from vision.cameras.picture_size import MOST_PIXELS

_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]*://(?:\S*@)?[^\s'\",;)]*", re.IGNORECASE)
"""A password may contain any character."""
_SERIAL = re.compile(r"\busb-[\w.:-]+|\b(?:cu|tty)\.usb[\w-]+|\bSER=\S+")
"""Names of ports contain serial numbers of boards."""
_DEVICE = "device"
_PATH = re.compile(
    r"""(?:^|(?<=[\s'"`(=,:]))(?:~|\.{1,2}|[A-Za-z]:)?[/\\]"""  # beginnings of paths
    r"""(?:(?:[^\s'"`,;:()]|[ ](?![/\\]))*[/\\])?([^\s'"`,;:()/\\]+)"""
)
_ELSEWHERE = "address"
_SOMEBODY = "user"
_NO_NAMES = frozenset({"root", "user", "admin"})
_SHORTEST_NAME = 3
"""Shorter user names are also common words."""


def anonymous(
    run: StoredRun, pictures: Iterable[Picture], folders: Iterable[str], user: str
) -> tuple[StoredRun, tuple[Picture, ...]]:
    """Return the run anonymised: file names in place of paths, without addresses and names.

    Args:
        run: The stored run.
        pictures: Its pictures.
        folders: The user's; afterwards no path in the run begins with one of them.
        user: The user's name in the system.
    """
    kept = tuple(pictures)
    short = {f"{folder.rstrip('/')}/": "" for folder in folders}
    for source in (each.source for each in kept if each.png):
        short |= {source: file_name(source)}
        if folder := source.removesuffix(file_name(source)):
            short |= {folder: ""}
    cleaner = _Cleaner(short, user)
    return msgspec.structs.replace(
        run,
        context=cleaner.json(run.context),
        events=tuple((time_s, cleaner.json(event)) for time_s, event in run.events),
    ), tuple(msgspec.structs.replace(each, source=cleaner.text(each.source)) for each in kept)


def file_name(path: str) -> str:
    """Return the last part of a path of any system; an address has none."""
    return _ELSEWHERE if _ADDRESS.match(path) else re.split(r"[/\\]", path.rstrip("/\\"))[-1]


class _Cleaner:
    """Replaces known names, and everything that looks like a path or an address."""

    def __init__(self, short: Mapping[str, str], user: str) -> None:
        self._short = sorted(short.items(), key=lambda pair: -len(pair[0]))
        named = len(user) >= _SHORTEST_NAME and user not in _NO_NAMES
        self._user = re.compile(rf"\b{re.escape(user)}\b") if named else None

    def json(self, content: msgspec.Raw) -> msgspec.Raw:
        return msgspec.Raw(msgspec.json.encode(self._value(msgspec.json.decode(content))))

    def text(self, text: str) -> str:
        for long, short in self._short:
            text = text.replace(long, short)
        text = _SERIAL.sub(_DEVICE, _ADDRESS.sub(_ELSEWHERE, text))
        text = _PATH.sub(r"\1", text)
        return text if self._user is None else self._user.sub(_SOMEBODY, text)

    def _value(self, value: Any) -> Any:
        match value:
            case dict():
                return {key: self._value(each) for key, each in value.items()}
            case list():
                return [self._value(each) for each in value]
            case str():
                return self.text(value)
        return value


SUFFIX = ".thistlebot.zip"
FORMAT = 1
_RUN = "run.json"
_README = """A run of Thistlebot with its pictures; it contains no user names and no paths.

To look at it on any computer:
  thistlebot import FILE
  thistlebot show last
  thistlebot replay last
"""
_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, NotImplementedError),
    *(OSError, KeyError, ValueError, EOFError, RuntimeError, struct.error),
)
"""Errors raised when the unpacked file is not an archive, or was changed."""
_UID = re.compile("[0-9a-f]{8,32}")
_LARGEST = 400_000_000
"""Size limits that no run exceeds, packed or unpacked."""
_LARGEST_PICTURE = 30_000_000
_MOST_PICTURES = 1000
_LATEST_S = 1e11
_PNG = b"\x89PNG\r\n\x1a\n"
_Number = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
_Seconds = Annotated[float, msgspec.Meta(ge=-_LATEST_S, le=_LATEST_S)]


class _Taken(msgspec.Struct, frozen=True, kw_only=True):
    """A picture in a bundle; the fields are those of `Picture`, with a file in place of its bytes.

    Attributes:
        file: Its name in the bundle; empty if the camera gave no picture.
    """

    number: _Number
    camera: Annotated[int, msgspec.Meta(ge=-1, le=1_000_000)]
    source: str
    time_s: _Seconds
    file: str


class _Format(msgspec.Struct, frozen=True):
    """The version of a bundle's format, whatever else is in it."""

    format: Any = None


class _Content(msgspec.Struct, frozen=True, kw_only=True):
    """The content of the file ``run.json`` in a bundle.

    Attributes:
        format: Version of the bundle's format.
        run: The run.
        pictures: Its pictures, in the order of exposure.
    """

    format: int
    run: StoredRun
    pictures: Annotated[tuple[_Taken, ...], msgspec.Meta(max_length=_MOST_PICTURES)]


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
    taken = tuple(
        _Taken(
            number=each.number,
            camera=each.camera,
            source=each.source,
            time_s=each.time_s,
            file=f"pictures/{each.number:03}.png" if each.png else "",
        )
        for each in pictures
    )
    content = msgspec.json.encode(_Content(format=FORMAT, run=run, pictures=taken))
    parts = [("README.txt", _README.encode(), True), (_RUN, content, True)]
    parts += [
        (at.file, each.png, False) for at, each in zip(taken, pictures, strict=True) if at.file
    ]
    write_atomically(file, _zipped(parts))


def _zipped(parts: Sequence[tuple[str, bytes, bool]]) -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as archive:
        for name, content, squeeze in parts:
            how = zipfile.ZIP_DEFLATED if squeeze else zipfile.ZIP_STORED
            archive.writestr(zipfile.ZipInfo(name), content, compress_type=how)
    return memory.getvalue()


def read_bundle(file: Path) -> tuple[StoredRun, tuple[Picture, ...]]:
    """Read a run from a file.

    Raises:
        MissingFileError: There is no such file.
        UsageError: The file is not a bundle, is damaged, or comes from a newer version.
    """
    try:
        if not file.is_file() and file.exists():
            raise MissingFileError(f"{file} is not a file")
        if file.stat().st_size > _LARGEST:
            raise UsageError(f"{file} is not a bundle of a run: it is too large")
        content = file.read_bytes()
    except FileNotFoundError:
        raise MissingFileError(f"{file} does not exist; check the path") from None
    except OSError as error:
        raise MissingFileError(f"cannot read {file}: {error.strerror}") from None
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return _read(file, archive)
    except _DAMAGE as error:
        raise UsageError(
            f"{file} is not a bundle of a run, or it is damaged ({error}): download or copy "
            "it again"
        ) from None


def _read(file: Path, archive: zipfile.ZipFile) -> tuple[StoredRun, tuple[Picture, ...]]:
    if sum(entry.file_size for entry in archive.infolist()) > _LARGEST:
        raise UsageError(f"{file} is not a bundle of a run: it is too large")
    text = _unpacked(archive, _RUN, LARGEST_RECORD)
    try:
        text.decode()  # nothing checks the bytes of raw JSON
        version = msgspec.json.decode(text, type=_Format).format
        if version != FORMAT:
            raise UsageError(
                f"{file} is a bundle of format {version}, but this version only reads format "
                f"{FORMAT}: update thistlebot"
            )
        content = msgspec.json.decode(text, type=_Content)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: {_RUN} is not a record of a run: {error}") from None
    if not _UID.fullmatch(content.run.uid):
        raise UsageError(f"{file}: {content.run.uid!r} is not a valid uid of a run")
    times = [time_s for time_s, _ in content.run.events]
    in_range = all(-_LATEST_S <= time_s <= _LATEST_S for time_s in times)
    if not in_range or not 0 <= content.run.began <= _LATEST_S:
        raise UsageError(f"{file}: {_RUN} is not a record of a run: a time is out of range")
    files = [each.file for each in content.pictures if each.file]
    if len(set(files)) != len(files):
        raise UsageError(f"{file} is not a bundle of a run: it names one picture twice")
    pictures = tuple(
        Picture(
            number=each.number,
            camera=each.camera,
            source=each.source,
            time_s=each.time_s,
            png=_picture(archive, each.file) if each.file else b"",
        )
        for each in content.pictures
    )
    return content.run, pictures


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
