"""A program on its way through a rig: how far it is, and what became of it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from cube.facelets import Facelets
from cube.moves import MoveSequence
from robot.errors import AbortedError
from robot.protocol.messages import Fault, State, Status, Step
from robot.rigs.actions import Homing, MotorMove, MotorTurn
from robot.rigs.mechanism import Hold
from robot.rigs.program import Done, Pose, RigProgram

NAP_S = 1.0
"""Whoever looks so late has been stopped: the machine was not watched meanwhile."""
_AT_DETENTS = (Fault.HOST_ABORT, Fault.HOST_SILENT)


@dataclass(frozen=True, slots=True)
class RunProgress:
    """How far a program is.

    Attributes:
        executed: Steps turned completely.
        total: Steps of the program.
        elapsed_s: Time since the program began.
        gone_on: The board had stopped for want of this program, and goes on now.
    """

    executed: int
    total: int
    elapsed_s: float
    gone_on: bool = False


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


class ProgramRun:
    """Counts the steps of one program.

    Args:
        program: The steps.
        base: The board's count of moves before the first of them.
        start_s: When it begins.
        on_progress: Called after every step that was turned, and when the board goes on.
        target: What the cube is to show at the end; None when nobody is to look.

    Attributes:
        executed: Steps turned completely.
        begun: What is turned of the step after those, which a stop cut short.
        lost: Nobody knows where the faces stand.
        moved_s: When the last sign of motion came.
        stopped: The board's condition when it left its work.
    """

    def __init__(
        self,
        program: RigProgram,
        base: int,
        start_s: float,
        on_progress: Callable[[RunProgress], None] | None,
        *,
        target: Facelets | None = None,
    ) -> None:
        self.program = program
        self.target = target
        self.executed = 0
        self.begun: Done = ()
        self.lost = False
        self.moved_s = start_s
        self.stopped: Status | None = None
        self._watched_s = start_s
        self._stalled = ""
        self._base = base
        self._start_s = start_s
        self._on_progress = on_progress

    @property
    def total(self) -> int:
        """Steps of the program."""
        return len(self.program.steps)

    @property
    def cut_short(self) -> str:
        """After a stop: why the rest cannot be finished, and what to do; empty without a rest."""
        if self.executed == self.total:
            return ""
        return (
            f"stopped after {self.executed} of {self.total} steps, every face at a detent: scan "
            "again"
        )

    @property
    def longest_step_s(self) -> float:
        """Modelled time of the slowest step."""
        return max((step.duration_s for step in self.program.steps), default=0.0)

    def note(self, executed: int, now_s: float) -> None:
        """Take the board's count of moves turned since its start."""
        while self.executed < min(executed - self._base, self.total):
            self.executed += 1
            self.begun = ()
            self.moved_s = now_s
            if self._on_progress is not None:
                self._on_progress(RunProgress(self.executed, self.total, now_s - self._start_s))

    def note_stop(self, status: Status, now_s: float) -> None:
        """Take the board's word where it stands, after a stop."""
        self.note(status.executed, now_s)
        self.lost = status.state is not State.ABORTED or status.fault not in _AT_DETENTS
        if not self.lost and status.done is not None:
            self.take_up(status.done)

    def take_up(self, begun: Done) -> None:
        """Begin with the rest of a step.

        Args:
            begun: What is done of the step after those that were done completely, or of its rest
                if that was cut short before.

        Raises:
            AbortedError: That is no beginning of this step, or nobody knows what it left.
        """
        try:
            step = self.program.steps[self.executed]
            begun = step.done_in_all(self.begun, begun)
            step.rest_after(begun)
        except (IndexError, ValueError):
            self.lost = True
            raise AbortedError(
                f"after {self.executed} of {self.total} steps the board reports that it cut a "
                "turn short which this program did not send: align the faces and scan again",
                self.executed,
            ) from None
        if step.cut_leaves_doubt and any(begun):
            self.lost = True
            raise AbortedError(
                f"{step.does} was cut short after {self.executed} of {self.total} steps, so "
                "the position of the cube is unknown: put it in again, aligned, and scan "
                "again",
                self.executed,
            )
        self.begun = begun

    def watch(self, now_s: float) -> None:
        """Take note of the time: a standstill counts only while somebody looks."""
        if now_s - self._watched_s > NAP_S:
            self.moved_s += now_s - self._watched_s
        self._watched_s = now_s

    def go_on(self, now_s: float) -> None:
        """Tell that the board goes on."""
        self.lost = True  # until it says again where it stands
        self.moved_s = now_s
        if self._on_progress is not None:
            elapsed_s = now_s - self._start_s
            self._on_progress(RunProgress(self.executed, self.total, elapsed_s, gone_on=True))

    def messages(self, first: int) -> Iterator[Step]:
        """Write the steps from one on as messages, without what is turned of it already."""
        for number, step in enumerate(self.program.steps[first:], first):
            cut = number == self.executed and bool(self.begun)
            yield (step.rest_after(self.begun) if cut else step).message()

    def note_stall(self, channel: int) -> None:
        """Take the board's word which motor stalled, if it knows."""
        self._stalled = self._movers.get(channel, "")

    def mute(self) -> None:
        """Count on in silence: whoever listened has gone."""
        self._on_progress = None

    @property
    def pose(self) -> Pose | None:
        """How machine and cube stand; None when nobody knows, or the machine has one pose only."""
        known = not self.lost and not any(self.begun)
        return self.program.pose_after(self.executed) if known else None

    def turned(self, hold: Hold | None) -> MoveSequence | None:
        """Sum up what the motors made of the cube; None when nobody knows.

        Args:
            hold: How the cube was held before the first step, if motors alone turn it.
        """
        if self.lost or (hold is None and any(self.begun)):
            return None
        if hold is None:
            return self.program.moves_of(self.executed)
        whole = self.program.steps[: self.executed]
        turns = [(turn.channel, turn.quarter_turns) for step in whole for turn in step.turns]
        for step in self.program.steps[self.executed : self.executed + 1]:
            cut = list(zip(step.actions, self.begun, strict=False))
            # What is not turned by motors, as by servos, is known only when it is complete.
            if cut and len(step.turns) < len(step.moves):
                return None
            turns += [
                (each.channel, done) for each, done in cut if isinstance(each, MotorTurn) and done
            ]
        if any(len(step.turns) < len(step.moves) for step in whole):
            return self.program.moves_of(self.executed) if not self.begun else None
        return MoveSequence(tuple(move for turn in turns for move in hold.turn(*turn)))

    def result(self, now_s: float) -> RunResult:
        """Sum up what was turned."""
        moves = self.program.moves_of(self.executed)
        return RunResult(self.executed, moves, now_s - self._start_s)

    def aborted(self, status: Status) -> AbortedError:
        """Say why the board stopped before the end."""
        partial = ", and in the middle of the next" if self.begun else ""
        return AbortedError(
            f"stopped after {self.executed} of {self.total} steps{partial}: {self.cause(status)}",
            self.executed,
            status.fault.name.lower(),
            self._blamed(status),
        )

    def cause(self, status: Status) -> str:
        """Say why a board left its work, and what to do, by the names of the program."""
        return stop_cause(status, self._stalled, self._movers)

    def _blamed(self, status: Status) -> tuple[str, ...]:
        if status.fault is Fault.STALL:
            return (self._stalled,) if self._stalled else ()
        movers = self._movers
        return tuple(movers[each] for each in status.silent_drivers if each in movers)

    @property
    def _movers(self) -> dict[int, str]:
        """What each motor moves, by its channel."""
        return {
            each.channel: each.part
            for step in self.program.steps
            for each in step.actions
            if isinstance(each, (MotorTurn, MotorMove, Homing))
        }


def stop_cause(
    status: Status, stalled: str = "", movers: Mapping[int, str] = MappingProxyType({})
) -> str:
    """Say why a board left its work, and what to do.

    Args:
        status: The board's condition.
        stalled: What the motor turns that stalled, if that is known.
        movers: What motors move, by their channels.
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
    Fault.BOARD_ERROR: "a motor driver does not answer on its UART: check its wires, its supply "
    "and driver_address, align the faces, scan again",
}
