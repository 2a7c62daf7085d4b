"""The other side of a link: reads what it sends, and lets it hear messages."""

from robot.link import events
from robot.link.link import Link
from robot.protocol import messages
from robot.protocol.frames import FrameDecoder, Packet, encode_frame
from robot.protocol.messages import Action, ActionKind, Begin, Fault, State, Step
from robot.protocol.schema import Message

MOVE = Step(0, Begin.AFTER_END, 0, (Action(ActionKind.TURN, 0, 1),))


def reply(
    nonce: int = 9,
    *,
    boot_id: int = 7,
    state: State = State.IDLE,
    next_seq: int = 0,
    accepted: int = 0,
    executed: int = 0,
) -> messages.HelloReply:
    return messages.HelloReply(
        nonce=nonce,
        protocol=messages.PROTOCOL_VERSION,
        firmware_major=0,
        firmware_minor=1,
        firmware_patch=0,
        board=messages.BoardKind.HOST,
        boot_id=boot_id,
        reset_cause=messages.ResetCause.POWER_ON,
        state=state,
        next_seq=next_seq,
        credits=4,
        accepted=accepted,
        executed=executed,
        motors=6,
        queue_size=4,
        lanes=2,
        servos=0,
        outputs=0,
        switches=0,
    )


def status(
    state: State, accepted: int, executed: int, *, next_seq: int = 0, fault: Fault = Fault.NONE
) -> messages.Status:
    return messages.Status(
        state=state,
        flags=messages.Flag(0),
        credits=4,
        accepted=accepted,
        executed=executed,
        next_seq=next_seq,
        fault=fault,
        servos_on=0,
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

    def asked(self) -> int:
        (hello,) = self.sent()
        assert isinstance(hello.message, messages.Hello)
        return hello.message.nonce

    def reopen(self, nonce: int) -> None:
        self.link.hang_up()
        self.link.open(1.0, 5.0, nonce=nonce)
        self.sent()

    def hear(self, *said: Message) -> list[events.LinkEvent]:
        data = b"".join(encode_frame(message) for message in said)
        return self.link.receive(data, self.now_s)

    def wait(self, duration_s: float) -> list[events.LinkEvent]:
        self.now_s += duration_s
        return self.link.pass_time(self.now_s)


def kinds(found: list[events.LinkEvent]) -> list[type]:
    return [type(event) for event in found]
