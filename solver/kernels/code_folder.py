"""The folder of compiled code.

Compiled code is stale if any file of this package changes, including inlined ones, or a file beside
its own. So its folder is named by a digest of all of them: another digest, another folder.
"""

import contextlib
import hashlib
import os
import shutil
from functools import cache
from pathlib import Path

import platformdirs

_HERE = Path(__file__).parent
_PREFIX = "kernels-"
_KEPT = 8
"""Number of folders to keep: of several versions, one for the machine and one for teaching."""


def code_folder(room: Path = _HERE) -> Path | None:
    """Return the folder of compiled code; None if there is none and none can be made.

    It is ``kernels-DIGEST`` in numba's cache folder (``NUMBA_CACHE_DIR``) if one is set, else in
    the program's: the user's, or ``THISTLEBOT_CACHE_DIR``. When one is made, those unused for the
    longest time are removed. One that belongs to another user, or that others may write to, is not
    used: its code would run as this user.

    Args:
        room: The folder of the compiled sources, including those that they may inline; for one in
            this package, the folder of the package.
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
        if folder.exists() and not _safe(folder) and folder.stat().st_uid == os.geteuid():
            shutil.rmtree(folder)
        if not folder.exists():
            parent.mkdir(parents=True, exist_ok=True)
            folder.mkdir(mode=0o700, exist_ok=True)
            others = sorted(parent.glob(f"{_PREFIX}*"), key=lambda path: path.stat().st_mtime)
            for old in others[:-_KEPT]:
                shutil.rmtree(old, ignore_errors=True)
        with contextlib.suppress(OSError):  # a read-only folder is useful, too
            os.utime(folder)
        return folder if _safe(folder) else None
    except OSError:
        return None


def _safe(folder: Path) -> bool:
    """Return whether nobody else can have put code there, which would run as this user."""
    if os.name != "posix":
        return True
    found = folder.stat()
    return found.st_uid in {0, os.geteuid()} and not found.st_mode & 0o022
