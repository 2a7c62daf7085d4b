"""Finds the serial port of a board: greets the device behind every port."""

from collections.abc import Sequence

from robot.errors import LinkError, NoAnswerError, PortMissingError
from robot.ports.port import MonotonicClock
from robot.ports.serial_port import SerialPort, port_names
from robot.protocol.messages import BAUD, HelloReply
from robot.rigs.catalogue import default_rig
from robot.running.driver import RigDriver

PROBE_TIMEOUT_S = 2.5
"""Time limit for an answer: opening the port may restart the board, whose bootloader takes 2 s."""


def probe(device: str, baud: int = BAUD) -> HelloReply:
    """Greet the device behind a port; nothing is turned or switched.

    Raises:
        LinkError: None of our boards answers.
    """
    with RigDriver(SerialPort(device, baud), default_rig(), MonotonicClock()) as driver:
        return driver.connect(PROBE_TIMEOUT_S)


def find_port(baud: int = BAUD, ports: Sequence[str] | None = None) -> str:
    """Return the first port behind which one of our boards answers.

    Args:
        baud: Speed of the line.
        ports: The ports to try; by default every port of this computer.

    Raises:
        PortMissingError: This computer has no serial port.
        NoAnswerError: None of them answers; the message says what happened at each one.
    """
    candidates = port_names() if ports is None else ports
    if not candidates:
        raise PortMissingError(
            "no serial port found on this computer: plug the board in, with a data cable"
        )
    problems = []
    for candidate in candidates:
        try:
            probe(candidate, baud)
        except LinkError as error:
            problems.append(str(error))
        else:
            return candidate
    raise NoAnswerError("no board found:\n  " + "\n  ".join(problems))
