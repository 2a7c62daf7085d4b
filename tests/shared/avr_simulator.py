"""The firmware's own binary in simulated time: scripts in, step edges and packets out.

The simulator (firmware/simulator) is cycle-accurate: the same script gives the same trace. A live
board behind a pseudo-terminal does not need this module: it is a serial port like any other.
"""

import subprocess
import tempfile
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from benchmarks.faults.pin_edges import (
    ALL_MOTORS,
    CYCLES_PER_S,
    PinEdge,
    StepReader,
    read_edges,
)
from robot.protocol.frames import STATUS_REQUEST_FRAME, FrameDecoder, Packet, encode_frame
from robot.protocol.messages import (
    NO_MOTOR,
    Action,
    ActionKind,
    Begin,
    Enable,
    Hello,
    Set,
    Step,
)
from robot.protocol.schema import Message
from robot.protocol.settings import Setting
from robot.rigs.program import RigProgram

CYCLES_PER_MS = CYCLES_PER_S // 1000
CYCLES_PER_US = CYCLES_PER_MS // 1000
RUN_TIMEOUT_S = 120.0
BYTE_MS = 0.04
"""Time of a byte at 250 000 baud."""
_APART_MS = 0.02
FLOODS = {
    "noise": "5a" * 100,
    "status": STATUS_REQUEST_FRAME.hex() * 20,
    "hello": encode_frame(Hello(1, 7)).hex() * 10,
}
"""What saturates the line."""
FINE_STEPS = 1600
STEEP = 4_000_000
"""Steps of a quarter turn and acceleration with which a motor reaches any rate."""


@dataclass(frozen=True)
class Trace:
    """The signals at the motor drivers during a run of the simulator, and the board's messages.

    Attributes:
        edges: Every edge of the drivers' pins.
        packets: The board's messages, with the cycle of their last byte.
        log: The output of the simulator itself.
    """

    edges: tuple[PinEdge, ...]
    packets: tuple[tuple[int, Message], ...]
    log: str

    def of(self, kind: str, channel: int = ALL_MOTORS, level: int | None = None) -> list[int]:
        """Return the cycles of the edges of one pin."""
        return [
            edge.cycle
            for edge in self.edges
            if edge.kind == kind
            and edge.channel == channel
            and (level is None or edge.level == level)
        ]

    def steps(self, channel: int) -> list[int]:
        """Return the cycles of a motor's steps: the rising edges."""
        return self.of("step", channel, 1)

    def complete(self, channel: int, steps: int) -> list[int]:
        """Return the cycles of a motor's steps, of which there must be so many."""
        found = self.steps(channel)
        assert len(found) == steps, f"motor {channel} made {len(found)} steps instead of {steps}"
        return found

    def intervals(self, channel: int) -> list[int]:
        """Return the cycles between a motor's steps."""
        return [after - before for before, after in pairwise(self.steps(channel))]

    def position(self, channel: int) -> int:
        """Return the net steps of a motor, forward positive."""
        return sum(
            1 if edge.forward else -1
            for edge in StepReader().read(self.edges)
            if edge.channel == channel
        )

    def pulses(self, servo: int) -> list[tuple[int, int]]:
        """Return the start and the length of each pulse of a servo, in cycles."""
        rises, falls = self.of("servo", servo, 1), self.of("servo", servo, 0)
        return [(rise, fall - rise) for rise, fall in zip(rises, falls, strict=False)]

    def messages(self, kind: type[Message]) -> list[Message]:
        """Return the board's messages of one type, in order."""
        return [message for _, message in self.packets if isinstance(message, kind)]

    @property
    def lost_bytes(self) -> int:
        """Number of bytes that the receiver of the chip lost by overrun."""
        return int(self.log.rsplit("lost ", 1)[1].split(",")[0])

    @property
    def received_bytes(self) -> int:
        """Bytes that reached the chip."""
        return int(self.log.rsplit("received ", 1)[1].split()[0])


