"""Building tables after the program has answered, in a separate process.

A user at a terminal sees the progress and may wait. A script gets its answer and continues; a
process that outlives this one builds the tables, so its next answers are shorter.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from documents.errors import ConfigError
from documents.files import require_writable
from solver.search.objectives import Objective, search_for
from solver.tables import TableStore
from thistlebot.solving.approach import LEAN_MB

SWITCH = "THISTLEBOT_BACKGROUND"
"""Environment variable; ``0`` disables the process."""

_MARKER = "building"
ROOM_BYTES = 250_000_000
"""Disk space of the largest set, with a margin."""
_PATIENCE_S = 120.0  # a build that takes longer was killed


def hindrance(cache: Path, objective: Objective, forbidden: str = "") -> str:
    """Return why the tables of an objective cannot be stored, and what to do; empty if they can.

    Args:
        cache: The program's cache folder.
        objective: The objective.
        forbidden: The face that does not turn, if any.
    """
    with contextlib.suppress(OSError):  # if the space is unknown, try
        if shutil.disk_usage(cache).free < ROOM_BYTES:
            return f"less than {ROOM_BYTES / 1e6:.0f} MB are free in {cache}: free some space"
    store = TableStore(cache / "tables")
    try:
        require_writable(store.path(search_for(objective, forbidden).tables))
    except ConfigError as error:
        return str(error)
    return ""


def build_later(
    cache: Path,
    objective: Objective,
    forbidden: str = "",
    environment: Mapping[str, str] = os.environ,
) -> bool:
    """Start building the tables of an objective in a process that outlives this one.

    Args:
        cache: The program's cache folder; a file in it, with the number of the process, prevents a
            hundred scripts from starting a hundred builds.
        objective: The objective.
        forbidden: The face that does not turn, if any.
        environment: May disable it, see `SWITCH`, and is passed to the new process.

    Returns:
        Whether tables are being built now.
    """
    if environment.get(SWITCH) == "0" or hindrance(cache, objective, forbidden):
        return False
    wishes = {"--objective": objective.metric.name, "--forbidden": forbidden}
    wishes["--memory"] = f"{LEAN_MB:g}MB" if objective.lean else ""
    marker = cache / "-".join(filter(None, (_MARKER, *wishes.values())))
    try:
        # A marker with a time in the future comes from a wrong clock.
        if marker.exists() and 0 <= time.time() - marker.stat().st_mtime < _PATIENCE_S:
            return True
        marker.write_text("")
        builder = _start(cache, wishes, environment)
    except OSError:  # nothing can be stored there, or started
        return False
    with contextlib.suppress(OSError):  # on a full disk the marker is empty, but still valid
        marker.write_text(str(builder.pid))
    return True


def end_build(cache: Path) -> None:
    """Remove the marker of this process, which has built tables or failed."""
    with contextlib.suppress(OSError):
        for marker in cache.glob(f"{_MARKER}*"):
            if marker.read_text() == str(os.getpid()):
                marker.unlink()


def _start(
    cache: Path, wishes: Mapping[str, str], environment: Mapping[str, str]
) -> "subprocess.Popen[bytes]":
    """Start the process; it does not import code from its working folder (-P)."""
    gently = ["nice", "-n", "10"] if shutil.which("nice") else []
    program = [sys.executable, "-P", "-m", "thistlebot"]
    wanted = [word for wish in wishes.items() if wish[1] for word in wish]
    return subprocess.Popen(
        [*gently, *program, "tables", "build", *wanted],
        env={**environment, "THISTLEBOT_CACHE_DIR": str(cache)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
