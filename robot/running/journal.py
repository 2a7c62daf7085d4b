"""What a host writes down before it turns anything, so that another one can finish it.

The board counts what it took and turned since its start, and never forgets it while it has power.
A host that was killed in the middle left a record of what it was about to send; the next host
compares the two and knows which steps are left. Where they do not fit, nothing is guessed.
"""

from dataclasses import dataclass
from typing import Protocol

import msgspec

from cube.facelets import Facelets
from cube.moves import MoveSequence
from robot.errors import AbortedError, BoardResetError, ForeignHostError, StandstillError
from robot.link.send_window import SEQUENCE_NUMBERS
from robot.protocol.messages import Action, ActionKind, Fault, HelloReply, State, Status
from robot.rigs.actions import part_of
from robot.rigs.mechanism import Mechanism
from robot.rigs.program import Done, Pose, ProgramStep, RigProgram
from robot.running.program_run import stop_cause


class StepRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A step of a program that does more than turn.

    Attributes:
        actions: Each action's numbers, as the board is told them.
        parts: What each of them moves.
        duration_s: Until the slowest of them rests.
        overlap_steps: As of `ProgramStep`.
        begin_after_s: As of `ProgramStep`.
        does: As of `ProgramStep`.
        pose: As of `ProgramStep`.
        cut_leaves_doubt: As of `ProgramStep`.
    """

    actions: tuple[tuple[int, int, int, int, int], ...]
    parts: tuple[str, ...]
    duration_s: float
    overlap_steps: int = 0
    begin_after_s: float | None = None
    does: str = ""
    pose: Pose | None = None
    cut_leaves_doubt: bool = False

    @classmethod
    def of(cls, step: ProgramStep) -> "StepRecord":
        """Write a step down."""
        told = [each.action for each in step.actions]
        return cls(
            actions=tuple((a.kind, a.channel, a.value, a.speed, a.detail) for a in told),
            parts=tuple(each.part for each in step.actions),
            duration_s=step.duration_s,
            overlap_steps=step.overlap_steps,
            begin_after_s=step.begin_after_s,
            does=step.does,
            pose=step.pose,
            cut_leaves_doubt=step.cut_leaves_doubt,
        )

    def step(self, moves: MoveSequence, start_s: float) -> ProgramStep:
        """Read the step back.

        Raises:
            ValueError: There is no such kind of action, or a number of parts that does not fit.
        """
        actions = tuple(
            part_of(Action(ActionKind(kind), *numbers), part)
            for (kind, *numbers), part in zip(self.actions, self.parts, strict=True)
        )
        told = self.overlap_steps, self.begin_after_s, self.does, self.pose, self.cut_leaves_doubt
        return ProgramStep(actions, moves, start_s, self.duration_s, *told)


class JournalRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A program under way.

    Attributes:
        steps: The moves of each step of the whole program, such as ("R L'", "U2").
        rig: Fingerprint of the rig that it was planned for.
        target: What the cube is to show at its end; None when nobody is to look.
        boot_id: Of the board.
        done: Steps that were turned before `accepted` and `next_seq` were read.
        accepted: The board's count of moves taken, before the next step was sent.
        next_seq: The sequence number that the board expected then.
        clearing: Whether a CLEAR goes before the next step.
        begun: What each action of the step after `done` did before a stop cut it short.
        actions: What each step does, if any step does more than turn; the moves then say only what
            that makes of the cube.
        start: How machine and cube stood before the first step, for a machine with several poses.
        ended: Why it can no longer be finished, and what to do; empty while it can.
        askew: Whether a face may have been left between two detents.
    """

    steps: tuple[str, ...]
    rig: str
    target: Facelets | None
    boot_id: int
    done: int
    accepted: int
    next_seq: int
    clearing: bool = False
    begun: Done = ()
    actions: tuple[StepRecord, ...] = ()
    start: Pose | None = None
    ended: str = ""
    askew: bool = False

    @property
    def moves(self) -> tuple[MoveSequence, ...]:
        """The moves of each step."""
        return tuple(MoveSequence.parse(step) for step in self.steps)

    def done_in_all(self, executed: int, begun: Done, more: Done) -> Done:
        """Add up what was done of a step, and of its rest; a turn's rest is never cut short.

        Args:
            executed: Steps that were done completely since the record was written.
            begun: What was done when it was cut short the first time; empty for never.
            more: What was done of the rest.
        """
        if not self.actions or not begun:
            return more
        record = self.actions[self.done + executed]
        return record.step(MoveSequence(), 0.0).done_in_all(begun, more)

    def program(self, rig: Mechanism, lanes: int) -> RigProgram:
        """Return the program again.

        Args:
            rig: What turns it.
            lanes: Motors that its board turns at once.

        Raises:
            NotPossibleError: The rig cannot make a move.
            ValueError: What was written down is none.
        """
        if not self.actions:
            return rig.plan_steps(self.moves, lanes)
        steps: list[ProgramStep] = []
        for record, moves in zip(self.actions, self.moves, strict=True):
            steps.append(record.step(moves, steps[-1].end_s if steps else 0.0))
        return RigProgram(tuple(steps), self.start)


