"""Opens the port of a board: a serial port, or one from another package."""

from collections.abc import Callable

from documents.plugins import Plugins
from robot.ports.port import Port
from robot.ports.serial_port import SerialPort
from robot.protocol.messages import BAUD

BOARDS = Plugins[Callable[[str, int], Port]]("boards", {"serial": SerialPort})
"""Functions that open the port to a kind of board, given its address and the baud rate."""


def open_board(name: str, baud: int = BAUD) -> Port:
    """Open a serial device, or ``KIND:ADDRESS`` of a kind in `BOARDS`.

    Raises:
        LinkError: It cannot be opened; the message says what to do.
        PluginError: The plugin cannot be loaded.
    """
    opener, address = BOARDS.prefixed(name) or (SerialPort, name)
    return opener(address, baud)
