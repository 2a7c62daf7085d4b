"""Runs a program over a connection to its end, with recovery from faults."""

import math
from collections.abc import Callable

from cube.errors import ThistlebotError
from cube.facelets import Facelets
from cube.moves import MoveSequence
from robot.errors import (
    AbortedError,
    BoardResetError,
    FalseCountError,
    ForeignHostError,
    LinkError,
    RigError,
    StandstillError,
)
from robot.link import events
from robot.link.connection import LONGEST_WAIT_S, Connection
from robot.link.events import LinkEvent
from robot.ports.port import Clock
from robot.protocol import messages
from robot.protocol.messages import EventKind, Fault, State
from robot.rigs.mechanism import Mechanism
from robot.rigs.program import Pose, RigProgram
from robot.running.journal import JournalRecord, NoJournal, ProgramStore, StepRecord, steps_taken
from robot.running.program_run import ProgramRun, RunProgress, RunResult

STANDSTILL_S = 4.0
"""If a rig completes no step for this long beyond the modelled time, it counts as broken."""
STOP_POLL_S = 0.02
"""Maximum delay between a request to stop and the message to the board."""


class ProgramRunner:
    """The part of a rig's driver that runs programs.

    Args:
        rig: The rig.
        connection: The board.
        clock: The clock.
        journal: Where a program is recorded before it is turned.

    Attributes:
        executed: Completed steps of the last program, however it ended.
        turned: The effect of the motors on the cube, including interrupted half turns; None if
            unknown.
        pose: The pose of machine and cube; None if it is unknown, or if there is only one pose.
        at_rest: Whether the board has confirmed that nothing turns, and got no step since. Once
            `stop_wanted` returns true, it stays so.
        stop_wanted: Called repeatedly while something turns: returns whether to stop, as for
            Ctrl-C. Another thread may change its answer.
    """

    def __init__(
        self, rig: Mechanism, connection: Connection, clock: Clock, journal: ProgramStore
    ) -> None:
        self.executed = 0
        self.turned: MoveSequence | None = MoveSequence()
        self.pose: Pose | None = None
        self._rig = rig
        self._connection = connection
        self._clock = clock
        self._journal = journal
        self._run: ProgramRun | None = None
        self._recorded = False
        self.at_rest = False
        self.stop_wanted: Callable[[], bool] = lambda: False
        connection.stop_wanted = lambda: self.stop_wanted()  # noqa: PLW0108 - it is set later

    def run(
        self,
        program: RigProgram,
        on_progress: Callable[[RunProgress], None] | None = None,
        *,
        target: Facelets | None = None,
    ) -> RunResult:
        """Run a program, and send steps ahead as far as the board's queue allows.

        A lost connection is restored; the board's own counter then tells where to continue, so no
        step is repeated or skipped. Whatever else ends the program, such as Ctrl-C, `stop_wanted`
        or an error, the motors are first told to stop at the next detent; if the board does not
        confirm it, the error says so. Afterwards, `executed` always tells how many steps were
        completed.

        Args:
            program: The steps; none do nothing.
            on_progress: Called after every completed step.
            target: Recorded in the journal: the state that the cube must show at the end.

        Raises:
            AbortedError: The board stopped before the end.
            BoardResetError: The board restarted: the cube must be scanned again.
            KeyboardInterrupt: `stop_wanted` returned true.
            RigError: The board refuses a step or makes no progress.
            FalseCountError: The board counts steps that it cannot have made.
            LinkError: The connection was lost and did not come back.
        """
        self.executed, self.turned = 0, MoveSequence()
        if program.steps:
            self._connection.require_connected()
        accepted = self._connection.link.position.accepted
        run = self._new_run(program, accepted, on_progress, target)
        if program.steps:
            self._note_down(run)
        return self._carry_out(run, first=0)

    def stop(self) -> messages.Status:
        """Stop at the next detent and wait until the board confirms it.

        Raises:
            LinkError: The board does not confirm.
        """
        status = self._connection.stop()
        self.at_rest = True
        return status

    def resume(
        self, record: JournalRecord, on_progress: Callable[[RunProgress], None] | None = None
    ) -> RunResult:
        """Finish a program that another host began, after `connect` and without `prepare`.

        Args:
            record: That host's record in its journal.
            on_progress: Called after every completed step, including those of that host.

        Raises:
            BoardResetError: The board has restarted since: the cube must be scanned again.
            ForeignHostError: Another program talked to the board since.
            AbortedError: The board stopped and needs a new scan.
            RigError: The rig's wiring has changed.
            LinkError: The connection was lost and did not come back.
        """
        self.executed, self.turned = 0, None
        if self._rig.fingerprint != record.rig:
            raise RigError(
                "the program was planned for different motors from those in the rig file: "
                "scan again"
            )
        self._connection.require_connected()
        try:
            run, first = self._take_over(record, on_progress)
        except BaseException as error:  # the board may be turning the steps of that host
            self._stop_for(error, None)
            raise
        return self._carry_out(run, first)

    def _take_over(
        self, record: JournalRecord, on_progress: Callable[[RunProgress], None] | None
    ) -> tuple[ProgramRun, int]:
        """Find the progress of a program, and make the board ready for the next step."""
        status = self._status_at_rest((State.STOPPING,))
        standing = steps_taken(record, self._connection.board, status)
        program = record.program(self._rig, self._connection.board.lanes)
        base = record.accepted - record.done
        run = self._new_run(program, base, on_progress, record.target)
        run.take_over(base + standing.executed, self._clock.now_s())
        if standing.begun:
            run.begin_rest(standing.begun)
        if status.state is State.ABORTED:
            self._note_down(run, status)
            self._connection.settle(messages.Clear())
        return run, standing.taken

    def _bring_ready(self, ready: RigProgram) -> None:
        """Bring everything to a pose in which a program can begin."""
        if ready.steps:
            before = self.executed, self.turned
            accepted = self._connection.link.position.accepted
            self._carry_out(self._new_run(ready, accepted), first=0)
            self.executed, self.turned = before
        self.pose = ready.end

    @property
    def resumable(self) -> bool:
        """Whether the current program was recorded for another host."""
        return self._recorded and not isinstance(self._journal, NoJournal)

    def _new_run(
        self,
        program: RigProgram,
        base: int,
        on_progress: Callable[[RunProgress], None] | None = None,
        target: Facelets | None = None,
    ) -> ProgramRun:
        now_s, motors = self._clock.now_s(), self._rig.motors.values()
        return ProgramRun(program, base, now_s, on_progress, target=target, motors=motors)

    def _follow_event(self, event: LinkEvent) -> None:
        """Process an event of the link during a program."""
        match event:
            case events.Progress(_, executed) if self._run is not None:
                self._run.note(executed, self._clock.now_s())
            case events.Stopped(status) if self._run is not None:
                self._run.stopped = status
            case events.BoardSaid(said) if self._run is not None and said.kind is EventKind.STALL:
                self._run.note_stall(said.arg)

    def _wait_for_rest(self) -> messages.Status:
        """Wait until the board has completed the steps that an earlier host left in its queue.

        Raises:
            RigError: It does not come to rest.
            LinkError: The board cannot be reached.
        """
        self._connection.require_connected()
        try:
            return self._status_at_rest((State.MOVING, State.STOPPING))
        except BaseException as error:
            self._stop_for(error, None)
            raise

    def _status_at_rest(self, busy: tuple[State, ...]) -> messages.Status:
        least, deadline_s = math.inf, 0.0
        while True:
            status, now_s = self._connection.status(), self._clock.now_s()
            if status.state not in busy:
                self.at_rest = status.state is not State.MOVING
                return status
            left = status.accepted - status.executed
            if left < least:
                least, deadline_s = left, now_s + STANDSTILL_S
            elif now_s > deadline_s:
                raise RigError(
                    "the board does not complete the steps of an earlier program: press its reset "
                    "button, align the faces and try again"
                )
            self._connection.pump_or_mend(now_s + LONGEST_WAIT_S)

    def _note_down(self, run: ProgramRun, stopped: messages.Status | None = None) -> None:
        """Record a program before its next step is sent.

        Args:
            run: The program.
            stopped: The status of a board that must be cleared first. The link may still doubt it,
                and count what was dropped.
        """
        position = stopped or self._connection.link.position
        record = JournalRecord(
            steps=tuple(str(step.moves) for step in run.program.steps),
            rig=self._rig.fingerprint,
            target=run.target,
            boot_id=self._connection.board.boot_id,
            done=run.executed,
            accepted=position.accepted,
            next_seq=position.next_seq,
            clearing=stopped is not None,
            begun=run.begun,
            actions=_beyond_turns(run.program),
            start=run.program.start,
        )
        self._journal.begin(record)
        self._recorded = True

    def _end_record(self, why: Exception | str = "") -> None:
        self._journal.end(why)
        self._recorded = False

    def _carry_out(self, run: ProgramRun, first: int) -> RunResult:
        """Send the steps from `first` on, and wait until all are completed."""
        self._run = run
        self.at_rest = False
        run.lost = True  # true until the board has reported its position
        self.turned = None  # also if a Ctrl-C comes just before this is computed
        try:
            self._send_steps(run, first)
            while run.executed < run.total:
                self._follow(run)
            run.lost = False
            self.at_rest = True
        except BaseException as error:  # also Ctrl-C, or a bug in on_progress: motors first
            run.mute()
            self._run = None
            self._stop_for(error, run)
            raise
        finally:
            self._run = None
            self.executed = run.executed
            self.turned = run.turned(self._rig.hold())
            self.pose = run.pose
        self._end_record()
        return run.result(self._clock.now_s())

    def _stop_for(self, error: BaseException, run: ProgramRun | None) -> None:
        """Stop the motors, whatever ended the program; add notes for the user to the error."""
        if final := isinstance(error, _FINAL):
            self._end_record(error)
        try:
            status = self.stop()
            if run is not None and not final:
                run.note_stop(status, self._clock.now_s())
            elif run is not None and not isinstance(error, BoardResetError):
                run.admit(status.executed)
        except (BoardResetError, AbortedError, FalseCountError) as failure:
            self.at_rest = True
            _add_note(error, str(failure))
            self._end_record(failure)
        except LinkError as failure:
            lost = isinstance(error, LinkError) and not final
            _add_note(error, _MAY_TURN if lost else f"{_MAY_TURN}: {failure}")
        else:
            if final:
                return
            if run is None:
                self._end_record("it was stopped while it waited to continue: scan again")
            elif run.lost:
                _add_note(error, run.cause(status))
                self._end_record(run.aborted(status))
            else:
                self._end_record(run.cut_short)

    def _send_steps(self, run: ProgramRun, first: int) -> None:
        for message in run.messages(first):
            self._connection.link.send(message)

    def _follow(self, run: ProgramRun) -> None:
        """Transfer bytes once, and check the progress of the run."""
        begun_s = self._clock.now_s()
        if self._connection.pump_or_mend(begun_s + STOP_POLL_S):
            run.note_mended(begun_s, self._clock.now_s())
        run.watch(self._clock.now_s())
        if run.stopped is not None:
            self._continue(run, run.stopped)
        elif self._clock.now_s() > run.moved_s + run.longest_step_s + STANDSTILL_S:
            raise StandstillError(
                f"the rig does not move after {run.executed} of {run.total} steps: check the "
                "board, its cable and the motors' power"
            )

    def _continue(self, run: ProgramRun, status: messages.Status) -> None:
        """Continue after a stop that was caused only by this host's silence.

        The board is then at a detent, and its counter tells after which step.
        """
        run.stopped = None
        run.note_stop(status, self._clock.now_s())
        if status.state is not State.ABORTED or status.fault is not Fault.HOST_SILENT or run.stuck:
            raise run.aborted(status)
        self._note_down(run, status)
        self._connection.settle(messages.Clear())
        run.note_continued(self._clock.now_s())
        self._send_steps(run, run.executed)


_FINAL = (AbortedError, BoardResetError, FalseCountError, ForeignHostError, StandstillError)
"""After these, a stop tells nothing more about the faces."""
_MAY_TURN = "the motors may still be turning"


def _add_note(error: BaseException, note: str) -> None:
    """Add what happened at the stop to the text of our errors, else to the exception's notes."""
    if isinstance(error, ThistlebotError):
        error.args = (f"{error}; {note}", *error.args[1:])
    else:
        error.add_note(note)


def _beyond_turns(program: RigProgram) -> tuple[StepRecord, ...]:
    """Return the actions of the steps, unless their moves suffice."""
    if not program.handles_cube and all(step.turns == step.actions for step in program.steps):
        return ()
    return tuple(StepRecord.of(step) for step in program.steps)
