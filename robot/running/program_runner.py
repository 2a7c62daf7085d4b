"""Runs a program over a connection to its end, with recovery from faults."""

import math
from collections.abc import Callable

from msgspec.structs import replace

from cube.errors import ThistlebotError
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
from robot.running.machine_record import MachineRecord
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
        keep: Called with the record of the machine before anything moves, and at rest.

    Attributes:
        executed: Completed steps of the last program, however it ended.
        at_detents: Whether every face is known to stand at a detent.
        pose: The pose of machine and cube; None if it is unknown, or if there is only one pose.
        record: The record of the machine, perhaps by an earlier host; None if nothing is known.
        at_rest: Whether the board has confirmed that nothing turns, and got no step since. Once
            `stop_wanted` returns true, it stays so.
        stop_wanted: Called repeatedly while something turns: returns whether to stop, as for
            Ctrl-C. Another thread may change its answer.
    """

    def __init__(
        self,
        rig: Mechanism,
        connection: Connection,
        clock: Clock,
        keep: Callable[[MachineRecord], None],
    ) -> None:
        self.executed = 0
        self.at_detents = True
        self.record: MachineRecord | None = None
        self.pose: Pose | None = None
        self._rig = rig
        self._connection = connection
        self._clock = clock
        self._keep = keep
        self._run: ProgramRun | None = None
        self.at_rest = False
        self.stop_wanted: Callable[[], bool] = lambda: False
        connection.stop_wanted = lambda: self.stop_wanted()  # noqa: PLW0108 - it is set later

    def run(
        self,
        program: RigProgram,
        on_progress: Callable[[RunProgress], None] | None = None,
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

        Raises:
            AbortedError: The board stopped before the end.
            BoardResetError: The board restarted: the cube must be scanned again.
            KeyboardInterrupt: `stop_wanted` returned true.
            RigError: The board refuses a step or makes no progress.
            FalseCountError: The board counts steps that it cannot have made.
            LinkError: The connection was lost and did not come back.
        """
        self.executed, self.at_detents = 0, True
        if program.steps:
            self._connection.require_connected()
            self._note(self._record_of(program))
        return self._carry_out(program, on_progress)

    def stop(self) -> messages.Status:
        """Stop at the next detent and wait until the board confirms it.

        Raises:
            LinkError: The board does not confirm.
        """
        status = self._connection.stop()
        self.at_rest = True
        self._note_rest(status)
        return status

    def _bring_ready(self, ready: RigProgram, *, counted: bool) -> None:
        """Bring everything to a pose in which a program can begin."""
        if ready.steps:
            before = self.executed, self.at_detents
            self._note(self._record_of(ready).to_places(counted=counted))
            self._carry_out(ready)
            self.executed, self.at_detents = before
        self.pose = ready.end

    def _record_of(self, program: RigProgram) -> MachineRecord:
        accepted = self._connection.link.position.accepted
        boot_id = self._connection.board.boot_id
        return MachineRecord.of_program(self._rig, program, boot_id, accepted)

    def _note(self, record: MachineRecord) -> None:
        """Keep a record, unless it is the one that is kept already."""
        if record != self.record:
            self._keep(record)
            self.record = record

    def _note_rest(self, status: messages.Status) -> None:
        """Keep what is known about the machine at rest."""
        if self.record is not None:
            self._note(self.record.at_rest(self._connection.board.boot_id, status))

    def _follow_event(self, event: LinkEvent) -> None:
        """Process an event of the link during a program."""
        match event:
            case events.Progress(_, executed) if self._run is not None:
                self._run.note(executed, self._clock.now_s())
            case events.Stopped(status) if self._run is not None:
                self._run.stopped = status
            case messages.Event(EventKind.STALL, channel) if self._run is not None:
                self._run.note_stall(channel)

    def _wait_for_rest(self) -> messages.Status:
        """Wait until the board has completed the steps that an earlier host left in its queue.

        Raises:
            RigError: It does not come to rest.
            LinkError: The board cannot be reached.
        """
        self._connection.require_connected()
        try:
            return self._status_at_rest()
        except BaseException as error:
            self._stop_for(error, None)
            raise

    def _status_at_rest(self) -> messages.Status:
        least, deadline_s = math.inf, 0.0
        while True:
            status, now_s = self._connection.status(), self._clock.now_s()
            if status.state not in (State.MOVING, State.STOPPING):
                self.at_rest = True
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

    def _carry_out(
        self, program: RigProgram, on_progress: Callable[[RunProgress], None] | None = None
    ) -> RunResult:
        """Send the steps of a program, and wait until all are completed."""
        run = ProgramRun(
            program,
            self._connection.link.position.accepted,
            self._clock.now_s(),
            on_progress,
            motors=self._rig.motors.values(),
        )
        self._run = run
        self.at_rest = False
        run.lost = True  # true until the board has reported its position
        self.at_detents = False
        try:
            self._send_steps(run)
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
            self.at_detents = not run.lost
            self.pose = None
        self.pose = program.end
        if self.record is not None and self.record.steps:
            self._note(self.record.completed())
        return run.result(self._clock.now_s())

    def _stop_for(self, error: BaseException, run: ProgramRun | None) -> None:
        """Stop the motors, whatever ended the program; add notes for the user to the error."""
        final = isinstance(error, _FINAL)
        try:
            status = self.stop()
            if run is not None and not final:
                run.note_stop(status, self._clock.now_s())
            elif run is not None and not isinstance(error, BoardResetError):
                run.admit(status.executed)
        except (BoardResetError, FalseCountError) as failure:
            self.at_rest = True
            _add_note(error, str(failure))
            error = failure
        except LinkError as failure:
            lost = isinstance(error, LinkError) and not final
            _add_note(error, _MAY_TURN if lost else f"{_MAY_TURN}: {failure}")
        else:
            if run is not None and run.lost and not final:
                _add_note(error, run.cause(status))
        if self.record is not None and isinstance(error, _UNKNOWN):
            self._note(replace(self.record, askew=str(error)))

    def _send_steps(self, run: ProgramRun) -> None:
        for step in run.program.steps[run.executed :]:
            self._connection.link.send(step.message())

    def _follow(self, run: ProgramRun) -> None:
        """Transfer bytes once, and check the progress of the run."""
        begun_s, before = self._clock.now_s(), run.executed
        if self._connection.pump_or_mend(begun_s + STOP_POLL_S):
            run.note_mended(before, begun_s, self._clock.now_s())
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
        silent = status.state is State.ABORTED and status.fault is Fault.HOST_SILENT
        if not silent or run.cut or run.stuck:
            raise run.aborted(status)
        self._connection.settle(messages.Clear())
        run.note_continued(self._clock.now_s())
        self._send_steps(run)


_FINAL = (AbortedError, BoardResetError, FalseCountError, ForeignHostError, StandstillError)
"""After these, a stop tells nothing more about the faces."""
_UNKNOWN = (BoardResetError, FalseCountError, StandstillError)
"""After these, a face may stand between two detents, whatever the board says."""
_MAY_TURN = "the motors may still be turning"


def _add_note(error: BaseException, note: str) -> None:
    """Add what happened at the stop to the text of our errors, else to the exception's notes."""
    if isinstance(error, ThistlebotError):
        error.args = (f"{error}; {note}", *error.args[1:])
    else:
        error.add_note(note)
