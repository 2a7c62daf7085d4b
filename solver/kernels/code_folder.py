"""Where compiled code is kept, and the seal that tells damaged code from good code.

Compiled code is stale when any file of this package changes, also one that was inlined, or a file
beside its own. Therefore it stands in a folder that is named by a digest over all of them: another
digest, another folder.
"""

import contextlib
import hashlib
import os
import shutil
import zlib
from functools import cache
from pathlib import Path

import platformdirs

_HERE = Path(__file__).parent
_PREFIX = "kernels-"
_CRC_BYTES = 4
_KEPT = 8
"""So many folders are kept: two each, for the machine and for the school, of several versions."""


def code_folder(room: Path = _HERE) -> Path | None:
    """Where compiled code is kept; None when there is no folder for it and none can be made.

    It is ``kernels-DIGEST`` in numba's cache folder (``NUMBA_CACHE_DIR``) where one is set, else in
    the program's: the user's, or ``THISTLEBOT_CACHE_DIR``. When one is made, those that were not
    used for longest are removed.

    Args:
        room: The folder of what is compiled, with all that it may inline; one in this package has
            the folder of the package.
    """
    return _folder(_HERE if room.is_relative_to(_HERE) else room)


@cache
def _folder(room: Path) -> Path | None:
    digest = hashlib.sha256()
    for path in sorted({*_HERE.rglob("*.py"), *room.rglob("*.py")}):
        digest.update(path.read_bytes())
    given = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("THISTLEBOT_CACHE_DIR")
    parent = Path(given or platformdirs.user_cache_dir("thistlebot", appauthor=False))
    folder = parent / f"{_PREFIX}{digest.hexdigest()[:16]}"
    try:
        if not folder.exists():
            folder.mkdir(parents=True, exist_ok=True)
            others = sorted(parent.glob(f"{_PREFIX}*"), key=lambda path: path.stat().st_mtime)
            for old in others[:-_KEPT]:
                shutil.rmtree(old, ignore_errors=True)
        with contextlib.suppress(OSError):  # what may only be read is of use, too
            os.utime(folder)
    except OSError:
        return None
    return folder


def sealed(data: bytes) -> bytes:
    """Put a checksum before code: damaged code must not run."""
    return zlib.crc32(data).to_bytes(_CRC_BYTES, "little") + data


def unsealed(path: Path) -> bytes:
    """Return what was sealed into a file.

    Raises:
        OSError: It cannot be read, or it is damaged.
    """
    content = path.read_bytes()
    checksum, data = content[:_CRC_BYTES], content[_CRC_BYTES:]
    if int.from_bytes(checksum, "little") != zlib.crc32(data) or not data:
        raise OSError(f"{path} is damaged")
    return data