@dataclass
class Script:
    """Commands in simulated time; messages are numbered as by a host."""

    lines: list[tuple[float, str]] = field(default_factory=list)
    now_ms: float = 30.0
    seq: int = 0
    number: int = 0

    def at(self, ms: float, command: str) -> None:
        """Add a command at a time."""
        self.lines.append((ms, command))

    def send(self, message: Message, wait_ms: float = 2.0) -> None:
        """Send a sequenced message and let time pass."""
        self.at(self.now_ms, f"send {encode_frame(message, self.seq).hex()}")
        self.seq = (self.seq + 1) % 256
        self.now_ms += wait_ms

    def set(self, key: Setting, value: int, motors: tuple[int, ...] = (NO_MOTOR,)) -> None:
        """Set a value; the board needs some time to compute its ramps."""
        for motor in motors:
            self.send(Set(key, motor, value), 15.0)

    def motors(self, steps: int, rate: int, acceleration: int, *motors: int) -> None:
        """Set the values that a turn needs."""
        self.set(Setting.STEPS_PER_QUARTER, steps, motors)
        self.set(Setting.RATE_STEPS_S, rate, motors)
        self.set(Setting.ACCELERATION_STEPS_S2, acceleration, motors)

    def enable(self) -> None:
        """Switch the motors on."""
        self.send(Enable(1))

    def move(
        self, a: int, quarters_a: int, b: int = NO_MOTOR, quarters_b: int = 0, overlap: int = 0
    ) -> float:
        """Queue a turn of one motor or of two; return the time at which it was sent."""
        pairs = [(a, quarters_a)] if b == NO_MOTOR else [(a, quarters_a), (b, quarters_b)]
        turns = tuple(Action(ActionKind.TURN, *pair) for pair in pairs)
        return self.step(turns, Begin.ANGLE if overlap else Begin.AFTER_END, overlap)

    def step(
        self, actions: tuple[Action, ...], begin: Begin = Begin.AFTER_END, begin_value: int = 0
    ) -> float:
        """Queue a step; return the time at which it was sent."""
        sent_ms = self.now_ms
        self.number += 1
        message = Step(self.number, begin, begin_value, actions)
        size = len(encode_frame(message, self.seq))
        self.send(message, size * BYTE_MS + _APART_MS)
        return sent_ms

    def play(self, program: RigProgram, gap_us: int) -> float:
        """Send a program ahead, with the gap that it was planned for; return its start time."""
        self.set(Setting.GAP_US, gap_us)
        self.enable()
        begun_ms = self.now_ms
        for step in program.steps:
            message = step.message()
            self.step(message.actions, message.begin, message.begin_value)
        return begun_ms

    def text(self) -> str:
        """Return the script in the simulator's format."""
        lines = sorted(self.lines, key=lambda line: line[0])
        return "".join(f"{ms} {command}\n" for ms, command in lines)


class AvrSimulator:
    """Runs scripts.

    Args:
        build: The folder firmware/build, with the simulator and the boards' binaries in it.
    """

    def __init__(self, build: Path) -> None:
        self._build = build

    def run(self, script: Script, until_ms: float, board: str = "uno") -> Trace:
        """Run a script up to a time."""
        with tempfile.TemporaryDirectory(prefix="thistlebot-") as name:
            folder = Path(name)
            (folder / "script").write_text(script.text(), encoding="ascii")
            command = [
                str(self._build / "simulator"),
                *("--board", board, "--elf", str(self._build / board / "thistlebot.elf")),
                *("--script", str(folder / "script"), "--until", str(until_ms)),
                *("--edges", str(folder / "edges"), "--serial-log", str(folder / "serial")),
            ]
            done = subprocess.run(
                command, capture_output=True, text=True, check=False, timeout=RUN_TIMEOUT_S
            )
            assert done.returncode == 0, done.stderr
            edges = read_edges((folder / "edges").read_text(encoding="ascii"))
            serial = (folder / "serial").read_text(encoding="ascii")
        return Trace(edges, _board_packets(serial), done.stderr)


def _board_packets(serial: str) -> tuple[tuple[int, Message], ...]:
    decoder = FrameDecoder()
    packets: list[tuple[int, Message]] = []
    for line in serial.splitlines():
        cycle, direction, byte = line.split()
        if direction == "<":
            packets += [
                (int(cycle), received.message)
                for received in decoder.feed(bytes.fromhex(byte))
                if isinstance(received, Packet)
            ]
    return tuple(packets)
