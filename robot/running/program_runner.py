"""Carries a program through a connection to its end, whatever happens on the way."""

from collections.abc import Callable

from cube.facelets import Facelets
from cube.moves import MoveSequence
from robot.errors import (
    AbortedError,
    BoardResetError,
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
from robot.rigs.program import Done, Pose, RigProgram
from robot.running.journal import JournalRecord, NoJournal, ProgramStore, StepRecord, steps_taken
from robot.running.program_run import ProgramRun, RunProgress, RunResult

STANDSTILL_S = 5.0
"""A rig that turns nothing for so long beyond the modelled time is broken."""
REST_TIMEOUT_S = 15.0
STOP_POLL_S = 0.02
"""At most so long after a wish to stop the board is told."""


class ProgramRunner:
    """The part of a rig's driver that turns programs.

    Args:
        rig: What turns.
        connection: The board.
        clock: The time.
        journal: Where a program is written down before it is turned.

    Attributes:
        executed: Steps of the last program that were turned completely, however it ended.
        turned: What the motors made of the cube in it, half turns that a stop cut short included;
            None when nobody knows.
        pose: How machine and cube stand; None when nobody knows, or when there is one pose only.
        stop_wanted: Asked again and again while something turns: whether to stop, as at Ctrl-C.
            What it asks may be set by another thread.
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
        self.stop_wanted: Callable[[], bool] = lambda: False

    def run(
        self,
        program: RigProgram,
        on_progress: Callable[[RunProgress], None] | None = None,
        *,
        target: Facelets | None = None,
    ) -> RunResult:
        """Turn a program, sending ahead as far as the board's queue allows.

        A lost connection is taken up again; the board's own count then says where to go on, so
        that no step is repeated and none is skipped. Ctrl-C, or `stop_wanted`, stops the motors at
        the next detent before it goes on its way. `executed` tells afterwards, in every case, how
        many steps were turned completely.

        Args:
            program: The steps; none do nothing.
            on_progress: Called after every step that was turned.
            target: Noted in the journal: what the cube is to show at the end.

        Raises:
            AbortedError: The board stopped before the end.
            BoardResetError: The board restarted: the cube has to be scanned again.
            KeyboardInterrupt: `stop_wanted` said so.
            RigError: The board refuses a step or stands still.
            LinkError: The connection was lost and did not come back.
        """
        self.executed, self.turned = 0, MoveSequence()
        accepted, now_s = self._connection.link.position.accepted, self._clock.now_s()
        run = ProgramRun(program, accepted, now_s, on_progress, target=target)
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
        self.executed, self.turned = 0, None
        if self._rig.fingerprint != record.rig:
            raise RigError(
                "the program was planned for different motors from those in the rig file: "
                "scan again"
            )
        try:
            run, first = self._take_over(record, on_progress)
        except (LinkError, RigError):
            raise
        except BaseException as interruption:  # the board may be turning what that host left
            self._stop_for(interruption, None)
            raise
        return self._carry_out(run, first)

    def _take_over(
        self, record: JournalRecord, on_progress: Callable[[RunProgress], None] | None
    ) -> tuple[ProgramRun, int]:
        """Find out how far a program is, and make the board ready for the step to send next."""
        status = self._wait_for_rest((State.STOPPING,))
        try:
            standing = steps_taken(record, self._connection.board, status)
        except (BoardResetError, ForeignHostError, AbortedError) as error:
            self._journal.end(error)
            raise
        program = record.program(self._rig, self._connection.board.lanes)
        base = record.accepted - record.done
        now_s = self._clock.now_s()
        run = ProgramRun(program, base, now_s, on_progress, target=record.target)
        run.note(base + standing.executed, now_s)
        if standing.begun:
            self._take_up(run, standing.begun)
        if status.state is State.ABORTED:
            self._note_down(run, status)
            self._connection.settle(messages.Clear())
        return run, standing.taken

    def _bring_ready(self) -> None:
        """Bring everything to where a program can begin, unless it stands where one ended."""
        ready = self._rig.ready()
        if self.pose is None and ready.steps:
            before = self.executed, self.turned
            accepted, now_s = self._connection.link.position.accepted, self._clock.now_s()
            self._carry_out(ProgramRun(ready, accepted, now_s, None), first=0)
            self.executed, self.turned = before
        self.pose = self.pose or ready.end

    @property
    def resumable(self) -> bool:
        """Whether the program under way was written down for another host."""
        return not isinstance(self._journal, NoJournal)

    def _follow_event(self, event: LinkEvent) -> None:
        """Take note of what the link tells while a program is turned."""
        match event:
            case events.Progress(_, executed) if self._run is not None:
                self._run.note(executed, self._clock.now_s())
            case events.Stopped(status) if self._run is not None:
                self._run.stopped = status
            case events.BoardSaid(said) if self._run is not None and said.kind is EventKind.STALL:
                self._run.note_stall(said.arg)

    def _wait_for_rest(
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

    def _note_down(self, run: ProgramRun, stopped: messages.Status | None = None) -> None:
        """Write down a program whose next step is about to be sent.

        Args:
            run: The program.
            stopped: Where the board stands that has to be cleared first. The link may still doubt
                it, and count what was dropped.
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

    def _carry_out(self, run: ProgramRun, first: int) -> RunResult:
        """Send the steps from the given one on, and wait until all are turned."""
        self._run = run
        run.lost = True  # until the board has said where it stands
        self.turned = None  # also if a Ctrl-C comes just before that is summed up
        try:
            self._send_steps(run, first)
            while run.executed < run.total:
                self._follow(run)
            run.lost = False
        except LinkError as error:
            run.lost = True
            if isinstance(error, (BoardResetError, ForeignHostError)):
                self._journal.end(error)
            raise  # the board may still be there: its record is kept
        except RigError as error:
            run.lost = run.lost or not isinstance(error, AbortedError)
            self._journal.end(error)
            raise
        except BaseException as interruption:  # Ctrl-C, or a bug in on_progress: motors first
            run.mute()
            self._stop_for(interruption, run)
            raise
        finally:
            self._run = None
            self.executed = run.executed
            self.turned = run.turned(self._rig.hold())
            self.pose = run.pose
        self._journal.end()
        return run.result(self._clock.now_s())

    def _stop_for(self, interruption: BaseException, run: ProgramRun | None) -> None:
        """Stop the motors; what a person has to know besides is noted on the interruption."""
        try:
            status = self._connection.stop()
            if run is not None:
                run.note_stop(status, self._clock.now_s())
        except (BoardResetError, AbortedError) as error:
            interruption.add_note(str(error))
            self._journal.end(error)
        except LinkError as error:
            interruption.add_note(f"the motors may still be turning: {error}")
        else:
            if run is None:
                self._journal.end("it was stopped before it continued: scan again")
            elif run.lost:
                interruption.add_note(run.cause(status))
                self._journal.end(run.aborted(status))
            else:
                self._journal.end(run.cut_short)

    def _send_steps(self, run: ProgramRun, first: int) -> None:
        for message in run.messages(first):
            self._connection.link.send(message)

    def _follow(self, run: ProgramRun) -> None:
        """Carry bytes once, and see what has become of the run."""
        if self.stop_wanted():
            raise KeyboardInterrupt
        if self._connection.pump_or_mend(self._clock.now_s() + STOP_POLL_S):
            run.moved_s = self._clock.now_s()
        run.watch(self._clock.now_s())
        if run.stopped is not None:
            self._go_on(run, run.stopped)
        elif self._clock.now_s() > run.moved_s + run.longest_step_s + STANDSTILL_S:
            run.note_stop(self._connection.stop(), self._clock.now_s())
            if run.executed < run.total:  # the last steps may have come through just now
                raise StandstillError(
                    f"the rig does not move after {run.executed} of {run.total} steps: check "
                    "the board, its cable and the motors' power"
                )

    def _go_on(self, run: ProgramRun, status: messages.Status) -> None:
        """Go on after a stop when nothing but our own silence was the cause.

        The board then stands at a detent, and its count says after which step.
        """
        run.stopped = None
        run.note_stop(status, self._clock.now_s())
        if status.state is not State.ABORTED or status.fault is not Fault.HOST_SILENT:
            raise run.aborted(status)
        self._note_down(run, status)
        self._connection.settle(messages.Clear())
        run.go_on(self._clock.now_s())
        self._send_steps(run, run.executed)

    def _take_up(self, run: ProgramRun, begun: Done) -> None:
        try:
            run.take_up(begun)
        except AbortedError as error:
            self._journal.end(error)
            raise


def _beyond_turns(program: RigProgram) -> tuple[StepRecord, ...]:
    """Write down what the steps do, unless their moves say it all."""
    if not program.handles_cube and all(step.turns == step.actions for step in program.steps):
        return ()
    return tuple(StepRecord.of(step) for step in program.steps)
