"""A running program: its progress and its result."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from cube.moves import MoveSequence
from robot.errors import AbortedError, FalseCountError
from robot.protocol.messages import Fault, Flag, State, Status
from robot.rigs.motor import Motor
from robot.rigs.program import RigProgram

NAP_S = 1.0
"""If the time since the last check is this long, the host was suspended and did not watch the
machine.
"""
AT_DETENTS = (Fault.HOST_ABORT, Fault.HOST_SILENT)
"""Reasons of a stop after which every face stands at a detent."""
_LEAST_SHARE, _LAG_S = 0.8, 0.05
"""A count is false if its steps took less than this share of their planned time, less this time by
which a board may lag behind the host's clock: one in a simulator does.
"""
_MOST_SILENCES = 3


@dataclass(frozen=True, slots=True)
class RunProgress:
    """The progress of a program.

    Attributes:
        executed: Completed steps; before a connection was lost, if it has just been restored.
        total: Steps of the program.
        elapsed_s: Time since the program began.
        continued: Whether the board had stopped because this host was silent, and continues now.
        lost_s: How long the connection was lost, if it has just been restored; else 0.
    """

    executed: int
    total: int
    elapsed_s: float
    continued: bool = False
    lost_s: float = 0.0


@dataclass(frozen=True, slots=True)
class RunResult:
    """The result of a program that ran to its end.

    Attributes:
        executed: Completed steps.
        moves: The moves of these steps.
        elapsed_s: Time from the first packet to the report that the last step was completed.
    """

    executed: int
    moves: MoveSequence
    elapsed_s: float


class ProgramRun:
    """Counts the steps of one program.

    Args:
        program: The steps.
        base: The board's count of moves before the first step.
        start_s: Its start time.
        on_progress: Called after every completed step, and when the board continues after a stop or
            a lost connection.
        motors: The rig's motors, which tell how soon a step can be completed.

    Attributes:
        executed: Completed steps.
        cut: Whether a stop cut the next step short.
        lost: Whether the faces' positions are unknown.
        moved_s: Time of the last sign of motion.
        stopped: The board's status when it stopped.
    """

    def __init__(
        self,
        program: RigProgram,
        base: int,
        start_s: float,
        on_progress: Callable[[RunProgress], None] | None,
        *,
        motors: Iterable[Motor] = (),
    ) -> None:
        self.program = program
        self.executed = 0
        self.cut = False
        self.lost = False
        self.moved_s = start_s
        self.stopped: Status | None = None
        self._watched_s = start_s
        self._stalled = ""
        self._base = base
        self._start_s = start_s
        self._on_progress = on_progress
        self._timed_from = (0, start_s)
        self._motors = {motor.channel: motor for motor in motors}
        self._silences = 0
        self._mended = False

    @property
    def total(self) -> int:
        """Steps of the program."""
        return len(self.program.steps)

    @cached_property
    def longest_step_s(self) -> float:
        """Modelled time of the slowest step."""
        return max((step.duration_s for step in self.program.steps), default=0.0)

    def note(self, executed: int, now_s: float) -> None:
        """Process the board's count of completed moves since its start.

        Raises:
            FalseCountError: The program has fewer steps, or they take longer.
        """
        count = executed - self._base
        if count > self.executed:
            self._require_possible(count, now_s)
        while self.executed < count:
            self.executed += 1
            self._silences, self._mended = 0, False
            self.moved_s = now_s
            self._report(RunProgress(self.executed, self.total, now_s - self._start_s))

    def _report(self, progress: RunProgress) -> None:
        if self._on_progress is not None:
            self._on_progress(progress)

    def _require_possible(self, count: int, now_s: float) -> None:
        first, since_s = self._timed_from
        steps = self.program.steps[first:count]
        if count <= self.total:
            planned_s = steps[-1].end_s - steps[0].start_s if steps else 0.0
            planned_s -= sum(step.duration_s - step.least_s(self._motors) for step in steps)
            if now_s - since_s + _LAG_S >= _LEAST_SHARE * planned_s:
                return
        self.lost = True
        raise FalseCountError(
            f"the board reports {count} of {self.total} steps {now_s - since_s:.2f} s after step "
            f"{first}, which is impossible: restart it, align the faces and scan again"
        )

    def _time_from_here(self, now_s: float) -> None:
        """Begin to time the steps after those that may be under way already: at most two."""
        self._timed_from = (self.executed + 2, now_s)

    def note_stop(self, status: Status, now_s: float) -> None:
        """Process the board's report of its position after a stop.

        Raises:
            FalseCountError: It contradicts what the board reported before.
        """
        self.note(status.executed, now_s)
        before = self.executed
        self.admit(status.executed)
        if self.executed < before or status.accepted != status.executed:
            self.lost = True
            raise FalseCountError(
                f"the board stopped after {self.executed} of {self.total} steps, which contradicts "
                f"its reports before ({before}): restart it, align the faces and scan again"
            )
        self.lost = status.state is not State.ABORTED or status.fault not in AT_DETENTS
        self.cut = bool(status.flags & Flag.CUT_SHORT)

    def admit(self, executed: int) -> None:
        """Lower the count of completed steps to what a board at rest reports."""
        self.executed = max(0, min(self.executed, executed - self._base))

    def note_mended(self, before: int, lost_s: float, now_s: float) -> None:
        """Report a restored connection; its time is no standstill, once between two steps."""
        if not self._mended:
            self._mended, self.moved_s = True, self.moved_s + now_s - lost_s
        self._report(RunProgress(before, self.total, now_s - self._start_s, lost_s=now_s - lost_s))

    def watch(self, now_s: float) -> None:
        """Note the time, because a standstill counts only while the host watches."""
        if now_s - self._watched_s > NAP_S:
            self.moved_s += now_s - self._watched_s
        self._watched_s = now_s

    def note_continued(self, now_s: float) -> None:
        """Report that the board continues."""
        self.lost = True  # true until the board reports its position again
        self.moved_s = now_s
        self._silences += 1
        self._time_from_here(now_s)
        elapsed_s = now_s - self._start_s
        self._report(RunProgress(self.executed, self.total, elapsed_s, continued=True))

    @property
    def stuck(self) -> bool:
        """Whether the board stopped again and again without a completed step between."""
        return self._silences >= _MOST_SILENCES

    def note_stall(self, channel: int) -> None:
        """Note the motor that stalled, if the board knows it."""
        self._stalled = self._movers.get(channel, "")

    def mute(self) -> None:
        """Continue to count without reports, because the listener has ended."""
        self._on_progress = None

    def result(self, now_s: float) -> RunResult:
        """Return the result."""
        moves = self.program.moves_of(self.executed)
        return RunResult(self.executed, moves, now_s - self._start_s)

    def aborted(self, status: Status) -> AbortedError:
        """Return the error for a board that stopped before the end."""
        partial = ", and in the middle of the next" if self.cut else ""
        return AbortedError(
            f"stopped after {self.executed} of {self.total} steps{partial}: {self.cause(status)}",
            self.executed,
            status.fault.name.lower(),
            self._blamed(status),
        )

    def cause(self, status: Status) -> str:
        """Return why a board stopped, and what to do, with the names of the program's parts."""
        return stop_cause(status, self._stalled, self._movers)

    def _blamed(self, status: Status) -> tuple[str, ...]:
        if status.fault is Fault.STALL:
            return (self._stalled,) if self._stalled else ()
        movers = self._movers
        return tuple(movers[each] for each in status.silent_drivers if each in movers)

    @property
    def _movers(self) -> dict[int, str]:
        """Return what each motor moves, by its channel."""
        return {
            each.channel: each.part
            for step in self.program.steps
            for each in step.actions
            if each.moves_motor
        }


