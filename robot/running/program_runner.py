"""Carries a program through a connection to its end, whatever happens on the way."""

from collections.abc import Callable

from robot.errors import AbortedError, BoardResetError, ForeignHostError, LinkError, RigError
from robot.link import events
from robot.link.connection import LONGEST_WAIT_S, Connection
from robot.link.events import LinkEvent
from robot.link.packets import step_message
from robot.ports.clock import Clock
from robot.protocol import messages
from robot.protocol.messages import EventKind, Fault, State
from robot.rigs.planner import plan_steps
from robot.rigs.program import RigProgram
from robot.rigs.rig import Rig
from robot.running.journal import Journal, JournalRecord, fingerprint, steps_taken
from robot.running.run import Run, RunProgress, RunResult

STANDSTILL_S = 5.0
"""A rig that turns nothing for so long beyond the modelled time is broken."""
REST_TIMEOUT_S = 15.0


class ProgramRunner:
    """The part of a rig's driver that turns programs.

    Args:
        connection: The board.
        clock: The time.
        journal: Where a program is written down before it is turned.

    Attributes:
        executed: Steps of the last program that were turned completely, however it ended.
    """

    def __init__(self, connection: Connection, clock: Clock, journal: Journal) -> None:
        self.executed = 0
        self._connection = connection
        self._clock = clock
        self._journal = journal
        self._run: Run | None = None
        self._abort_wanted = False

    def run(
        self,
        program: RigProgram,
        rig: Rig,
        on_progress: Callable[[RunProgress], None] | None,
        *,
        solves: bool,
    ) -> RunResult:
        """Turn a program; see `RigDriver.run`."""
        link = self._connection.link
        run = Run(program, link.accepted, self._clock.now_s(), on_progress, solves=solves)
        if program.steps:
            self._note_down(run, rig)
        return self._carry_out(run, rig, first=0)

    def resume(
        self,
        record: JournalRecord,
        rig: Rig,
        on_progress: Callable[[RunProgress], None] | None,
    ) -> RunResult:
        """Finish a program that another host began; see `RigDriver.resume`."""
        if fingerprint(rig) != record.rig:
            raise RigError(
                "the program was planned for other motors than the rig file now describes: scan "
                "again"
            )
        status = self.wait_for_rest((State.STOPPING,))
        try:
            taken, executed = steps_taken(record, self._connection.board, status)
        except (BoardResetError, ForeignHostError, AbortedError) as error:
            self._journal.end(str(error))
            raise
        program = plan_steps(record.moves, rig)
        base = record.accepted - record.done
        run = Run(program, base, self._clock.now_s(), on_progress, solves=record.solves)
        run.note(base + executed, self._clock.now_s())
        if status.state is State.ABORTED:
            self._note_down(run, rig, clearing=True)
            self._connection.settle(messages.Clear())
        return self._carry_out(run, rig, first=taken)

    def abort(self) -> None:
        """Let the program stop at the next detent; may be called from another thread."""
        self._abort_wanted = True

    def on_event(self, event: LinkEvent) -> None:
        """Take note of what the link tells while a program is turned."""
        match event:
            case events.Progress(_, executed) if self._run is not None:
                self._run.note(executed, self._clock.now_s())
            case events.Stopped(status) if self._run is not None:
                self._run.stopped = status
            case events.BoardSaid(said) if self._run is not None and said.kind is EventKind.STALL:
                self._run.note_stall(said.arg)

    def wait_for_rest(
        self, busy: tuple[State, ...] = (State.MOVING, State.STOPPING)
    ) -> messages.Status:
        """Wait until the board has turned what an earlier host left in its queue.

        Raises:
            RigError: It does not come to rest.
            LinkError: The board cannot be reached.
        """
        deadline_s = self._clock.now_s() + REST_TIMEOUT_S
        while True:
            status = self._connection.status()
            if status.state not in busy:
                return status
            if self._clock.now_s() > deadline_s:
                raise RigError("the board does not come to rest: press its reset button")
            self._connection.pump_or_mend(self._clock.now_s() + LONGEST_WAIT_S)

    def _note_down(self, run: Run, rig: Rig, *, clearing: bool = False) -> None:
        link = self._connection.link
        record = JournalRecord.of(
            run.program,
            rig,
            self._connection.board,
            link.position,
            done=run.executed,
            solves=run.solves,
            clearing=clearing,
        )
        self._journal.begin(record)

    def _carry_out(self, run: Run, rig: Rig, first: int) -> RunResult:
        """Send the steps from the given one on, and wait until all are turned."""
        self._abort_wanted = False
        self._run = run
        try:
            self._send_steps(run, first)
            while run.executed < run.total:
                self._follow(run, rig)
        except LinkError as error:
            if isinstance(error, (BoardResetError, ForeignHostError)):
                self._journal.end(str(error))
            raise  # the board may still be there: its record is kept
        except RigError as error:
            self._journal.end(str(error))
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
        except LinkError as error:
            interruption.add_note(f"the motors may still be turning: {error}")
        else:
            self._journal.end(run.cut_short)

    def _send_steps(self, run: Run, first: int) -> None:
        for step in run.program.steps[first:]:
            self._connection.link.send(step_message(step))

    def _follow(self, run: Run, rig: Rig) -> None:
        """Carry bytes once, and see what has become of the run."""
        if self._abort_wanted:
            status = self._connection.stop()
            run.note(status.executed, self._clock.now_s())
            raise run.aborted(status)
        if self._connection.pump_or_mend(self._clock.now_s() + LONGEST_WAIT_S):
            run.moved_s = self._clock.now_s()
        if run.stopped is not None:
            self._go_on(run, rig, run.stopped)
        elif self._clock.now_s() > run.moved_s + run.longest_step_s + STANDSTILL_S:
            self._connection.stop()
            raise RigError(
                f"the rig stands still after {run.executed} of {run.total} steps: "
                "check the board and the motors' power"
            )

    def _go_on(self, run: Run, rig: Rig, status: messages.Status) -> None:
        """Go on after a stop when nothing but our own silence was the cause.

        The board then stands at a detent, and its count says after which step.
        """
        run.stopped = None
        partial = status.partial_a or status.partial_b
        if status.state is not State.ABORTED or status.fault is not Fault.HOST_SILENT or partial:
            raise run.aborted(status)
        self._note_down(run, rig, clearing=True)
        self._connection.settle(messages.Clear())
        self._send_steps(run, run.executed)
