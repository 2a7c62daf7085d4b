"""A link on a port: transfers the bytes, keeps the time, and restores a lost connection."""

import random
from collections.abc import Callable
from contextlib import suppress

from robot.errors import (
    BoardResetError,
    ConnectionLostError,
    ForeignHostError,
    LinkError,
    NoAnswerError,
    NoiseError,
    PortMissingError,
    ProtocolVersionError,
    RigError,
)
from robot.link import events
from robot.link.events import LinkEvent
from robot.link.link import Link
from robot.link.packet_log import PacketLog, describe_message, where_refused
from robot.ports.port import Clock, Port
from robot.protocol import messages
from robot.protocol.frames import ABORT_FRAME, ForeignHello
from robot.protocol.link_states import LinkState
from robot.protocol.messages import PROTOCOL_VERSION, Reason, State
from robot.protocol.schema import Message

RECONNECT_TIMEOUT_S = 5.0
GREETING_TIMEOUT_S = 5.0
"""An Arduino's bootloader takes up to two seconds after the port opens."""
ANSWER_TIMEOUT_S = 2.0
SETTLE_TIMEOUT_S = 4.0
STOP_TIMEOUT_S = 3.0
LONGEST_WAIT_S = 0.05
_ASK_AGAIN_S = 0.1
_STOP_POLL_S = 0.01
_REOPEN_INTERVAL_S = 0.25
_SHORTEST_GREETING_S = 1.0
_MENDABLE = (NoAnswerError, NoiseError, PortMissingError)


