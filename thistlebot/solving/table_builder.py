"""Tables built after the program has answered, by a process of their own.

A person at a terminal sees the building and may wait for it. A script gets its answer and goes on;
so that its next answers are short ones, a process that outlives this one builds the tables.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from solver.goal import Goal

SWITCH = "THISTLEBOT_BACKGROUND"
"""Environment variable; ``0`` starts no process."""

_MARKER = "building"
_PATIENCE_S = 120.0  # a build that has not ended by then was killed


def build_later(cache: Path, goal: Goal, environment: Mapping[str, str] = os.environ) -> bool:
    """Start building the tables of an objective in a process that outlives this one.

    Args:
        cache: The program's cache folder; a file in it, with the number of the process, keeps a
            hundred scripts from starting a hundred builds.
        goal: The objective.
        environment: Says whether that is wanted, see `SWITCH`, and is the new process's own.

    Returns:
        Whether tables are being built now.
    """
    if environment.get(SWITCH) == "0":
        return False
    marker = cache / f"{_MARKER}-{goal.value}"
    try:
        # A marker from the future was written by a clock that was wrong.
        if marker.exists() and 0 <= time.time() - marker.stat().st_mtime < _PATIENCE_S:
            return True
        marker.write_text("")
        builder = _start(cache, goal, environment)
    except OSError:  # nothing can be stored there, or started
        return False
    with contextlib.suppress(OSError):  # a full disk: then the marker is empty, and still one
        marker.write_text(str(builder.pid))
    return True


def _start(cache: Path, goal: Goal, environment: Mapping[str, str]) -> "subprocess.Popen[bytes]":
    """Start the process, which takes no code from the folder that it is started in (-P)."""
    gently = ["nice", "-n", "10"] if shutil.which("nice") else []
    program = [sys.executable, "-P", "-m", "thistlebot"]
    return subprocess.Popen(
        [*gently, *program, "tables", "build", "--objective", goal.value],
        env={**environment, "THISTLEBOT_CACHE_DIR": str(cache)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
