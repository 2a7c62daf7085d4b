"""A board in the simulator: scripted in simulated time, or live behind a pseudo-terminal."""

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from robot.simulator.avr_simulator import AvrSimulator, Script, Trace, read_edges


@pytest.fixture(scope="session")
def build(firmware_build: Path) -> Path:
    """The folder with firmware for all boards, the simulator and the host tests."""
    return firmware_build


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def simulator(build: Path, tmp_path: Path) -> AvrSimulator:
    return AvrSimulator(build, tmp_path)


class LiveMega:
    """A Mega behind a pseudo-terminal, as a host program meets it."""

    def __init__(self, build: Path, folder: Path) -> None:
        self.edges_path = folder / "edges"
        self.link = folder / "tty"
        elf = build / "mega" / "thistlebot.elf"
        options = ("--link", self.link, "--edges", self.edges_path, "--pace", "2")
        self.process = subprocess.Popen(
            [build / "simulator", "--board", "mega", "--elf", elf, *options],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        deadline = time.monotonic() + 60
        while not self.link.exists():
            assert time.monotonic() < deadline, "the simulator made no pseudo-terminal"
            time.sleep(0.01)

    def command(self, text: str) -> None:
        """Do something to the board's surroundings."""
        assert self.process.stdin is not None
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def quit(self) -> Trace:
        """End the simulator and read its record."""
        if self.process.poll() is None:
            self.command("quit")
        _, log = self.process.communicate(timeout=60)
        return Trace(read_edges(self.edges_path.read_text(encoding="ascii")), (), log)


@pytest.fixture
def live_mega(build: Path, tmp_path: Path) -> Iterator[LiveMega]:
    board = LiveMega(build, tmp_path)
    yield board
    board.quit()