class Connection:
    """One board on one port.

    Args:
        port: An open port.
        clock: The clock.
        on_event: Called with every event that does not end the connection or the work.
        on_packet: Called with one line of text for each packet in either direction.
        seed: Seed of the greeting's nonces; by default from the system.

    Attributes:
        stop_wanted: Called during every wait, except that for the end of a stop: returns whether to
            end the wait with a KeyboardInterrupt.
    """

    def __init__(
        self,
        port: Port,
        clock: Clock,
        on_event: Callable[[LinkEvent], None],
        on_packet: Callable[[str], None] | None = None,
        seed: int | None = None,
    ) -> None:
        self.link = Link()
        self._port = port
        self._clock = clock
        self._on_event = on_event
        self._on_packet = on_packet
        self._logs = (PacketLog("→"), PacketLog("←"))
        self._nonces = random.Random(seed)  # noqa: S311 - tells answers apart, keeps no secret
        self._status: messages.Status | None = None
        self._stopping = False
        self.stop_wanted: Callable[[], bool] = lambda: False

    @property
    def name(self) -> str:
        """The name of the port."""
        return self._port.name

    @property
    def board(self) -> messages.HelloReply:
        """What the board last reported about itself.

        Raises:
            NoAnswerError: The board was never greeted.
        """
        if self.link.board is None:
            raise NoAnswerError(f"{self.name} is not connected: call connect first")
        return self.link.board

    def greet(self, timeout_s: float = GREETING_TIMEOUT_S) -> None:
        """Greet the board; ignore what it sends while it starts.

        Raises:
            LinkError: As for `RigDriver.connect`.
        """
        self.link.open(self._clock.now_s(), timeout_s, self._nonces.randrange(0x10000))
        while self.link.state is LinkState.GREETING:
            self.pump(self._clock.now_s() + timeout_s)

    def pump(self, until_s: float) -> None:
        """Transfer bytes once in each direction; wait for data until the given time at most.

        Raises:
            KeyboardInterrupt: `stop_wanted` returned true.
            LinkError: The connection ended.
            RigError: The board refused a message.
        """
        self._require_not_stopped()
        now_s = self._clock.now_s()
        data = self.link.bytes_to_send(now_s)
        if data:
            self._log(0, data)
            self._port.write(data)
        wake_s = self.link.next_wake_s()
        wait_s = min(until_s, now_s + LONGEST_WAIT_S, until_s if wake_s is None else wake_s)
        received = self._port.read(max(0.0, wait_s - now_s))
        now_s = self._clock.now_s()
        self._log(1, received)
        failure: LinkError | RigError | None = None
        for event in self.link.receive(received, now_s) + self.link.pass_time(now_s):
            if isinstance(event, messages.Status):
                self._status = event
            failure = failure or self._failure(event)
            self._on_event(event)
        if failure is not None:
            raise failure

    def pump_or_mend(self, until_s: float) -> bool:
        """Transfer bytes once; if the connection is lost, restore it.

        Returns:
            Whether it had to be restored.

        Raises:
            NoAnswerError: There is no connection to restore.
            LinkError: It could not be restored.
            RigError: The board refused a message.
        """
        self.require_connected()
        if self.link.state is LinkState.LOST:
            self.reconnect()
            return True
        try:
            self.pump(until_s)
        except _MENDABLE:
            self.link.hang_up()
            self.reconnect()
            return True
        return False

    def settle(self, *queued: Message) -> None:
        """Send some messages and wait until the board has accepted all of them.

        Raises:
            NoAnswerError: The board accepts none of them for too long.
            LinkError: The connection was lost for good.
            RigError: The board refused a message.
        """
        for message in queued:
            self.link.send(message)
        taken, give_up_s = None, 0.0
        try:
            while not self.link.settled:
                if taken != self.link.position.next_seq:
                    taken = self.link.position.next_seq
                    give_up_s = self._clock.now_s() + SETTLE_TIMEOUT_S
                if self._clock.now_s() >= give_up_s:
                    break
                self.pump_or_mend(self._clock.now_s() + LONGEST_WAIT_S)
            settled = self.link.settled
        finally:
            self.link.forget()  # or it would be sent later
        if not settled:
            raise NoAnswerError(_NOT_ACCEPTED.format(self.name))

    def status(self) -> messages.Status:
        """Ask the board for its status.

        Raises:
            NoAnswerError: The board does not answer.
            LinkError: The connection was lost for good.
        """
        return self._ask_status(mend=True)

    def _ask_status(self, *, mend: bool) -> messages.Status:
        """Ask for the status; restore a lost connection at most once."""
        self._status = None
        give_up_s = self._clock.now_s() + ANSWER_TIMEOUT_S
        while self._clock.now_s() < give_up_s:
            self.link.request_status()
            ask_again_s = self._clock.now_s() + _ASK_AGAIN_S
            while self._clock.now_s() < ask_again_s:
                if not mend:
                    self.pump(ask_again_s)
                elif self.pump_or_mend(ask_again_s):
                    mend, give_up_s = False, self._clock.now_s() + ANSWER_TIMEOUT_S
                if self._status is not None:
                    return self._status
        raise NoAnswerError(_NO_ANSWER.format(self.name))

    def reconnect(self) -> None:
        """Restore a lost connection; try until the time is up.

        Raises:
            ConnectionLostError: It did not come back.
            LinkError: Another board or program answered.
        """
        deadline_s = self._clock.now_s() + RECONNECT_TIMEOUT_S
        while self.link.state is not LinkState.READY:
            self._require_not_stopped()
            self.link.hang_up()
            try:
                self._port.reopen()
                self.greet(max(deadline_s - self._clock.now_s(), _SHORTEST_GREETING_S))
            except (BoardResetError, ProtocolVersionError, ForeignHostError):
                raise
            except LinkError as error:
                if self._clock.now_s() >= deadline_s:
                    lost = f"the connection was lost and did not come back: {error}"
                    raise ConnectionLostError(lost) from error
                self._clock.sleep(_REOPEN_INTERVAL_S)

    def stop(self) -> messages.Status:
        """Send ABORT until the board confirms that it is at rest.

        This starts with a new link: the old one's work no longer matters, and an interrupt may have
        left it in the middle of an operation. Whatever answers is told to stop, even a board that
        has restarted.

        Raises:
            BoardResetError: The board has restarted.
            LinkError: The board does not confirm in time.
        """
        known, self.link = self.link.board, Link()
        deadline_s = self._clock.now_s() + STOP_TIMEOUT_S
        self._stopping = True
        try:
            status = self._abort(deadline_s)
        finally:
            self._stopping = False
        if known is not None and known.boot_id != self.board.boot_id:
            self.link = Link(self.board)  # which must be connected again
            raise BoardResetError(self._restarted(self.board))
        return status

    def _abort(self, deadline_s: float) -> messages.Status:
        greeting_s = _SHORTEST_GREETING_S
        while True:
            try:
                self._port.write(ABORT_FRAME)
                if self.link.state is not LinkState.READY:
                    self.greet(greeting_s)
                status = self._ask_status(mend=False)
                if status.state not in (State.IDLE, State.MOVING, State.STOPPING):
                    return status
                failure: LinkError = NoAnswerError(_NO_STOP.format(self.name))
            except _MENDABLE as error:
                failure = error
                self.link.hang_up()
                with suppress(LinkError):
                    self._port.reopen()
                greeting_s = max(deadline_s - self._clock.now_s(), _SHORTEST_GREETING_S)
            except LinkError:
                self._port.write(ABORT_FRAME)  # the first one may have been lost
                raise
            if self._clock.now_s() >= deadline_s:
                raise failure
            self._clock.sleep(_STOP_POLL_S)

    def close(self) -> None:
        """Close the port."""
        self.link.hang_up()
        self._port.close()

    def require_connected(self) -> None:
        """Refuse to work with a board that was not greeted, has restarted, or is a foreign one.

        Raises:
            NoAnswerError: There is no connection.
        """
        if self.link.state in (LinkState.CLOSED, LinkState.RESTARTED, LinkState.FOREIGN):
            raise NoAnswerError(f"{self.name} is not connected: call connect first")

    def _require_not_stopped(self) -> None:
        if not self._stopping and self.stop_wanted():
            raise KeyboardInterrupt

    def _restarted(self, reply: messages.HelloReply) -> str:
        cause = reply.reset_cause.name.lower().replace("_", " ")
        return _RESTARTED.format(self.name, cause)

    def _log(self, direction: int, data: bytes) -> None:
        if self._on_packet is not None:
            for line in self._logs[direction].lines(data):
                self._on_packet(line)

    def _failure(self, event: LinkEvent) -> LinkError | RigError | None:
        """Return the error for an event that ends the connection or the work."""
        match event:
            case events.NotAnswered(noise):
                text = (_NOISE if noise else _NO_ANSWER).format(self.name)
                return NoiseError(text) if noise else NoAnswerError(text)
            case ForeignHello(version, unknown):
                text = _UNKNOWN_BOARD.format(self.name, unknown) if unknown else ""
                return ProtocolVersionError(text or _OTHER_VERSION.format(self.name, version))
            case events.BoardRestarted(reply):
                return BoardResetError(self._restarted(reply))
            case events.Desynchronised(text):
                return ForeignHostError(_FOREIGN_HOST.format(self.name, text))
            case events.Refused(message, reason):
                why = reason.name.lower().replace("_", " ")
                known = {*Reason} - {Reason.UNKNOWN_KEY, Reason.UNKNOWN_TYPE}
                remedy = where_refused(message) if reason in known else _FLASH
                return RigError(f"the board refuses {describe_message(message)}: {why}; {remedy}")
        return None


_NO_ANSWER = (
    "nothing answers on {}: check that the board has power and that Thistlebot's firmware is "
    "loaded (`thistlebot manual firmware`)"
)
_NOISE = (
    "{} sends data that is not Thistlebot's protocol: check the baud rate in the rig file, "
    "and that Thistlebot's firmware is loaded (`thistlebot manual firmware`)"
)
_FLASH = "load the firmware that belongs to this program (`thistlebot flash`)"
_OTHER_VERSION = (
    "the board on {} uses protocol version {}, this program uses version "
    f"{PROTOCOL_VERSION}: {_FLASH}"
)
_UNKNOWN_BOARD = (
    "the board on {} answers, but this program does not know it ({}): update Thistlebot, or "
    f"{_FLASH}"
)
_NOT_ACCEPTED = (
    "the board on {} answers, but accepts no commands: restart it and try again; if that does not "
    f"help, {_FLASH}"
)
_NO_STOP = "the board on {} does not confirm that it stopped: press the emergency stop"
_RESTARTED = (
    "the board on {} restarted ({}), so the state of the cube is unknown; align the faces by "
    "hand and scan again"
)
_FOREIGN_HOST = (
    "another program sent commands to the board on {}: {}; close that program, align the "
    "faces and scan again"
)
