"""What must outlive a host: the pose of its machine, and whether a face may stand askew.

A board continues without its host as long as it has power and steps. The next host compares the
board's counters with the record, and so knows the pose of the machine. The cube is looked at again
in any case, so the record does not hold the program.
"""

import msgspec
from msgspec.structs import replace

from robot.protocol.messages import ActionKind, Fault, Flag, Status
from robot.rigs.mechanism import Mechanism
from robot.rigs.program import Pose, ProgramStep, RigProgram

Places = tuple[int, ...]
"""The number of each part's place, as in `robot.rigs.program.Pose`."""


class MachineRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a host writes down before anything moves, and again when everything is at rest.

    Attributes:
        rig: Fingerprint of the rig to which the places belong.
        boot_id: The boot id of its board.
        accepted: The board's count of steps before the first step of the program.
        steps: The number of steps under way; 0 at rest.
        poses: The places before the first step and after each step; None where parts may be between
            places until a later step has ended. Empty if they are unknown, or if the machine has
            only one pose.
        counted: Whether the board counts the steps of the motors from where the machine starts.
        doubtful: The steps after which a person must look if a stop cuts them short.
        askew: Why a face may be between two detents, or a part between two places, until a person
            has confirmed that they are aligned; else empty.
    """

    rig: str
    boot_id: int
    accepted: int
    steps: int = 0
    poses: tuple[Places | None, ...] = ()
    counted: bool = True
    doubtful: tuple[int, ...] = ()
    askew: str = ""

    @classmethod
    def of_program(
        cls, rig: Mechanism, program: RigProgram, boot_id: int, accepted: int
    ) -> "MachineRecord":
        """Describe a program before its first step is sent."""
        found = [program.pose_after(steps) for steps in range(len(program.steps) + 1)]
        poses = tuple(pose.places for pose in found if pose is not None)
        known = len(poses) == len(found)
        return cls(
            rig=rig.fingerprint,
            boot_id=boot_id,
            accepted=accepted,
            steps=len(program.steps),
            poses=poses if known else (),
            doubtful=tuple(
                number
                for number, step in enumerate(program.steps)
                if step.cut_leaves_doubt
                or _may_stop_between_detents(step)
                or (known and poses[number] != poses[number + 1] and _may_stop_halfway(step))
            ),
        )

    def to_places(self, *, counted: bool) -> "MachineRecord":
        """Describe a program that brings parts from unknown places to those of its pose.

        Args:
            counted: Whether the board counts already; else the motors are homed.
        """
        poses = (*(None for _ in range(self.steps)), *self.poses[-1:])
        return replace(self, poses=poses, counted=counted)

    def completed(self) -> "MachineRecord":
        """Return the record after the last step of the program."""
        accepted = self.accepted + self.steps
        return MachineRecord(
            rig=self.rig, boot_id=self.boot_id, accepted=accepted, poses=self.poses[-1:]
        )

    def at_rest(self, boot_id: int, status: Status) -> "MachineRecord":
        """Return the record of the machine now that nothing moves.

        Its only place, or the second one after None, is where the parts are or must be brought.

        Args:
            boot_id: The board's current boot id.
            status: The board's status.
        """
        rested = replace(self, boot_id=boot_id, accepted=status.executed, steps=0, doubtful=())
        if boot_id != self.boot_id:
            why = "the board restarted during a program" if self.steps else ""
            return replace(rested, poses=(), askew=self.askew or why)
        done = status.executed - self.accepted
        cut = bool(self.steps and status.flags & Flag.CUT_SHORT)
        why = self.askew or self._why_askew(done, status, cut=cut)
        ahead = self.poses[done:] if 0 <= done <= self.steps else ()
        poses = ahead[:1]
        if ahead and (cut or ahead[0] is None):
            later = [places for places in ahead[1:] if places is not None]
            poses = (None, *later[:1])
        counted = self.counted or 0 < self.steps == done
        return replace(rested, poses=poses, counted=counted, askew=why)

    def _why_askew(self, done: int, status: Status, *, cut: bool) -> str:
        if not self.steps:
            return ""
        if status.fault in _HALTED:
            return _HALTED[status.fault]
        return "a movement was cut short" if cut and done in self.doubtful else ""

    def pose_in(self, rig: Mechanism) -> Pose | None:
        """Return the pose of a machine at rest, or the one to which its parts must be brought."""
        known = [places for places in self.poses if places is not None]
        return Pose(known[-1]) if known and rig.fingerprint == self.rig else None

    @property
    def between_places(self) -> bool:
        """Whether parts of the machine at rest may be between their places."""
        return None in self.poses


def _may_stop_between_detents(step: ProgramStep) -> bool:
    return any(each.action.kind is ActionKind.MOVE_BY for each in step.actions)


def _may_stop_halfway(step: ProgramStep) -> bool:
    actions = [each.action for each in step.actions]
    return any(each.kind is ActionKind.TURN and abs(each.value) == 2 for each in actions)


_HALTED = {
    Fault.ESTOP: "the emergency stop was pressed during a program",
    Fault.STALL: "a motor stalled",
}
"""Faults that end a turn anywhere; all others end it at a detent."""
