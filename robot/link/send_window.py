"""The messages in flight to the board: go-back-N, within the window and the board's free places."""

from collections import deque
from dataclasses import dataclass, replace

from robot.protocol import messages
from robot.protocol.frames import encode_frame
from robot.protocol.messages import WINDOW, WINDOW_BYTES, Step
from robot.protocol.schema import Message

SEQUENCE_NUMBERS = 256


@dataclass(frozen=True, slots=True)
class Position:
    """The counters that ACK, STATUS and HELLO_REPLY share.

    Attributes:
        next_seq: The sequence number that the board expects.
        credits: Free places in its queue.
        accepted: Steps accepted since its start.
        executed: Steps completed since its start.
    """

    next_seq: int = 0
    credits: int = 0
    accepted: int = 0
    executed: int = 0

    @classmethod
    def of(cls, message: messages.Ack | messages.Status | messages.HelloReply) -> "Position":
        """Read the counters of a message."""
        return cls(message.next_seq, message.credits, message.accepted, message.executed)


class SendWindow:
    """Sequenced messages: waiting, or flying (sent and not yet acknowledged).

    Attributes:
        position: The board's counters, as far as known.
    """

    def __init__(self) -> None:
        self.position = Position()
        self._waiting: deque[Message] = deque()
        self._flying: deque[Message] = deque()

    @property
    def empty(self) -> bool:
        """Whether nothing waits and nothing is in flight."""
        return not self._waiting and not self._flying

    @property
    def oldest(self) -> Message | None:
        """The message that the board must accept next, if it was sent."""
        return self._flying[0] if self._flying else None

    @property
    def has_steps(self) -> bool:
        """Whether there are steps among the messages."""
        return any(isinstance(message, Step) for message in (*self._flying, *self._waiting))

    def put(self, message: Message) -> None:
        """Queue a message."""
        self._waiting.append(message)

    def clear(self) -> None:
        """Forget every message."""
        self._waiting.clear()
        self._flying.clear()

    def adopt(self, position: Position) -> None:
        """Take over the board's counters and forget every message."""
        self.clear()
        self.position = position

    def advance(self, position: Position) -> int | None:
        """Take over counters that continue the known ones.

        Returns:
            The number of messages that the board accepted, None if its counters do not continue
            ours.
        """
        taken = (position.next_seq - self.position.next_seq) % SEQUENCE_NUMBERS
        if taken > len(self._flying) or position.executed < self.position.executed:
            return None
        steps = sum(isinstance(self._flying[place], Step) for place in range(taken))
        if position.accepted != self.position.accepted + steps:
            return None
        if position.executed > position.accepted:
            return None
        for _ in range(taken):
            self._flying.popleft()
        self.position = position
        return taken

    def frames_to_send(self) -> bytes:
        """Send what the window allows, and return its frames; steps get their numbers here."""
        frames = bytearray()
        steps = [message for message in self._flying if isinstance(message, Step)]
        number = self.position.accepted + len(steps)
        places = sum(step.places for step in steps)
        size = len(self.frames_to_repeat())
        while self._waiting and len(self._flying) < WINDOW:
            message = self._waiting[0]
            if isinstance(message, Step):
                places += message.places
                if places > self.position.credits:
                    break
                number += 1
                message = replace(message, number=number & 0xFFFF)
            self._flying.append(message)
            frame = self._frame(len(self._flying) - 1)
            size += len(frame)
            if size > WINDOW_BYTES:
                self._flying.pop()
                break
            self._waiting.popleft()
            frames += frame
        return bytes(frames)

    def frames_to_repeat(self) -> bytes:
        """Return the frames of all messages in flight."""
        return b"".join(self._frame(place) for place in range(len(self._flying)))

    def _frame(self, place: int) -> bytes:
        seq = (self.position.next_seq + place) % SEQUENCE_NUMBERS
        return encode_frame(self._flying[place], seq)
