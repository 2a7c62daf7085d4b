"""Drives a rig: carries bytes between link and port, and turns programs into turned faces."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType

from cube.moves import MoveSequence
from robot import link_events as events
from robot.clock import Clock, MonotonicClock
from robot.errors import (
    AbortedError,
    BoardResetError,
    LinkError,
    NoAnswerError,
    NoiseError,
    ProtocolVersionError,
    RigError,
)
from robot.link import Link, LinkState
from robot.link_events import LinkEvent
from robot.packets import PacketLog, describe_message, step_message
from robot.port import Port
from robot.program import RigProgram
from robot.protocol import messages
from robot.protocol.messages import NO_MOTOR, PROTOCOL_VERSION, EventKind, Fault, Flag, State
from robot.protocol.settings import Setting
from robot.rig import Rig

CONNECT_TIMEOUT_S = 5.0
"""An Arduino's bootloader takes up to two seconds after the port opens."""
RECONNECT_TIMEOUT_S = 15.0
ANSWER_TIMEOUT_S = 2.0
STOP_TIMEOUT_S = 3.0
STANDSTILL_S = 5.0
"""A rig that turns nothing for so long beyond the modelled time is broken."""
_LONGEST_WAIT_S = 0.05
_REOPEN_INTERVAL_S = 0.25


@dataclass(frozen=True, slots=True)
class RunProgress:
    """How far a program is.

    Attributes:
        executed: Steps turned completely.
        total: Steps of the program.
        elapsed_s: Time since the program began.
    """

    executed: int
    total: int
    elapsed_s: float


@dataclass(frozen=True, slots=True)
class RunResult:
    """What became of a program that ran to its end.

    Attributes:
        executed: Steps turned completely.
        moves: The moves that these steps made.
        elapsed_s: Time from the first packet to the board's word that the last step was turned.
    """

    executed: int
    moves: MoveSequence
    elapsed_s: float


