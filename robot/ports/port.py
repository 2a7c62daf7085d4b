"""A byte port, the edge between the link and whatever carries its bytes.

Time as the link sees it: the computer's, or one that only moves when somebody waits.
"""

import time
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


class Clock(Protocol):
    """Something that tells the time and can wait."""

    def now_s(self) -> float:
        """Return seconds since some moment in the past; never goes back."""

    def sleep(self, duration_s: float) -> None:
        """Wait."""


class MonotonicClock:
    """The computer's clock."""

    def now_s(self) -> float:
        """Return seconds of `time.monotonic`."""
        return time.monotonic()

    def sleep(self, duration_s: float) -> None:
        """Wait for real."""
        time.sleep(duration_s)


class SimulatedClock:
    """A clock that jumps ahead when somebody waits, so that an hour on the rig takes no time."""

    def __init__(self, start_s: float = 0.0) -> None:
        self._now_s = start_s

    def now_s(self) -> float:
        """Return the simulated time in seconds."""
        return self._now_s

    def sleep(self, duration_s: float) -> None:
        """Let the time pass at once."""
        self._now_s += max(0.0, duration_s)


class FastClock:
    """Real time that passes so many times faster: threads wait for one another as on a machine.

    Args:
        factor: How many times.
    """

    def __init__(self, factor: float) -> None:
        self._factor = factor

    def now_s(self) -> float:
        """Return the time."""
        return time.monotonic() * self._factor

    def sleep(self, duration_s: float) -> None:
        """Wait."""
        time.sleep(max(0.0, duration_s) / self._factor)
