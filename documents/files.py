"""Text files: read with errors that help, written all or nothing."""

import errno
import os
import tempfile
from contextlib import suppress
from pathlib import Path

from documents.errors import ConfigError, MissingDocumentError, UnwritableError


def read_text(path: Path) -> str:
    """Read a text file, with lines that end in a line feed.

    Raises:
        MissingDocumentError: There is no such file.
        ConfigError: It cannot be read, or is no UTF-8; then the message names the line.
    """
    content = _read(path)
    try:
        # Editors of Windows put a byte order mark first.
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ConfigError(
            f"{path}, line {line}: not UTF-8 text; save the file as UTF-8, or restore a copy"
        ) from None


def _read(path: Path) -> bytes:
    try:
        if path.is_fifo() and path.parts[:2] != ("/", "dev"):  # nobody may ever write into it
            raise ConfigError(f"{path} is a pipe; name a file")
        return path.read_bytes()
    except FileNotFoundError:
        raise MissingDocumentError(f"{path} does not exist; check the path") from None
    except OSError as error:
        raise ConfigError(f"cannot read {path} ({error.strerror})") from None


def there_is(path: Path) -> bool:
    """Whether there is such a file; something else of that name is an error.

    Raises:
        ConfigError: It is a folder, a pipe or a link to nothing; or nobody lets us look.
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
    """Make an empty file that only its owner may read, whatever the umask; also one that is there.

    Its folder is made if need be; one that is there, and may be shared, is left as it is.

    Raises:
        OSError: It cannot be made.
    """
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    file.touch(mode=0o600)
    with suppress(OSError):  # somebody else's
        file.chmod(0o600)


def write_atomically(path: Path, content: str | bytes, *, mode: int = 0o644) -> None:
    """Put text or bytes into a file in one step that other programs see.

    Args:
        path: The file.
        content: What it is to hold.
        mode: Who may read and write it.

    Raises:
        UnwritableError: The file cannot be written; what stood there is as it was.
    """
    temporary: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as file:
            if isinstance(content, str):  # what was no UTF-8 stays as it was
                content = content.encode("utf-8", "surrogateescape")
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(mode)  # mkstemp makes files that only the owner may read
        Path(temporary).replace(path)
        temporary = None
        _sync_folder(path.parent)
    except OSError as error:
        raise _unwritable(path, error) from None
    finally:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)


def require_writable(path: Path) -> None:
    """Make sure, before something is measured for it, that a file can be written.

    Raises:
        UnwritableError: It cannot.
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
    """Make a rename last through a power cut, on systems where folders can be synchronised."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