def stop_cause(
    status: Status, stalled: str = "", movers: Mapping[int, str] = MappingProxyType({})
) -> str:
    """Return why a board stopped, and what to do.

    Args:
        status: The board's status.
        stalled: The part whose motor stalled, if that is known.
        movers: The parts that motors move, by their channels.
    """
    if status.fault is Fault.STALL:
        motor = f"the motor of {stalled}" if stalled else "a motor"
        return f"{motor} stalled: free the cube, align the faces and scan again"
    if status.silent_drivers:
        return _no_answer_of([_named(each, movers) for each in status.silent_drivers])
    return _CAUSES[status.fault]


def _named(channel: int, movers: Mapping[int, str]) -> str:
    part = movers.get(channel)
    return f"{part} (channel {channel})" if part else f"channel {channel}"


def _no_answer_of(motors: list[str]) -> str:
    if len(motors) == 1:
        return (
            f"the motor driver of {motors[0]} does not answer on its UART: check its wires, the "
            "motor supply and its driver_address, align the faces, scan again"
        )
    return (
        f"the motor drivers of {', '.join(motors[:-1])} and {motors[-1]} do not answer on their "
        "UARTs: check the motor supply, their wires and each driver_address, align the faces, scan "
        "again"
    )


_CAUSES = {
    Fault.NONE: "the motors were switched off: align the faces and scan again",
    Fault.HOST_ABORT: "the board was told to stop, and every face stands at a detent; scan again",
    Fault.HOST_SILENT: "the board received nothing from this program; scan again to continue",
    Fault.ESTOP: "the emergency stop was pressed: release it, align the faces and scan again",
    Fault.NOT_FOUND: "a motor did not reach its place within its travel: check for obstacles and "
    "check its switch, then scan again",
    Fault.BOARD_ERROR: "the board stopped because of an error of its own, or of a motor driver: "
    "align the faces and scan again",
}
