"""Runs the program for tests: in this process, or in one of its own."""

import subprocess
import sys
from typing import Any

from typer.testing import CliRunner, Result

from thistlebot.cli.program import build


def thistlebot(*args: object, typed: str = "") -> Result:
    """Run the program in this process.

    Args:
        args: Its arguments.
        typed: What a person types.
    """
    words = [str(arg) for arg in args]
    return CliRunner().invoke(build(), words, input=typed)


def command(*args: object) -> list[str]:
    """Return the command that runs the program in a process of its own."""
    return [sys.executable, "-m", "thistlebot", *map(str, args)]


def start(*args: object, **options: Any) -> subprocess.Popen[str]:
    """Start the program in a process of its own; `options` are those of `subprocess.Popen`."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command(*args), text=True, **(pipes | options))


def finished(*args: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run the program in a process of its own to its end, in a minute at most."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    kept = pipes | {"text": True, "timeout": 60}
    return subprocess.run(command(*args), check=False, **(kept | options))
