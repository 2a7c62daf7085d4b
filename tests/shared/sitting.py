"""Runs the program at a terminal of its own, before which a person sits."""

import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


class Sitting:
    """The program at a terminal, and a person who types."""

    def __init__(self, master: int, process: subprocess.Popen[bytes]) -> None:
        self._master = master
        self.process = process
        self.seen = ""

    def wait_for(self, pattern: str, timeout_s: float = 60.0) -> None:
        """Read what the terminal shows until it has shown this since the last time."""
        shown, until = "", time.monotonic() + timeout_s
        while not re.search(pattern, " ".join(shown.split())):
            assert time.monotonic() < until, self.seen
            shown += self._read()

    def type(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def leave(self) -> int:
        while self.process.poll() is None:
            self._read()
        self._read()
        return self.process.returncode

    def _read(self) -> str:
        if not select.select([self._master], [], [], 0.1)[0]:
            return ""
        read = os.read(self._master, 65536).decode(errors="replace")
        self.seen += read
        return read


@contextmanager
def sitting(*args: object) -> Iterator[Sitting]:
    """Start the program at a pseudo-terminal, on a computer without a serial port."""
    pty = pytest.importorskip("pty", reason="pseudo-terminals exist on POSIX only")
    termios = pytest.importorskip("termios", reason="termios exists on POSIX only")
    master, slave = pty.openpty()
    before = termios.tcgetattr(slave)
    script = (
        "import sys; from serial.tools import list_ports; list_ports.comports = list\n"
        "from thistlebot.__main__ import main; main()\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, *map(str, args)],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=os.environ | {"NO_COLOR": "1", "TERM": "xterm", "COLUMNS": "100"},
    )
    try:
        yield Sitting(master, process)
        after = termios.tcgetattr(slave)
        assert after == before, f"the terminal was {before}, and is {after}"
    finally:
        process.kill()
        process.wait()
        os.close(master)
        os.close(slave)