class RigDriver:
    """One rig on one port.

    Args:
        port: An open port.
        rig: What the board is told about motors and times.
        clock: The time; simulated for a virtual rig that need not be watched.
        on_packet: Called with one line of text for each packet in either direction.
    """

    def __init__(
        self,
        port: Port,
        rig: Rig,
        clock: Clock | None = None,
        on_packet: Callable[[str], None] | None = None,
        seed: int | None = None,
    ) -> None:
        self._port = port
        self._rig = rig
        self._clock = clock or MonotonicClock()
        self._on_packet = on_packet
        self._logs = (PacketLog("→"), PacketLog("←"))
        self._nonces = random.Random(seed)
        self._link = Link()
        self._status: messages.Status | None = None
        self._button = False
        self._abort_wanted = False
        self.executed = 0

    def __enter__(self) -> "RigDriver":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # Connecting.

    def connect(self, timeout_s: float = CONNECT_TIMEOUT_S) -> messages.HelloReply:
        """Greet the board, passing over what it says while it starts.

        Returns:
            What the board says of itself.

        Raises:
            NoAnswerError: Nothing was heard.
            NoiseError: Bytes came, but no packet.
            ProtocolVersionError: The board speaks another version.
            BoardResetError: It is the board of before, but it has restarted.
            PortMissingError: The port vanished.
        """
        self._link.open(self._clock.now_s(), timeout_s, self._nonces.randrange(0x10000))
        while self._link.state is LinkState.GREETING:
            self._pump(self._clock.now_s() + timeout_s)
        board = self._link.board
        if board is None or self._link.state is not LinkState.READY:
            raise NoAnswerError(_NO_ANSWER.format(self._port.name))
        return board

    def prepare(self) -> None:
        """Make the board ready to turn: leave an old stop, send the rig's settings, switch on.

        Every face has to stand at a detent: this is the host's word for it.

        Raises:
            RigError: The emergency stop is pressed, or the board drives too few motors.
            LinkError: The board cannot be reached.
        """
        self.wait_for_rest()
        status = self.status()
        if status.state is State.ESTOP and status.flags & Flag.ESTOP_DOWN:
            raise RigError("the emergency stop is pressed: release it, align the faces, try again")
        if status.state in (State.ABORTED, State.ESTOP):
            self._link.send(messages.Clear())
        for message in rig_settings(self._rig, self._board().motors):
            self._link.send(message)
        self._link.send(messages.Enable(on=1))
        self._settle()

    def wait_for_rest(self) -> None:
        """Wait until the board has turned what an earlier host left in its queue.

        Raises:
            LinkError: The board cannot be reached.
            RigError: It never comes to rest.
        """
        deadline_s = self._clock.now_s() + RECONNECT_TIMEOUT_S
        while self.status().state in (State.MOVING, State.STOPPING):
            if self._clock.now_s() > deadline_s:
                raise RigError("the board does not come to rest: press its reset button")
            self._pump(self._clock.now_s() + _LONGEST_WAIT_S)

    # Turning.

    def run(
        self, program: RigProgram, on_progress: Callable[[RunProgress], None] | None = None
    ) -> RunResult:
        """Turn a program, sending ahead as far as the board's queue allows.

        A lost connection is taken up again; the board's own count then says where to go on, so
        that no step is repeated and none is skipped. Ctrl-C stops the motors at the next detent
        before it goes on its way. `executed` tells afterwards, in every case, how many steps were
        turned completely.

        Args:
            program: The steps; none do nothing.
            on_progress: Called after every step that was turned.

        Raises:
            AbortedError: The board stopped before the end.
            BoardResetError: The board restarted: the cube has to be scanned again.
            RigError: The board refuses a step or stands still.
            LinkError: The connection was lost and did not come back.
        """
        run = _Run(program, self._link.accepted, self._clock.now_s(), on_progress)
        self.executed = 0
        self._abort_wanted = False
        try:
            self._send_steps(program, 0)
            while run.executed < len(program.steps):
                if self._abort_wanted:
                    self._confirm_stop()
                    raise AbortedError(_aborted_text(Fault.HOST_ABORT, run), run.executed)
                self._follow(run)
        except KeyboardInterrupt:
            self._confirm_stop()
            run.note(self._link.executed, self._clock.now_s())
            raise
        finally:
            self.executed = run.executed
        elapsed_s = self._clock.now_s() - run.start_s
        return RunResult(run.executed, program.moves_of(run.executed), elapsed_s)

    def abort(self) -> None:
        """Stop at the next detent; may be called from another thread while `run` runs."""
        self._abort_wanted = True

    def stop(self) -> messages.Status:
        """Stop at the next detent and wait until the board confirms it.

        Raises:
            LinkError: The board does not confirm.
        """
        return self._confirm_stop()

    def release(self) -> None:
        """Switch the motor current off; the faces can then be moved by hand."""
        self._link.send(messages.Enable(on=0))
        self._settle()

    # Asking.

    def status(self) -> messages.Status:
        """Ask the board for its condition.

        Raises:
            NoAnswerError: It does not say.
        """
        self._status = None
        give_up_s = self._clock.now_s() + ANSWER_TIMEOUT_S
        while self._status is None:
            self._link.request_status()
            ask_again_s = self._clock.now_s() + 0.1
            while self._status is None and self._clock.now_s() < ask_again_s:
                self._pump(ask_again_s)
            if self._status is None and self._clock.now_s() >= give_up_s:
                raise NoAnswerError(_NO_ANSWER.format(self._port.name))
        return self._status

    def wait_for_button(self, timeout_s: float) -> bool:
        """Wait for the solve button on the board.

        Returns:
            Whether it was pressed within the time.
        """
        deadline_s = self._clock.now_s() + timeout_s
        while not self._button and self._clock.now_s() < deadline_s:
            self._pump(deadline_s)
        pressed, self._button = self._button, False
        return pressed

    def close(self) -> None:
        """Give the port back; the motors hold until the board's idle time-out."""
        self._link.hang_up()
        self._port.close()

    # The pump.

    def _pump(self, until_s: float) -> list[LinkEvent]:
        """Carry bytes once in each direction, waiting for news until a moment at most.

        Returns:
            What happened, except for what ends the connection, which is raised.
        """
        now_s = self._clock.now_s()
        data = self._link.bytes_to_send(now_s)
        if data:
            self._log(0, data)
            self._port.write(data)
        wake_s = self._link.next_wake_s()
        wait_s = min(until_s, now_s + _LONGEST_WAIT_S, wake_s if wake_s is not None else until_s)
        received = self._port.read(max(0.0, wait_s - now_s))
        now_s = self._clock.now_s()
        if received:
            self._log(1, received)
        happened = self._link.receive(received, now_s) + self._link.pass_time(now_s)
        for event in happened:
            self._on_event(event)
        return happened

    def _on_event(self, event: LinkEvent) -> None:
        match event:
            case events.Reported(status):
                self._status = status
            case events.BoardSaid(said) if said.kind is EventKind.BUTTON:
                self._button = True
            case events.NotAnswered(heard):
                noise = heard is events.Silence.NOISE
                text = (_NOISE if noise else _NO_ANSWER).format(self._port.name)
                raise NoiseError(text) if noise else NoAnswerError(text)
            case events.OtherVersion(version):
                raise ProtocolVersionError(
                    f"the board on {self._port.name} speaks version {version} of the protocol, "
                    f"this program version {PROTOCOL_VERSION}: load the firmware that belongs to "
                    "this program (firmware/README.md)"
                )
            case events.BoardRestarted(reply):
                raise BoardResetError(
                    f"the board on {self._port.name} restarted "
                    f"({reply.reset_cause.name.lower().replace('_', ' ')}): nobody knows what the "
                    "cube looks like now; align the faces by hand and scan again"
                )
            case events.Desynchronised(text):
                raise LinkError(
                    f"another program spoke to the board on {self._port.name}: {text}; "
                    "close that program, align the faces and scan again"
                )
            case events.Refused(message, reason):
                raise RigError(
                    f"the board refuses {describe_message(message)}: "
                    f"{reason.name.lower().replace('_', ' ')}; check the rig file"
                )

    def _settle(self) -> None:
        """Wait until the board has taken everything that was queued."""
        while not self._link.settled:
            try:
                self._pump(self._clock.now_s() + _LONGEST_WAIT_S)
            except (NoAnswerError, NoiseError):
                self._reconnect()

    def _board(self) -> messages.HelloReply:
        if self._link.board is None:
            raise NoAnswerError(f"{self._port.name} is not connected: call connect first")
        return self._link.board

    def _log(self, direction: int, data: bytes) -> None:
        if self._on_packet is not None:
            for line in self._logs[direction].lines(data):
                self._on_packet(line)

    # Parts of `run`.

    def _send_steps(self, program: RigProgram, first: int) -> None:
        for step in program.steps[first:]:
            self._link.send(step_message(step))

    def _follow(self, run: "_Run") -> None:
        """Carry bytes once, and mend what can be mended."""
        try:
            happened = self._pump(self._clock.now_s() + _LONGEST_WAIT_S)
        except BoardResetError:
            raise
        except (NoAnswerError, NoiseError, LinkError) as error:
            if isinstance(error, ProtocolVersionError):
                raise
            happened = self._reconnect()
        for event in happened:
            if isinstance(event, events.Progress):
                run.note(event.executed, self._clock.now_s())
            elif isinstance(event, events.Stopped):
                self._go_on_or_raise(event.status, run)
        if self._clock.now_s() > run.moved_s + run.longest_step_s + STANDSTILL_S:
            self._confirm_stop()
            raise RigError(
                f"the rig stands still after {run.executed} of {len(run.program.steps)} steps: "
                "check the motors' power and the board"
            )

    def _go_on_or_raise(self, status: messages.Status, run: "_Run") -> None:
        run.note(status.executed, self._clock.now_s())
        whole = not (status.partial_a or status.partial_b)
        if status.fault is not Fault.HOST_SILENT or not whole:
            raise AbortedError(_aborted_text(status.fault, run), run.executed)
        # The board thought that we were gone; it stands at a detent and we know where.
        self._link.send(messages.Clear())
        self._settle()
        self._send_steps(run.program, run.executed)
        run.base = self._link.executed - run.executed

    def _reconnect(self) -> list[LinkEvent]:
        """Take a lost connection up again, as often as the time allows."""
        deadline_s = self._clock.now_s() + RECONNECT_TIMEOUT_S
        self._link.hang_up()
        while True:
            try:
                self._port.reopen()
                return self._greet_again()
            except (BoardResetError, ProtocolVersionError):
                raise
            except LinkError as error:
                if self._clock.now_s() >= deadline_s:
                    raise type(error)(
                        f"the connection was lost and did not come back: {error}"
                    ) from error
                self._link.hang_up()
                self._clock.sleep(_REOPEN_INTERVAL_S)

    def _greet_again(self) -> list[LinkEvent]:
        self._link.open(self._clock.now_s(), CONNECT_TIMEOUT_S, self._nonces.randrange(0x10000))
        happened: list[LinkEvent] = []
        while self._link.state is LinkState.GREETING:
            happened += self._pump(self._clock.now_s() + CONNECT_TIMEOUT_S)
        return happened

    def _confirm_stop(self) -> messages.Status:
        """Send ABORT until the board says that it has stopped."""
        deadline_s = self._clock.now_s() + STOP_TIMEOUT_S
        while True:
            self._link.abort()
            try:
                status = self.status()
                if status.state not in (State.MOVING, State.STOPPING, State.IDLE):
                    return status
            except NoAnswerError:
                if self._clock.now_s() >= deadline_s:
                    raise
                self._reconnect()
            if self._clock.now_s() >= deadline_s:
                raise NoAnswerError(
                    f"the board on {self._port.name} does not confirm that it stopped: "
                    "press the emergency stop"
                )


