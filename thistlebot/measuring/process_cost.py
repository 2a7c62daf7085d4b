"""What a command costs in a process of its own: processor time and memory."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from thistlebot.errors import ComputerError

_LAUNCHER = """
import json, os, sys
nowhere = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
process = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=nowhere)
_, status, usage = os.wait4(process, 0)
code = os.waitstatus_to_exitcode(status)
print(json.dumps([code, usage.ru_utime + usage.ru_stime, usage.ru_maxrss]))
"""
"""The system counts the memory of whoever starts a process as the new one's, too: this is small."""
_PEAK_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes in which the system tells the peak."""


@dataclass(frozen=True, slots=True)
class ProcessCost:
    """What one process took from its start to its end.

    Attributes:
        cpu_s: Processor time of all its threads, of the program and of the system for it, seconds.
        peak_mb: The most memory that was resident at once, files mapped included, 10⁶ bytes.
    """

    cpu_s: float
    peak_mb: float


def process_cost(command: Sequence[str], timeout_s: float = 120.0) -> ProcessCost:
    """Run a command to its end, and say what it cost; what it prints goes nowhere.

    Args:
        command: A program, as a path, and its arguments.
        timeout_s: The longest that it may take.

    Raises:
        ComputerError: The system does not tell, or the command fails or takes too long.
    """
    if not hasattr(os, "wait4"):
        raise ComputerError("this system does not say what a process cost: use Linux or macOS")
    launch = [sys.executable, "-I", "-S", "-c", _LAUNCHER, *command]
    named = " ".join(command)
    with subprocess.Popen(
        launch,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as launcher:
        try:
            told, complaint = launcher.communicate(timeout=timeout_s)
        except BaseException as error:
            os.killpg(launcher.pid, signal.SIGKILL)  # the command, too
            if isinstance(error, subprocess.TimeoutExpired):
                raise ComputerError(f"`{named}` takes longer than {timeout_s:g} s") from None
            raise
    code, cpu_s, peak = json.loads(told) if launcher.returncode == 0 else (-1, 0.0, 0)
    if code != 0:
        raise ComputerError(f"`{named}` fails: {complaint.strip()[-500:]}")
    return ProcessCost(cpu_s, peak * _PEAK_UNIT / 1e6)
