"""Starts the panel before which a rendered person sits, as a program of its own."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

SHARED = Path(__file__).resolve().parent
ROOT = SHARED.parents[1]


@contextmanager
def hand_panel(folder: Path, *arguments: str) -> Iterator[str]:
    """Start it.

    Args:
        folder: Where it keeps its files.
        arguments: As of `hand_server.main`.

    Returns:
        Its address.
    """
    command = [sys.executable, str(SHARED / "hand_server.py"), *arguments]
    with printing_its_address(command, folder) as address:
        yield address


@contextmanager
def printing_its_address(command: Sequence[str], folder: Path) -> Iterator[str]:
    """Start a program whose first line ends with the address at which it listens then.

    Args:
        command: The program and its arguments.
        folder: Where it runs and keeps its files.

    Returns:
        Its address.
    """
    # NiceGUI serves otherwise below pytest
    environment = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    environment["PYTHONPATH"] = os.pathsep.join((str(ROOT), str(SHARED)))
    for name in ("CONFIG", "CACHE", "DATA", "STATE"):
        environment[f"THISTLEBOT_{name}_DIR"] = str(folder / name.lower())
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=environment, cwd=folder
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[-1].rstrip("/")
        finally:
            process.terminate()