@dataclass(slots=True)
class _Run:
    """A program on its way; `base` is the board's count before its first step."""

    program: RigProgram
    base: int
    start_s: float
    on_progress: Callable[[RunProgress], None] | None
    executed: int = 0
    moved_s: float = 0.0

    def __post_init__(self) -> None:
        self.moved_s = self.start_s

    @property
    def longest_step_s(self) -> float:
        """Modelled time of the slowest step."""
        return max((step.duration_s for step in self.program.steps), default=0.0)

    def note(self, executed: int, now_s: float) -> None:
        """Take the board's count of executed moves."""
        while self.executed < executed - self.base:
            self.executed += 1
            self.moved_s = now_s
            if self.on_progress is not None:
                total = len(self.program.steps)
                self.on_progress(RunProgress(self.executed, total, now_s - self.start_s))


def rig_settings(rig: Rig, motors: int) -> list[messages.Set]:
    """Turn a rig's description into the settings of its board.

    Args:
        rig: The rig.
        motors: Channels that the board drives.

    Raises:
        RigError: The rig uses a channel that the board does not have.
    """
    found = []
    for face, motor in rig.motors.items():
        if motor.channel >= motors:
            raise RigError(
                f"the board drives {motors} motors, but motors.{face}.channel is {motor.channel}: "
                "correct the rig file, or use a board with more outputs"
            )
        reversed_ = int(motor.direction < 0)
        found += [
            messages.Set(Setting.STEPS_PER_QUARTER, motor.channel, motor.steps_per_quarter),
            messages.Set(Setting.RATE_STEPS_S, motor.channel, motor.rate_steps_s),
            messages.Set(Setting.ACCELERATION_STEPS_S2, motor.channel, motor.acceleration_steps_s2),
            messages.Set(Setting.DIRECTION, motor.channel, reversed_),
        ]
    active_high = int(rig.enable_active == "high")
    return [
        *found,
        messages.Set(Setting.GAP_US, NO_MOTOR, rig.gap_us),
        messages.Set(Setting.HOST_TIMEOUT_MS, NO_MOTOR, rig.host_timeout_ms),
        messages.Set(Setting.IDLE_TIMEOUT_MS, NO_MOTOR, rig.idle_timeout_ms),
        messages.Set(Setting.ENABLE_POLARITY, NO_MOTOR, active_high),
    ]


_NO_ANSWER = (
    "nothing answers on {}: check that the board has power and that Thistlebot's firmware is "
    "loaded (firmware/README.md)"
)
_NOISE = (
    "what comes from {} is no packet of ours: check the baud rate in the rig file, and that "
    "Thistlebot's firmware is loaded (firmware/README.md)"
)
_CAUSES = {
    Fault.NONE: "the motors were switched off: align the faces and scan again",
    Fault.HOST_ABORT: "stopped at a detent; scan the cube again before the next solve",
    Fault.HOST_SILENT: "the board heard nothing from this program and stopped: scan again",
    Fault.ESTOP: "the emergency stop was pressed: release it, align the faces and scan again",
    Fault.STALL: "a motor stalled: free the cube, align the faces and scan again",
    Fault.BOARD_ERROR: "the board found an error in itself: reset it, align the faces, scan again",
}


def _aborted_text(fault: Fault, run: _Run) -> str:
    return f"stopped after {run.executed} of {len(run.program.steps)} steps: {_CAUSES[fault]}"
