"""The other side of a link: reads what it sends, and lets it hear messages."""

from robot.link import events
from robot.link.link import Link
from robot.protocol import messages
from robot.protocol.frames import FrameDecoder, Packet, encode_frame
from robot.protocol.messages import (
    BoardKind,
    Fault,
    MoveStep,
    ResetCause,
    State,
)
from robot.protocol.schema import Message

MOVE = MoveStep(number=0, motor_a=0, quarters_a=1, motor_b=0xFF, quarters_b=0)


def reply(
    nonce: int = 9,
    *,
    boot_id: int = 7,
    state: State = State.IDLE,
    next_seq: int = 0,
    accepted: int = 0,
    executed: int = 0,
    protocol: int = messages.PROTOCOL_VERSION,
) -> messages.HelloReply:
    return messages.HelloReply(
        nonce=nonce,
        protocol=protocol,
        firmware_major=0,
        firmware_minor=1,
        firmware_patch=0,
        board=BoardKind.HOST,
        boot_id=boot_id,
        reset_cause=ResetCause.POWER_ON,
        state=state,
        next_seq=next_seq,
        credits=4,
        accepted=accepted,
        executed=executed,
        motors=6,
        queue_size=4,
    )


def status(
    state: State,
    accepted: int,
    executed: int,
    *,
    next_seq: int = 0,
    fault: Fault = Fault.NONE,
    partial_a: int = 0,
) -> messages.Status:
    return messages.Status(
        state=state,
        flags=0,
        credits=4,
        accepted=accepted,
        executed=executed,
        next_seq=next_seq,
        fault=fault,
        partial_a=partial_a,
        partial_b=0,
    )


def ack(next_seq: int, accepted: int, executed: int = 0, places: int = 4) -> messages.Ack:
    return messages.Ack(next_seq=next_seq, credits=places, accepted=accepted, executed=executed)


class Peer:
    """Reads what a link sends, and lets it hear messages."""

    def __init__(self) -> None:
        self.link = Link()
        self.now_s = 0.0
        self._decoder = FrameDecoder()

    def sent(self) -> list[Packet]:
        data = self.link.bytes_to_send(self.now_s)
        return [item for item in self._decoder.feed(data) if isinstance(item, Packet)]

    def hear(self, *said: Message) -> list[events.LinkEvent]:
        data = b"".join(encode_frame(message) for message in said)
        return self.link.receive(data, self.now_s)

    def wait(self, duration_s: float) -> list[events.LinkEvent]:
        self.now_s += duration_s
        return self.link.pass_time(self.now_s)


def kinds(found: list[events.LinkEvent]) -> list[type]:
    return [type(event) for event in found]
