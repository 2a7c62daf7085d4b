"""The edges of the link: a port that transfers bytes, and a clock.

The clock is the computer's, or one that moves only while somebody waits.
"""

import time
from typing import Protocol


class Port(Protocol):
    """Transfers bytes to a board and back.

    Implemented by `robot.ports.serial_port.SerialPort` and `robot.virtual.virtual_rig.VirtualRig`.
    """

    @property
    def name(self) -> str:
        """The port's name in messages."""

    def read(self, timeout_s: float) -> bytes:
        """Return the bytes that have arrived; wait at most `timeout_s` for the first one.

        Raises:
            LinkError: The port vanished.
        """

    def write(self, data: bytes) -> None:
        """Send bytes.

        Raises:
            LinkError: The port vanished, or does not accept bytes.
        """

    def reopen(self) -> None:
        """Close the port if it is open, and open it again.

        Raises:
            LinkError: It cannot be opened now.
        """

    def close(self) -> None:
        """Close the port; closing twice is allowed."""


class Clock(Protocol):
    """A clock that tells the time and can wait."""

    def now_s(self) -> float:
        """Return seconds since some moment in the past; never decreases."""

    def sleep(self, duration_s: float) -> None:
        """Wait."""


class MonotonicClock:
    """The computer's clock."""

    def now_s(self) -> float:
        """Return seconds of `time.monotonic`."""
        return time.monotonic()

    def sleep(self, duration_s: float) -> None:
        """Wait in real time."""
        time.sleep(duration_s)


class SimulatedClock:
    """A clock that jumps ahead when somebody waits, so an hour on the rig takes no time."""

    def __init__(self, start_s: float = 0.0) -> None:
        self._now_s = start_s

    def now_s(self) -> float:
        """Return the simulated time in seconds."""
        return self._now_s

    def sleep(self, duration_s: float) -> None:
        """Move the time forward at once."""
        self._now_s += max(0.0, duration_s)
