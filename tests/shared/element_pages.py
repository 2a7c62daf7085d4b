"""Serves small pages with one element each, for a browser."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def pages() -> Iterator[str]:
    """Start the pages as a program of its own: NiceGUI has one application a process.

    Returns:
        Their address.
    """
    command = [sys.executable, str(Path(__file__).with_name("element_server.py"))]
    # NiceGUI serves otherwise below pytest
    environment = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    environment["PYTHONPATH"] = str(ROOT)
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()