class ProgramStore(Protocol):
    """Where the record of the program under way is kept."""

    def begin(self, record: JournalRecord) -> None:
        """Keep a record, in place of any other, before the first step is sent."""

    def end(self, why: Exception | str = "") -> None:
        """The program came to an end that is known: nothing of it is left to finish.

        Args:
            why: Why that was not its last step, to tell who asks; empty when it was.
        """


class NoJournal:
    """Keeps nothing: for a board that does not outlive its host."""

    def begin(self, record: JournalRecord) -> None:
        """Do nothing."""

    def end(self, why: Exception | str = "") -> None:
        """Do nothing."""


_HALTED = (Fault.ESTOP, Fault.STALL)
"""Faults that end a turn wherever it is; all others end it at a detent."""


def leaves_askew(why: Exception | str) -> bool:
    """Whether a face may stand between detents after a program ended for this reason."""
    if isinstance(why, AbortedError):
        return why.fault.upper() in {fault.name for fault in _HALTED}
    return isinstance(why, (BoardResetError, StandstillError))


def may_stand_askew(record: JournalRecord, boot_id: int, status: Status) -> bool:
    """Whether a face may stand between detents since the last program was cut off.

    Args:
        record: Of that program.
        boot_id: Of the board as it is now.
        status: The board's condition.
    """
    if record.ended:
        return record.askew
    return record.boot_id != boot_id or status.fault in _HALTED


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a board is with a program that another host began.

    Attributes:
        taken: Steps that it has taken; the rest is still to be sent.
        executed: Steps that it has turned completely.
        begun: What it did of the step after those, which a stop cut short.
    """

    taken: int
    executed: int
    begun: Done = ()


def steps_taken(record: JournalRecord, board: HelloReply, status: Status) -> Standing:
    """Say how far the board is with a program that another host began.

    Args:
        record: What that host wrote down.
        board: The board's answer to the greeting.
        status: The board's condition, at rest or turning, but not stopping.

    Returns:
        Where the board stands. A stop for want of a host has to be cleared before the rest is sent.

    Raises:
        BoardResetError: The board has restarted since.
        ForeignHostError: Its counts do not continue the record: somebody else spoke to it.
        AbortedError: It left its work for a reason that needs a new scan.
    """
    if board.boot_id != record.boot_id:
        raise BoardResetError(
            "the board has restarted since then, so the state of the cube is unknown; align "
            "the faces by hand and scan again"
        )
    left = len(record.steps) - record.done
    accepted = status.accepted - record.accepted
    executed = status.executed - record.accepted
    numbers = (status.next_seq - record.next_seq) % SEQUENCE_NUMBERS
    working = status.state in (State.IDLE, State.MOVING)
    silent = status.state is State.ABORTED and status.fault is Fault.HOST_SILENT
    # A board that stopped has taken messages whose moves it dropped.
    most = accepted if working else left
    fits = 0 <= executed <= accepted <= left and any(
        taken % SEQUENCE_NUMBERS == numbers for taken in range(accepted, most + 1 + record.clearing)
    )
    if not fits:
        raise ForeignHostError(
            "the board's counts do not match the interrupted program: another program has "
            "sent commands since then; align the faces and scan again"
        )
    if not working and not silent:
        raise AbortedError(
            f"the program cannot be resumed after step {record.done + executed} of "
            f"{len(record.steps)}: {stop_cause(status)}",
            record.done + executed,
            status.fault.name.lower(),
        )
    begun = record.begun if executed == 0 else ()
    if silent and status.done is not None:
        # A board that cuts a half turn short at its middle. What is left of one cannot be cut.
        begun = record.done_in_all(executed, begun, status.done)
    return Standing(record.done + accepted, record.done + executed, begun)
