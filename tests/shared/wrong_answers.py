"""A port whose board answers wrongly for a while; behind it, a virtual board knows the truth."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import cast

from robot.errors import PortMissingError
from robot.ports.port import SimulatedClock
from robot.protocol.frames import FrameDecoder, Packet, encode_frame
from robot.protocol.messages import (
    MOTORS_TOGETHER,
    PROTOCOL_VERSION,
    SPEC_BY_KIND,
    Abort,
    Ack,
    BoardKind,
    Enable,
    Fault,
    Flag,
    HelloReply,
    Nak,
    Reason,
    Set,
    State,
    Status,
    Step,
)
from robot.protocol.schema import Delivery, Message
from robot.rigs.mechanism import Mechanism
from robot.virtual.virtual_rig import VirtualRig

HUNG_S = 10.0
LATENCY_S = 0.001
"""Of every answer: without it, a board that answers too much would stop the simulated time."""


@dataclass(frozen=True, slots=True)
class WrongAnswer:
    """What is wrong.

    Attributes:
        heard: Changes a message of the board, or drops it.
        refused: Answers a sequenced message instead of the board; None passes it on.
        deaf: Whether the board hears nothing.
        missing: Whether the port is missing.
        stops: Whether the board really stops, whenever anything turns.
    """

    heard: Callable[[Message], Message | None] = lambda message: message
    refused: Callable[[int, Message], bytes | None] = lambda *_: None
    deaf: bool = False
    missing: bool = False
    stops: bool = False


def _counting(change: Callable[[Ack | Status | HelloReply], Message]) -> WrongAnswer:
    """Change every answer that has counters."""
    return WrongAnswer(
        lambda message: (
            change(message) if isinstance(message, Ack | Status | HelloReply) else message
        )
    )


def _ahead(by: int) -> WrongAnswer:
    return _counting(lambda at: replace(at, executed=min(at.accepted, at.executed + by)))


def _greeting(change: Callable[[HelloReply], Message]) -> WrongAnswer:
    """Change the answer to a greeting, and make the host greet again."""

    def heard(message: Message) -> Message:
        if isinstance(message, Ack | Status):
            return replace(message, accepted=0, executed=0)
        return change(message) if isinstance(message, HelloReply) else message

    return WrongAnswer(heard)


def _stating(state: State, fault: Fault = Fault.NONE, *, cut: bool = False) -> WrongAnswer:
    """Report another state, with the counters that belong to it."""

    def heard(message: Message) -> Message:
        if not isinstance(message, Status | HelloReply):
            return message
        moves = state in (State.IDLE, State.MOVING, State.STOPPING)
        accepted = message.accepted if moves else message.executed
        message = replace(message, state=state, accepted=accepted)
        if isinstance(message, HelloReply):
            return message
        flags = message.flags | (Flag.CUT_SHORT if cut else 0)
        return replace(message, fault=fault, flags=flags)

    return WrongAnswer(heard)


def _refusing(reason: Reason, *kinds: type[Message]) -> WrongAnswer:
    def refused(seq: int, message: Message) -> bytes | None:
        if kinds and not isinstance(message, kinds):
            return None
        return encode_frame(Nak(seq, SPEC_BY_KIND[type(message)].code, reason))

    return WrongAnswer(refused=refused)


ANSWERS = {
    **{f"refuses all, {each.name}": _refusing(each) for each in Reason},
    **{f"refuses steps, {each.name}": _refusing(each, Step) for each in Reason},
    "accepts nothing": WrongAnswer(refused=lambda *_: b""),
    "accepts no steps": WrongAnswer(
        refused=lambda _, message: b"" if isinstance(message, Step) else None
    ),
    "acknowledges nothing": WrongAnswer(
        lambda message: None if isinstance(message, Ack) else message
    ),
    **{f"executed ahead by {by}": _ahead(by) for by in (1, 2, 12, 1000)},
    "accepted ahead": _counting(lambda at: replace(at, accepted=at.accepted + 1)),
    "all ahead": _counting(
        lambda at: replace(
            at, accepted=at.accepted + 1, next_seq=(at.next_seq + 1) % 256, executed=at.accepted
        )
    ),
    "executed beyond accepted": _counting(lambda at: replace(at, executed=at.accepted + 5)),
    "counters at 0": _counting(lambda at: replace(at, accepted=0, executed=0, next_seq=0)),
    "executed back": _counting(lambda at: replace(at, executed=max(0, at.executed - 1))),
    "executed stands still": _counting(lambda at: replace(at, executed=0)),
    "next number ahead": _counting(lambda at: replace(at, next_seq=(at.next_seq + 3) % 256)),
    "next number back": _counting(lambda at: replace(at, next_seq=(at.next_seq - 1) % 256)),
    "no credits": _counting(lambda at: replace(at, credits=0)),
    "too many credits": _counting(lambda at: replace(at, credits=255)),
    "another boot id": _greeting(lambda reply: replace(reply, boot_id=reply.boot_id ^ 1)),
    "another version": _greeting(lambda reply: replace(reply, protocol=PROTOCOL_VERSION + 1)),
    "unknown kind": _greeting(lambda reply: replace(reply, board=cast(BoardKind, 99))),
    "another nonce": _greeting(lambda reply: replace(reply, nonce=reply.nonce ^ 1)),
    "greets well": _greeting(lambda reply: reply),
    **{f"states {each.name}": _stating(each) for each in State},
    **{f"states ABORTED, {each.name}": _stating(State.ABORTED, each) for each in Fault},
    "states a cut": _stating(State.ABORTED, Fault.HOST_SILENT, cut=True),
    "states another cut": _stating(State.ABORTED, Fault.HOST_ABORT, cut=True),
    "stops": WrongAnswer(stops=True),
    "silent": WrongAnswer(lambda _: None),
    "deaf": WrongAnswer(deaf=True),
    "deaf and silent": WrongAnswer(lambda _: None, deaf=True),
    "missing": WrongAnswer(missing=True),
}
PLACES = ("greeting", "settings", "enable", "begin", "middle", "last", "stop")


class Hung(BaseException):
    """The program waits without an end."""


class WrongPort(SimulatedClock):
    """The port and the clock of a program whose board answers wrongly for a while.

    Implements `robot.ports.port.Port` and `Clock`.

    Args:
        rig: The rig.
        answer: What is wrong.
        place: Where it begins, one of PLACES.
        duration_s: How long it lasts.

    Attributes:
        true: The virtual rig behind it.
        begun_s: When it began; None if it did not yet.
        half_s: When half of the program was done.
        done: Steps that the board completed, of all programs.
        first: The number of them before the program; None before it begins.
    """

    def __init__(self, rig: Mechanism, answer: WrongAnswer, place: str, duration_s: float) -> None:
        super().__init__()
        self.true = VirtualRig(rig, self)
        self.begun_s: float | None = None
        self.half_s: float | None = None
        self.done = 0
        self.first: int | None = None
        self._answer, self._place, self._duration_s = answer, place, duration_s
        self._total = 0
        self._progress_s = 0.0
        self._counted = (0, 0)
        self._from_host, self._from_board = FrameDecoder(), FrameDecoder()
        self._travelling: list[tuple[float, bytes]] = []

    def begin_program(self, steps: int) -> None:
        """Note that the next steps are those of the program."""
        self.first, self._total = self.done, steps

    @property
    def waited_s(self) -> float:
        """Time since the last progress, while answers were wrong."""
        if self.begun_s is None:
            return 0.0
        return self.now_s() - max(self.begun_s, self._progress_s)

    def sleep(self, duration_s: float) -> None:
        """Let time pass.

        Raises:
            Hung: There was no progress for far too long.
        """
        super().sleep(duration_s)
        if self.waited_s > 6 * HUNG_S:
            raise Hung

    def watch(self, duration_s: float) -> int:
        """Let time pass after the program's end, and return how many steps are done or begun."""
        super().sleep(duration_s)
        self._look()
        return self.done + MOTORS_TOGETHER * self.true.board.turning

    # The port.

    @property
    def name(self) -> str:
        """Its name in messages."""
        return "wrong"

    def read(self, timeout_s: float) -> bytes:
        """Return what the board says, changed."""
        self._require_port()
        if self._wrong and self._answer.stops:
            self.true.board.stop(Fault.HOST_SILENT)
        due_s = min((at_s for at_s, _ in self._travelling), default=self.now_s() + timeout_s)
        data = self.true.read(max(0.0, min(timeout_s, due_s - self.now_s())))
        self._look()
        for received in self._from_board.feed(data):
            if isinstance(received, Packet):
                self._travelling.append((self.now_s() + LATENCY_S, self._changed(received)))
        arrived = [frame for at_s, frame in self._travelling if at_s <= self.now_s()]
        self._travelling = [each for each in self._travelling if each[0] > self.now_s()]
        return b"".join(arrived)

    def write(self, data: bytes) -> None:
        """Send what the host says, unless the board is deaf or refuses it."""
        for received in self._from_host.feed(data):
            if isinstance(received, Packet):
                self._look_at(received.message)
                self._send(received)
        self._require_port()

    def reopen(self) -> None:
        """Open it again."""
        self._require_port()

    def close(self) -> None:
        """Do nothing."""

    def _require_port(self) -> None:
        if self._wrong and self._answer.missing:
            raise PortMissingError("the port is missing")

    def _send(self, received: Packet) -> None:
        message, answer = received.message, self._answer
        if self._wrong and (answer.deaf or answer.missing):
            return
        if self._wrong and SPEC_BY_KIND[type(message)].way is Delivery.SEQUENCED:
            refusal = answer.refused(received.seq, message)
            if refusal is not None:
                self._travelling.append((self.now_s() + LATENCY_S, refusal))
                return
        self.true.write(encode_frame(message, received.seq))

    def _changed(self, received: Packet) -> bytes:
        message: Message | None = received.message
        if self._wrong:
            message = self._answer.heard(received.message)
        return b"" if message is None else encode_frame(message, received.seq)

    # The place of the wrong answers.

    @property
    def _wrong(self) -> bool:
        if self._place == "greeting":
            self._begin()
        return self.begun_s is not None and self.now_s() < self.begun_s + self._duration_s

    def _begin(self) -> None:
        if self.begun_s is None:
            self.begun_s = self.now_s()

    def _look_at(self, message: Message) -> None:
        if self.first is not None:
            begins = self._place == "begin" and isinstance(message, Step)
            begins = begins or (self._place == "stop" and isinstance(message, Abort))
        else:
            begins = self._place == "settings" and isinstance(message, Set)
            begins = begins or (self._place == "enable" and isinstance(message, Enable))
        if begins:
            self._begin()

    def _look(self) -> None:
        """Note what the board has done until now."""
        turned = len(self.true.moves)
        board = self.true.board
        counted = board.executed, board.accepted + turned
        if counted != self._counted:
            self.done += max(0, counted[0] - self._counted[0])
            self._counted, self._progress_s = counted, self.now_s()
        if self.first is None:
            return
        done = self.done - self.first
        if self.half_s is None and done >= self._total // 2:
            self.half_s = self.now_s()
        places = {"middle": self._total // 2, "last": self._total - 1}
        if done >= places.get(self._place, self._total + 1):
            self._begin()
