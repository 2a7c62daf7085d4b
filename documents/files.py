"""Text files: read with helpful errors, written atomically."""

import errno
import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from documents.errors import ConfigError, MissingDocumentError, UnwritableError

LARGEST_DOCUMENT = 1_000_000
"""Maximum size in bytes of a document; the largest of ours have 20 kB."""


def read_text(path: Path) -> str:
    """Read a text file, with line feeds as line ends.

    Raises:
        MissingDocumentError: The file does not exist.
        ConfigError: The file cannot be read, or is not UTF-8; then the message names the line.
    """
    content = read_bytes(path)
    try:
        # Windows editors put a byte order mark first.
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ConfigError(
            f"{path}, line {line}: not UTF-8 text; save the file as UTF-8, or restore a copy"
        ) from None


def read_bytes(path: Path, most: int = LARGEST_DOCUMENT) -> bytes:
    """Read a file of limited size; a device or a pipe of unknown length may never end.

    Args:
        path: The file.
        most: Maximum number of bytes.

    Raises:
        MissingDocumentError: The file does not exist.
        ConfigError: The file cannot be read, is too large, or is a device or a pipe.
    """
    require_end(path)
    try:
        with path.open("rb") as file:
            content = file.read(most + 1)
    except FileNotFoundError:
        raise MissingDocumentError(f"{path} does not exist; check the path") from None
    except (OSError, ValueError) as error:  # Python refuses paths with a NUL
        raise ConfigError(f"cannot read {path} ({getattr(error, 'strerror', error)})") from None
    if len(content) > most:
        raise ConfigError(f"{path} is larger than {most / 1e6:g} MB; name another file")
    return content


def require_end(path: Path) -> None:
    """Refuse a pipe or a device, except those that a shell opened for us: it may never end.

    Raises:
        ConfigError: The path is a pipe, a socket or a device without blocks.
    """
    with suppress(OSError, ValueError):  # opening it reports the reason
        kind = path.stat().st_mode
        endless = stat.S_ISFIFO(kind) or stat.S_ISCHR(kind) or stat.S_ISSOCK(kind)
        if endless and not str(path).startswith(("/dev/fd/", "/dev/stdin")):
            raise ConfigError(f"{path} is a pipe or a device; name a file")


def there_is(path: Path) -> bool:
    """Return whether a file exists; anything else with that name is an error.

    Raises:
        ConfigError: It is a folder, a pipe or a broken link, or we lack permission to look.
    """
    try:
        if path.is_file():
            return True
        if not os.path.lexists(path):
            return False
        raise ConfigError(
            f"{path} is not a regular file ({_kind_of(path)}); remove it or replace it by a file"
        )
    except OSError as error:
        raise ConfigError(
            f"cannot look for {path} ({error.strerror}); check the folder's permissions, or "
            "start in another folder"
        ) from None


def _kind_of(path: Path) -> str:
    if path.is_symlink() and not path.exists():
        return f"a link to {path.readlink()}, which does not exist"
    return "a folder" if path.is_dir() else "a pipe or a device"


def make_private(file: Path) -> None:
    """Create an empty file that only its owner may read, or restrict an existing one.

    The umask does not matter. The folder is created if missing; an existing one is not changed.

    Raises:
        OSError: The file cannot be created, or is not a file: nobody restricts a device.
    """
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if os.path.lexists(file) and not file.is_file():
        raise OSError(errno.EINVAL, "not a regular file", str(file))
    file.touch(mode=0o600)
    with suppress(OSError):  # the file belongs to another user
        file.chmod(0o600)


def write_atomically(path: Path, content: str | bytes, *, mode: int = 0o644) -> None:
    """Write text or bytes to a file in one step, as seen by other programs.

    Args:
        path: The file.
        content: The new content.
        mode: The permissions of the file.

    Raises:
        UnwritableError: The file cannot be written; the old content is unchanged.
    """
    temporary: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as file:
            if isinstance(content, str):  # bytes that were not UTF-8 stay unchanged
                content = content.encode("utf-8", "surrogateescape")
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(mode)  # mkstemp creates files that only the owner may read
        Path(temporary).replace(path)
        temporary = None
        _sync_folder(path.parent)
    except OSError as error:
        raise _unwritable(path, error) from None
    finally:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)


def require_writable(path: Path) -> None:
    """Check that a file can be written, before a measurement is made for it.

    Raises:
        UnwritableError: The file cannot be written.
    """
    try:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        folder = next(above for above in path.absolute().parents if above.exists())
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: Path, error: OSError) -> UnwritableError:
    return UnwritableError(
        f"cannot write {path} ({error.strerror}); check the folder's permissions and the free "
        "space on the disk"
    )


def _sync_folder(folder: Path) -> None:
    """Make a rename survive a power cut, on systems that can synchronise folders."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
