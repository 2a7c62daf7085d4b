"""One direction of a virtual serial line."""

import math
from collections import deque


class Wire:
    """Bytes arrive in order.

    Args:
        byte_s: Time of each byte on the line.
    """

    def __init__(self, byte_s: float = 0.0) -> None:
        self._byte_s = byte_s
        self._travelling: deque[tuple[float, bytes]] = deque()
        self._last_s = 0.0

    def put(self, data: bytes, now_s: float) -> None:
        """Send bytes into the wire."""
        self._last_s = max(self._last_s, now_s) + self._byte_s * len(data)
        if data:
            self._travelling.append((self._last_s, data))

    def take(self, now_s: float) -> bytes:
        """Return the bytes that have arrived."""
        arrived = b""
        while self._travelling and self._travelling[0][0] <= now_s:
            arrived += self._travelling.popleft()[1]
        return arrived

    def next_arrival_s(self) -> float:
        """Return the arrival time of the next byte, infinity for none."""
        return self._travelling[0][0] if self._travelling else math.inf

    def cut(self) -> None:
        """Drop everything in transit."""
        self._travelling.clear()
