"""Which serial port has a board of ours behind it: ask every one."""

from dataclasses import dataclass

from serial.tools import list_ports as system_ports

from robot.errors import LinkError, NoAnswerError, PortMissingError
from robot.ports.clock import MonotonicClock
from robot.ports.serial_port import SerialPort
from robot.protocol.messages import BAUD, HelloReply
from robot.rigs.catalogue import default_rig
from robot.running.driver import RigDriver

PROBE_TIMEOUT_S = 2.5
"""Opening the port may restart the board, and its bootloader then keeps it for up to 2 s."""


@dataclass(frozen=True, slots=True)
class PortInfo:
    """A serial port of this computer.

    Attributes:
        device: Such as "/dev/ttyACM0" or "COM3".
        description: What the system knows about it.
    """

    device: str
    description: str


def list_ports() -> tuple[PortInfo, ...]:
    """Return the serial ports of this computer, sorted by device."""
    found = sorted(system_ports.comports(), key=lambda port: str(port.device))
    return tuple(PortInfo(port.device, port.description or "") for port in found)


def probe(port: PortInfo, baud: int = BAUD, timeout_s: float = PROBE_TIMEOUT_S) -> HelloReply:
    """Greet whatever is behind a port; nothing is turned or switched.

    Raises:
        LinkError: No board of ours answers.
    """
    with RigDriver(SerialPort(port.device, baud), default_rig(), MonotonicClock()) as driver:
        return driver.connect(timeout_s)


def find_port(baud: int = BAUD, ports: tuple[PortInfo, ...] | None = None) -> str:
    """Return the first port behind which a board of ours answers.

    Args:
        baud: Speed of the line.
        ports: Where to look; every port of this computer unless given.

    Raises:
        PortMissingError: This computer has no serial port.
        NoAnswerError: None of them answers; the message lists what each one did.
    """
    candidates = list_ports() if ports is None else ports
    if not candidates:
        raise PortMissingError(
            "this computer has no serial port: plug the board in, or try --virtual"
        )
    problems = []
    for candidate in candidates:
        try:
            probe(candidate, baud)
        except LinkError as error:
            problems.append(str(error))
        else:
            return candidate.device
    raise NoAnswerError("no board was found:\n  " + "\n  ".join(problems))
