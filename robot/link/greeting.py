"""HELLO, said again and again until the board answers it."""

from robot.protocol.frames import encode_frame
from robot.protocol.messages import PROTOCOL_VERSION, Hello

HELLO_INTERVAL_S = 0.2


class Greeting:
    """One greeting after another.

    Attributes:
        nonce: The number that the board has to repeat, so that no old answer is taken for this one.
        deadline_s: When to give up.
    """

    def __init__(self) -> None:
        self.nonce = 0
        self.deadline_s = 0.0
        self._again_at_s = 0.0

    def begin(self, now_s: float, timeout_s: float, nonce: int) -> bytes:
        """Return the first HELLO of a new greeting."""
        self.nonce = nonce % 0x10000
        self.deadline_s = now_s + timeout_s
        self._again_at_s = now_s
        return self.frame_due(now_s)

    def frame_due(self, now_s: float) -> bytes:
        """Return another HELLO when it is time for one."""
        if now_s < self._again_at_s:
            return b""
        self._again_at_s = now_s + HELLO_INTERVAL_S
        return encode_frame(Hello(PROTOCOL_VERSION, self.nonce))

    def next_wake_s(self) -> float:
        """Return when something is due."""
        return min(self.deadline_s, self._again_at_s)
