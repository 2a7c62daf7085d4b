"""The record that a host writes before it turns anything, so that another can finish the program.

The board counts the steps that it accepted and completed since its start, as long as it has power.
A host that was killed leaves a record of the steps that it was about to send; the next host
compares the two and knows which steps are left. If they do not match, it does not guess.
"""

from dataclasses import dataclass
from typing import Protocol

import msgspec

from cube.facelets import Facelets
from cube.moves import MoveSequence
from robot.errors import AbortedError, BoardResetError, ForeignHostError, StandstillError
from robot.link.send_window import SEQUENCE_NUMBERS
from robot.protocol.messages import Action, ActionKind, Fault, HelloReply, State, Status
from robot.rigs.actions import Act
from robot.rigs.mechanism import Mechanism
from robot.rigs.program import Done, Pose, ProgramStep, RigProgram
from robot.running.program_run import stop_cause


class StepRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A step of a program that does more than turn.

    Attributes:
        actions: The numbers of each action, as sent to the board.
        parts: The part that each of them moves.
        duration_s: Until the slowest of them is at rest.
        overlap_steps: See `ProgramStep`.
        does: See `ProgramStep`.
        pose: See `ProgramStep`.
        cut_leaves_doubt: See `ProgramStep`.
    """

    actions: tuple[tuple[int, int, int, int, int], ...]
    parts: tuple[str, ...]
    duration_s: float
    overlap_steps: int = 0
    does: str = ""
    pose: Pose | None = None
    cut_leaves_doubt: bool = False

    @classmethod
    def of(cls, step: ProgramStep) -> "StepRecord":
        """Convert a step to its record."""
        told = [each.action for each in step.actions]
        return cls(
            actions=tuple((a.kind, a.channel, a.value, a.speed, a.detail) for a in told),
            parts=tuple(each.part for each in step.actions),
            duration_s=step.duration_s,
            overlap_steps=step.overlap_steps,
            does=step.does,
            pose=step.pose,
            cut_leaves_doubt=step.cut_leaves_doubt,
        )

    def step(self, moves: MoveSequence, start_s: float) -> ProgramStep:
        """Convert the record back to a step.

        Raises:
            ValueError: There is no such kind of action, or the number of parts is wrong.
        """
        actions = tuple(
            Act(Action(ActionKind(kind), *numbers), part)
            for (kind, *numbers), part in zip(self.actions, self.parts, strict=True)
        )
        told = self.overlap_steps, self.does, self.pose, self.cut_leaves_doubt
        return ProgramStep(actions, moves, start_s, self.duration_s, *told)


class JournalRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A program under way.

    Attributes:
        steps: The moves of each step of the whole program, such as ("R L'", "U2").
        rig: Fingerprint of the rig that it was planned for.
        target: The state that the cube must show at the end; None if nobody will look.
        boot_id: Boot id of the board.
        done: Steps that were completed before `accepted` and `next_seq` were read.
        accepted: The board's count of accepted moves before the next step was sent.
        next_seq: The sequence number that the board expected then.
        clearing: Whether a CLEAR is sent before the next step.
        begun: What each action of the step after `done` had done when it was interrupted.
        actions: The actions of each step, if any step does more than turn; the moves then only tell
            the effect on the cube.
        start: The pose of machine and cube before the first step, for a machine with several poses.
        ended: Why it can no longer be finished, and what to do; empty while it can be.
        askew: Whether a face may be between two detents.
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
        """Add what was done of a step before and after an interruption.

        Args:
            executed: Steps completed since the record was written.
            begun: What was done at the first interruption; empty if there is none.
            more: What was done of the rest; the rest of a turn is never interrupted.
        """
        if not self.actions or not begun:
            return more
        record = self.actions[self.done + executed]
        return record.step(MoveSequence(), 0.0).done_in_all(begun, more)

    def program(self, rig: Mechanism, lanes: int) -> RigProgram:
        """Return the program.

        Args:
            rig: The rig that turns it.
            lanes: Number of motors that its board turns at once.

        Raises:
            NotPossibleError: The rig cannot make a move.
            ValueError: The record is not a valid program.
        """
        if not self.actions:
            return rig.plan_steps(self.moves, lanes)
        steps: list[ProgramStep] = []
        for record, moves in zip(self.actions, self.moves, strict=True):
            steps.append(record.step(moves, steps[-1].end_s if steps else 0.0))
        return RigProgram(tuple(steps), self.start)


class ProgramStore(Protocol):
    """The storage of the record of the current program."""

    def begin(self, record: JournalRecord) -> None:
        """Store a record in place of any other, before the first step is sent."""

    def end(self, why: Exception | str = "") -> None:
        """Note that the program ended in a known state: nothing is left to finish.

        Args:
            why: The reason if that was not its last step; else empty.
        """


class NoJournal:
    """A store that keeps nothing, for a board that does not outlive its host."""

    def begin(self, record: JournalRecord) -> None:
        """Do nothing."""

    def end(self, why: Exception | str = "") -> None:
        """Do nothing."""


_HALTED = (Fault.ESTOP, Fault.STALL)
"""Faults that end a turn anywhere; all others end it at a detent."""


def leaves_askew(why: Exception | str) -> bool:
    """Return whether a face may be between detents after a program ended for this reason."""
    if isinstance(why, AbortedError):
        return why.fault.upper() in {fault.name for fault in _HALTED}
    return isinstance(why, (BoardResetError, StandstillError))


def may_stand_askew(record: JournalRecord, boot_id: int, status: Status) -> bool:
    """Return whether a face may be between detents since the last program was interrupted.

    Args:
        record: The record of that program.
        boot_id: The board's current boot id.
        status: The board's status.
    """
    if record.ended:
        return record.askew
    return record.boot_id != boot_id or status.fault in _HALTED


@dataclass(frozen=True, slots=True)
class Standing:
    """The progress of a board with a program that another host began.

    Attributes:
        taken: Accepted steps; the rest must still be sent.
        executed: Completed steps.
        begun: What it did of the next step before a stop interrupted it.
    """

    taken: int
    executed: int
    begun: Done = ()


def steps_taken(record: JournalRecord, board: HelloReply, status: Status) -> Standing:
    """Return the progress of the board with a program that another host began.

    Args:
        record: The record of that host.
        board: The board's answer to the greeting.
        status: The board's status, at rest or turning, but not stopping.

    Returns:
        The progress. A stop because of a missing host must be cleared before the rest is sent.

    Raises:
        BoardResetError: The board has restarted since.
        ForeignHostError: Its counters do not continue the record: another program talked to it.
        AbortedError: It stopped for a reason that needs a new scan.
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
    # A board that stopped has acknowledged messages whose moves it dropped.
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
        # This board shortens a half turn to a quarter; a quarter that is left cannot be shortened.
        begun = record.done_in_all(executed, begun, status.done)
    return Standing(record.done + accepted, record.done + executed, begun)
