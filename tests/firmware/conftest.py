"""A board in the simulator: scripted in simulated time, or live behind a pseudo-terminal."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import pytest
import serial

from robot.protocol.frames import FrameDecoder, Packet, encode_frame
from robot.protocol.messages import Enable, MoveStep, Set
from robot.protocol.schema import Message
from robot.protocol.settings import Setting

M = TypeVar("M", bound=Message)
FIRMWARE = Path(__file__).resolve().parents[2] / "firmware"
CYCLES_PER_MS = 16_000
MCU = {"uno": "atmega328p", "mega": "atmega2560"}


@pytest.fixture(scope="session")
def build(avr_tools: None) -> Path:
    """The folder with firmware for all boards, the simulator and the host tests."""
    done = subprocess.run(
        ["make", "-C", str(FIRMWARE), "uno", "nano", "mega", "simulator", "host-test-build"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return FIRMWARE / "build"


@dataclass(frozen=True)
class Edge:
    """One line of the simulator's record."""

    cycle: int
    channel: int  # -1: all motors
    kind: str
    level: int


@dataclass
class Trace:
    """What a run of the simulator did to the motor drivers, and what it said on the way."""

    edges: list[Edge]
    packets: list[tuple[int, Message]]  # the board's, with the cycle of their last byte
    log: str

    def of(self, kind: str, channel: int = -1, level: int | None = None) -> list[int]:
        """Cycles of the edges of one pin."""
        return [
            edge.cycle
            for edge in self.edges
            if edge.kind == kind
            and edge.channel == channel
            and (level is None or edge.level == level)
        ]

    def steps(self, channel: int) -> list[int]:
        """Cycles of a motor's steps: the rising edges."""
        return self.of("step", channel, 1)

    def intervals(self, channel: int) -> list[int]:
        """Cycles between a motor's steps."""
        return [after - before for before, after in pairwise(self.steps(channel))]

    def position(self, channel: int) -> int:
        """Net steps of a motor, clockwise positive."""
        clockwise, position = False, 0
        for edge in self.edges:
            if edge.channel != channel:
                continue
            if edge.kind == "dir":
                clockwise = edge.level == 1
            elif edge.kind == "step" and edge.level == 1:
                position += 1 if clockwise else -1
        return position

    def messages(self, kind: type[Message]) -> list[Message]:
        """The board's messages of one type, in order."""
        return [message for _, message in self.packets if isinstance(message, kind)]

    @property
    def lost_bytes(self) -> int:
        """Bytes that the receiver of the chip overran."""
        return int(self.log.rsplit("lost ", 1)[1].split(",")[0])


@dataclass
class Script:
    """Commands in simulated time; messages are numbered as a host does it."""

    lines: list[tuple[float, str]] = field(default_factory=list)
    now_ms: float = 30.0
    seq: int = 0
    number: int = 0

    def at(self, ms: float, command: str) -> None:
        """Do something at a time of its own."""
        self.lines.append((ms, command))

    def send(self, message: Message, wait_ms: float = 2.0) -> None:
        """Send a sequenced message and let time pass."""
        self.at(self.now_ms, f"send {encode_frame(message, self.seq).hex()}")
        self.seq = (self.seq + 1) % 256
        self.now_ms += wait_ms

    def set(self, key: Setting, value: int, motors: tuple[int, ...] = (0xFF,)) -> None:
        """Set a value; the board needs some time to work out its ramps."""
        for motor in motors:
            self.send(Set(key, motor, value), 15.0)

    def motors(self, steps: int, rate: int, acceleration: int, *motors: int) -> None:
        """Set what a turn needs."""
        self.set(Setting.STEPS_PER_QUARTER, steps, motors)
        self.set(Setting.RATE_STEPS_S, rate, motors)
        self.set(Setting.ACCELERATION_STEPS_S2, acceleration, motors)

    def enable(self) -> None:
        self.send(Enable(1))

    def move(self, a: int, quarters_a: int, b: int = 0xFF, quarters_b: int = 0) -> float:
        """Queue a turn; returns when it was sent."""
        self.number += 1
        sent_ms = self.now_ms
        self.send(MoveStep(self.number, a, quarters_a, b, quarters_b), 0.7)
        return sent_ms


def read_edges(path: Path) -> list[Edge]:
    """Read the simulator's record."""
    edges = []
    for line in path.read_text(encoding="ascii").splitlines():
        if line.startswith("#"):
            continue
        cycle, channel, kind, level = line.split()
        edges.append(Edge(int(cycle), -1 if channel == "-" else int(channel), kind, int(level)))
    return edges


class Runner:
    """Runs scripts."""

    def __init__(self, build: Path, folder: Path) -> None:
        self.build = build
        self.folder = folder

    def run(self, script: Script, until_ms: float, board: str = "uno") -> Trace:
        """Run a script to a time; the same script gives the same trace, cycle by cycle."""
        lines = sorted(script.lines, key=lambda line: line[0])
        (self.folder / "script").write_text("".join(f"{ms} {text}\n" for ms, text in lines))
        done = subprocess.run(
            [
                self.build / "simulator",
                *("--mcu", MCU[board], "--elf", self.build / board / "thistlebot.elf"),
                *("--script", self.folder / "script", "--until", str(until_ms)),
                *("--edges", self.folder / "edges", "--serial-log", self.folder / "serial"),
            ],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        decoder = FrameDecoder()
        packets = []
        for line in (self.folder / "serial").read_text(encoding="ascii").splitlines():
            cycle, direction, byte = line.split()
            if direction == "<":
                packets += [
                    (int(cycle), received.message)
                    for received in decoder.feed(bytes.fromhex(byte))
                    if isinstance(received, Packet)
                ]
        return Trace(read_edges(self.folder / "edges"), packets, done.stderr)


@pytest.fixture
def simulator(build: Path, tmp_path: Path) -> Runner:
    return Runner(build, tmp_path)


class LiveBoard:
    """A board behind a pseudo-terminal, as a host program meets it."""

    def __init__(self, build: Path, folder: Path, board: str, pace: float) -> None:
        self.edges_path = folder / "edges"
        self.link = folder / "tty"
        self.process = subprocess.Popen(
            [
                build / "simulator",
                *("--mcu", MCU[board], "--elf", build / board / "thistlebot.elf"),
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
        return Trace(read_edges(self.edges_path), [], log)


@pytest.fixture
def live(build: Path, tmp_path: Path) -> Iterator[LiveBoard]:
    board = LiveBoard(build, tmp_path, "uno", pace=4)
    yield board
    board.quit()
