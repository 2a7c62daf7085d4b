"""Drives a rig: turns programs into turned faces, and stops in time."""

from collections.abc import Callable, Mapping
from types import TracebackType

from robot import link_events as events
from robot.clock import Clock, MonotonicClock
from robot.connection import ANSWER_TIMEOUT_S, GREETING_TIMEOUT_S, LONGEST_WAIT_S, Connection
from robot.errors import (
    AbortedError,
    BoardResetError,
    ForeignHostError,
    LinkError,
    NoAnswerError,
    RigError,
)
from robot.journal import Journal, JournalRecord, NoJournal, fingerprint, steps_taken
from robot.link_events import LinkEvent
from robot.packets import step_message
from robot.planner import plan_steps
from robot.port import Port
from robot.program import RigProgram
from robot.protocol import messages
from robot.protocol.messages import NO_MOTOR, EventKind, Fault, Flag, State
from robot.protocol.settings import Setting
from robot.rig import Rig
from robot.rig_settings import rig_settings
from robot.run import Run, RunProgress, RunResult

STANDSTILL_S = 5.0
"""A rig that turns nothing for so long beyond the modelled time is broken."""
REST_TIMEOUT_S = 15.0


class RigDriver:
    """One rig on one port.

    Args:
        port: An open port.
        rig: What the board is told about motors and times.
        clock: The time; simulated for a virtual rig that need not be watched.
        on_packet: Called with one line of text for each packet in either direction.
        seed: Of the greeting's numbers; from the system unless given.
        journal: Where a program is written down before it is turned; nowhere unless given.

    Attributes:
        executed: Steps of the last program that were turned completely, however it ended.
    """

    def __init__(
        self,
        port: Port,
        rig: Rig,
        clock: Clock | None = None,
        on_packet: Callable[[str], None] | None = None,
        seed: int | None = None,
        *,
        journal: Journal | None = None,
    ) -> None:
        self.executed = 0
        self._rig = rig
        self._journal: Journal = journal or NoJournal()
        self._clock = clock or MonotonicClock()
        self._connection = Connection(port, self._clock, self._on_event, on_packet, seed)
        self._run: Run | None = None
        self._button = False
        self._value: messages.Value | None = None
        self._abort_wanted = False

    def __enter__(self) -> "RigDriver":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def connect(self, timeout_s: float = GREETING_TIMEOUT_S) -> messages.HelloReply:
        """Greet the board, passing over what it says while it starts.

        Returns:
            What the board says of itself.

        Raises:
            NoAnswerError: Nothing was heard.
            NoiseError: Bytes came, but no packet.
            ProtocolVersionError: The board speaks another version.
            BoardResetError: It is the board of before, but it has restarted; connect again.
            PortMissingError: The port vanished.
        """
        self._connection.greet(timeout_s)
        return self._connection.board

    def use(self, rig: Rig) -> None:
        """Take another description of the rig; the next `prepare` tells the board."""
        self._rig = rig

    def prepare(self) -> None:
        """Make the board ready to turn: leave an old stop, send the rig's settings, switch on.

        Every face has to stand at a detent: this is the host's word for it. To be called before
        each run, because the board switches its motors off when they rest for long.

        Raises:
            RigError: The emergency stop is pressed, or the board drives too few motors.
            LinkError: The board cannot be reached.
        """
        status = self._wait_for_rest()
        if status.state is State.ESTOP and status.flags & Flag.ESTOP_DOWN:
            raise RigError("the emergency stop is pressed: release it, align the faces, try again")
        if status.state in (State.ABORTED, State.ESTOP):
            self._connection.settle(messages.Clear())
        settings = rig_settings(self._rig, self._connection.board.motors)
        self._connection.settle(*settings, messages.Enable(on=1))

    def run(
        self,
        program: RigProgram,
        on_progress: Callable[[RunProgress], None] | None = None,
        *,
        solves: bool = False,
    ) -> RunResult:
        """Turn a program, sending ahead as far as the board's queue allows.

        A lost connection is taken up again; the board's own count then says where to go on, so
        that no step is repeated and none is skipped. Ctrl-C stops the motors at the next detent
        before it goes on its way. `executed` tells afterwards, in every case, how many steps were
        turned completely.

        Args:
            program: The steps; none do nothing.
            on_progress: Called after every step that was turned.
            solves: Noted in the journal: the cube is solved at the end.

        Raises:
            AbortedError: The board stopped before the end.
            BoardResetError: The board restarted: the cube has to be scanned again.
            RigError: The board refuses a step or stands still.
            LinkError: The connection was lost and did not come back.
        """
        link = self._connection.link
        run = Run(program, link.accepted, self._clock.now_s(), on_progress, solves=solves)
        if program.steps:
            self._note_down(run)
        return self._carry_out(run, first=0)

    def resume(
        self, record: JournalRecord, on_progress: Callable[[RunProgress], None] | None = None
    ) -> RunResult:
        """Finish a program that another host began, after `connect` and without `prepare`.

        Args:
            record: What that host wrote down in its journal.
            on_progress: Called after every step that was turned, those of that host included.

        Raises:
            BoardResetError: The board has restarted since: the cube has to be scanned again.
            ForeignHostError: Somebody else spoke to the board since.
            AbortedError: The board left its work and needs a new scan.
            RigError: The rig has another wiring now.
            LinkError: The connection was lost and did not come back.
        """
        if fingerprint(self._rig) != record.rig:
            raise RigError(
                "the program was planned for other motors than the rig file now describes: scan "
                "again"
            )
        status = self._wait_for_rest((State.STOPPING,))
        try:
            taken, executed = steps_taken(record, self._connection.board, status)
        except (BoardResetError, ForeignHostError, AbortedError):
            self._journal.end()
            raise
        program = plan_steps(record.moves, self._rig)
        base = record.accepted - record.done
        run = Run(program, base, self._clock.now_s(), on_progress, solves=record.solves)
        run.note(base + executed, self._clock.now_s())
        if status.state is State.ABORTED:
            self._note_down(run, clearing=True)
            self._connection.settle(messages.Clear())
        return self._carry_out(run, first=taken)

    def _note_down(self, run: Run, *, clearing: bool = False) -> None:
        link = self._connection.link
        record = JournalRecord.of(
            run.program,
            self._rig,
            self._connection.board,
            link.position,
            done=run.executed,
            solves=run.solves,
            clearing=clearing,
        )
        self._journal.begin(record)

    def _carry_out(self, run: Run, first: int) -> RunResult:
        """Send the steps from the given one on, and wait until all are turned."""
        self._abort_wanted = False
        self._run = run
        try:
            self._send_steps(run, first)
            while run.executed < run.total:
                self._follow(run)
        except LinkError as error:
            if isinstance(error, (BoardResetError, ForeignHostError)):
                self._journal.end()
            raise  # the board may still be there: its record is kept
        except RigError:
            self._journal.end()
            raise
        except BaseException as interruption:  # Ctrl-C, or a bug in on_progress: motors first
            run.mute()
            self._stop_for(interruption, run)
            raise
        finally:
            self._run = None
            self.executed = run.executed
        self._journal.end()
        return run.result(self._clock.now_s())

    def _stop_for(self, interruption: BaseException, run: Run) -> None:
        try:
            run.note(self._connection.stop().executed, self._clock.now_s())
            self._journal.end()
        except LinkError as error:
            interruption.add_note(f"the motors may still be turning: {error}")

    def abort(self) -> None:
        """Let `run` stop at the next detent; may be called from another thread."""
        self._abort_wanted = True

    def stop(self) -> messages.Status:
        """Stop at the next detent and wait until the board confirms it.

        Raises:
            LinkError: The board does not confirm.
        """
        return self._connection.stop()

    def release(self) -> None:
        """Switch the motor current off; the faces can then be moved by hand.

        Raises:
            LinkError: The board cannot be reached.
            RigError: The board is turning.
        """
        self._connection.settle(messages.Enable(on=0))

    def status(self) -> messages.Status:
        """Ask the board for its condition.

        Raises:
            LinkError: It does not say.
        """
        return self._connection.status()

    def set(self, motor: int, values: Mapping[Setting, int]) -> None:
        """Write settings of one motor; `prepare` writes the rig's again.

        Raises:
            RigError: The board turns, or refuses a value.
            LinkError: The board cannot be reached.
        """
        written = [messages.Set(key, motor, value) for key, value in values.items()]
        self._connection.settle(*written)

    def setting(self, key: Setting, motor: int = NO_MOTOR) -> int:
        """Read a setting back from the board.

        Args:
            key: Which one.
            motor: Its channel, for a setting that each motor has.

        Raises:
            RigError: The board has no such setting.
            LinkError: It does not say.
        """
        self._value = None
        give_up_s = self._clock.now_s() + ANSWER_TIMEOUT_S
        while self._clock.now_s() < give_up_s:
            self._connection.settle(messages.Get(key, motor))
            if self._value is not None and (self._value.key, self._value.motor) == (key, motor):
                return self._value.value
        raise NoAnswerError(f"the board does not tell {key.name}: reset it and try again")

    def wait_for_button(self, timeout_s: float) -> bool:
        """Wait for the solve button on the board.

        Returns:
            Whether it was pressed within the time.

        Raises:
            BoardResetError: The board restarted meanwhile; connect again.
            LinkError: The connection was lost and did not come back.
        """
        deadline_s = self._clock.now_s() + timeout_s
        while not self._button and self._clock.now_s() < deadline_s:
            self._connection.pump_or_mend(deadline_s)
        pressed, self._button = self._button, False
        return pressed

    def close(self) -> None:
        """Give the port back; the motors hold until the board's idle time-out."""
        self._connection.close()

    def _on_event(self, event: LinkEvent) -> None:
        match event:
            case events.BoardSaid(said) if said.kind is EventKind.BUTTON:
                self._button = True
            case events.SettingRead(value):
                self._value = value
            case events.Progress(_, executed) if self._run is not None:
                self._run.note(executed, self._clock.now_s())
            case events.Stopped(status) if self._run is not None:
                self._run.stopped = status

    def _wait_for_rest(
        self, busy: tuple[State, ...] = (State.MOVING, State.STOPPING)
    ) -> messages.Status:
        """Wait until the board has turned what an earlier host left in its queue."""
        deadline_s = self._clock.now_s() + REST_TIMEOUT_S
        while True:
            status = self._connection.status()
            if status.state not in busy:
                return status
            if self._clock.now_s() > deadline_s:
                raise RigError("the board does not come to rest: press its reset button")
            self._connection.pump_or_mend(self._clock.now_s() + LONGEST_WAIT_S)

    def _send_steps(self, run: Run, first: int) -> None:
        for step in run.program.steps[first:]:
            self._connection.link.send(step_message(step))

    def _follow(self, run: Run) -> None:
        """Carry bytes once, and see what has become of the run."""
        if self._abort_wanted:
            status = self._connection.stop()
            run.note(status.executed, self._clock.now_s())
            raise run.aborted(status)
        if self._connection.pump_or_mend(self._clock.now_s() + LONGEST_WAIT_S):
            run.moved_s = self._clock.now_s()
        if run.stopped is not None:
            self._go_on(run, run.stopped)
        elif self._clock.now_s() > run.moved_s + run.longest_step_s + STANDSTILL_S:
            self._connection.stop()
            raise RigError(
                f"the rig stands still after {run.executed} of {run.total} steps: "
                "check the board and the motors' power"
            )

    def _go_on(self, run: Run, status: messages.Status) -> None:
        """Go on after a stop when nothing but our own silence was the cause.

        The board then stands at a detent, and its count says after which step.
        """
        run.stopped = None
        partial = status.partial_a or status.partial_b
        if status.state is not State.ABORTED or status.fault is not Fault.HOST_SILENT or partial:
            raise run.aborted(status)
        self._note_down(run, clearing=True)
        self._connection.settle(messages.Clear())
        self._send_steps(run, run.executed)
