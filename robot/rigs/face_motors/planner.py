"""From moves to a timed program for motors on the faces."""

from collections.abc import Iterable

from cube.metrics import axial_groups
from cube.moves import MoveSequence
from robot.rigs.actions import MotorTurn
from robot.rigs.face_motors.rig_file import FaceMotorFile
from robot.rigs.program import ProgramStep, RigProgram


def plan(rig: FaceMotorFile, sequence: MoveSequence) -> RigProgram:
    """Lay moves out in time.

    Neighbouring turns of opposite faces become one step when the rig turns them together. A half
    turn is one longer turn.

    Raises:
        NotPossibleError: A move needs a face that has no motor.
    """
    groups = axial_groups(sequence) if rig.parallel else ((move,) for move in sequence)
    return plan_steps(rig, map(MoveSequence, groups))


def plan_steps(rig: FaceMotorFile, groups: Iterable[MoveSequence]) -> RigProgram:
    """Lay steps out in time: moves that are grouped already, as those of a journal.

    Raises:
        NotPossibleError: A move needs a face that has no motor.
    """
    steps: list[ProgramStep] = []
    for moves in groups:
        turns = tuple(
            MotorTurn(rig.motor(move.face).channel, move.quarter_turns, f"face {move.face}")
            for move in moves
        )
        duration_s = max(rig.turn_time_s(move.face, move.quarter_turns) for move in moves)
        overlap, start_s = _start(steps[-1], moves, rig) if steps else (0, 0.0)
        steps.append(ProgramStep(turns, moves, start_s, duration_s, overlap))
    return RigProgram(tuple(steps))


def _start(before: ProgramStep, moves: MoveSequence, rig: FaceMotorFile) -> tuple[int, float]:
    """Say by how many steps a step overlaps the one before, and when it begins.

    The board has two step lanes: a single turn can begin on one while a single turn ends on the
    other. Faces on one axis wait for each other, and so does a turn that would end first.
    """
    after_s = before.end_s + rig.gap_us * 1e-6
    if len(moves) > 1 or len(before.moves) > 1:
        return 0, after_s
    first, second = before.moves.moves[0], moves.moves[0]
    overlap_s = rig.overlap_s(first.face, first.quarter_turns)
    if first.axis == second.axis or not 0 < overlap_s < rig.turn_time_s(second.face, 1):
        return 0, after_s
    return rig.overlap_steps(first.face), before.end_s - overlap_s
