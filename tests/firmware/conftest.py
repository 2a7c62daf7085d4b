"""A board in the simulator: scripted in simulated time, or live behind a pseudo-terminal."""

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import pytest
import serial

from robot.protocol.frames import FrameDecoder, Packet, encode_frame
from robot.protocol.schema import Message
from robot.simulator.avr_simulator import AvrSimulator, Script, Trace, read_edges

M = TypeVar("M", bound=Message)
FIRMWARE = Path(__file__).resolve().parents[2] / "firmware"


@pytest.fixture(scope="session")
def build(avr_tools: None) -> Path:
    """The folder with firmware for all boards, the simulator and the host tests."""
    done = subprocess.run(
        ["make", "-j2", "-C", str(FIRMWARE), "boards", "simulator", "host-test-build"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return FIRMWARE / "build"


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def simulator(build: Path, tmp_path: Path) -> AvrSimulator:
    return AvrSimulator(build, tmp_path)


class LiveBoard:
    """A board behind a pseudo-terminal, as a host program meets it."""

    def __init__(self, build: Path, folder: Path, board: str, pace: float) -> None:
        self.edges_path = folder / "edges"
        self.link = folder / "tty"
        self.process = subprocess.Popen(
            [
                build / "simulator",
                *("--board", board, "--elf", build / board / "thistlebot.elf"),
                *("--link", self.link, "--edges", self.edges_path, "--pace", str(pace)),
            ],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        deadline = time.monotonic() + 10
        while not self.link.exists():
            assert time.monotonic() < deadline, "the simulator made no pseudo-terminal"
            time.sleep(0.01)
        self.port = serial.Serial(str(self.link), 250_000, timeout=0.01)
        self.decoder = FrameDecoder()
        self.heard: list[Message] = []

    def command(self, text: str) -> None:
        """Do something to the board's surroundings."""
        assert self.process.stdin is not None
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def send(self, message: Message, seq: int = 0) -> None:
        self.port.write(encode_frame(message, seq))

    def wait_for(self, kind: type[M], timeout_s: float = 10.0) -> M:
        """Wait for the next message of a type."""
        deadline = time.monotonic() + timeout_s
        while time.monotonic() < deadline:
            while self.heard:
                message = self.heard.pop(0)
                if isinstance(message, kind):
                    return message
            for received in self.decoder.feed(self.port.read(256)):
                if isinstance(received, Packet):
                    self.heard.append(received.message)
        raise AssertionError(f"no {kind.__name__} within {timeout_s} s")

    def quit(self) -> Trace:
        """End the simulator and read its record."""
        if self.process.poll() is None:
            self.command("quit")
        _, log = self.process.communicate(timeout=10)
        self.port.close()
        return Trace(read_edges(self.edges_path.read_text(encoding="ascii")), (), log)


@pytest.fixture
def live_mega(build: Path, tmp_path: Path) -> Iterator[LiveBoard]:
    board = LiveBoard(build, tmp_path, "mega", pace=2)
    yield board
    board.quit()


@pytest.fixture
def live(build: Path, tmp_path: Path) -> Iterator[LiveBoard]:
    board = LiveBoard(build, tmp_path, "uno", pace=4)
    yield board
    board.quit()
