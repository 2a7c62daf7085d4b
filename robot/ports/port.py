"""A byte port, the edge between the link and whatever carries its bytes."""

from typing import Protocol


class Port(Protocol):
    """Carries bytes to a board and back.

    Implemented by `robot.ports.serial_port.SerialPort` and `robot.virtual.virtual_rig.VirtualRig`.
    """

    @property
    def name(self) -> str:
        """What the port is called in messages."""

    def read(self, timeout_s: float) -> bytes:
        """Return what has arrived, waiting for the first byte at most so long.

        Raises:
            LinkError: The port vanished.
        """

    def write(self, data: bytes) -> None:
        """Send bytes.

        Raises:
            LinkError: The port vanished, or takes no bytes.
        """

    def reopen(self) -> None:
        """Close the port if it is open, and open it again.

        Raises:
            LinkError: It cannot be opened now.
        """

    def close(self) -> None:
        """Give the port back; closing twice does no harm."""
