"""From moves to a timed program for a rig."""

from collections.abc import Iterable

from cube.metrics import axial_groups
from cube.moves import FACES, Move, MoveSequence
from robot.rigs.program import FaceTurn, ProgramStep, RigProgram
from robot.rigs.rig import Rig

OPPOSITE = 3
"""Places from a face to the opposite one in URFDLB."""


def plan(sequence: MoveSequence, rig: Rig) -> RigProgram:
    """Lay moves out in time.

    Neighbouring turns of opposite faces become one step when the rig turns them together. A half
    turn is one longer turn. The moves are taken as they are: simplify them first to save turns.

    Args:
        sequence: The moves; none give an empty program.
        rig: The rig that will turn them.

    Raises:
        NotPossibleError: A move needs a face that has no motor.
    """
    groups = axial_groups(sequence) if rig.parallel else tuple((move,) for move in sequence)
    return plan_steps(groups, rig)


def plan_steps(groups: Iterable[Iterable[Move]], rig: Rig) -> RigProgram:
    """Lay steps out in time: moves that are grouped already, as those of a journal.

    Raises:
        NotPossibleError: A move needs a face that has no motor.
    """
    steps: list[ProgramStep] = []
    for group in groups:
        turns = tuple(_face_turn(move, rig) for move in group)
        duration_s = max(rig.turn_time_s(turn.face, turn.quarter_turns) for turn in turns)
        overlap, start_s = _start(steps[-1], turns, rig) if steps else (0, 0.0)
        steps.append(ProgramStep(turns, start_s, duration_s, overlap))
    return RigProgram(tuple(steps))


def _start(before: ProgramStep, turns: tuple[FaceTurn, ...], rig: Rig) -> tuple[int, float]:
    """Say by how many steps a step overlaps the one before, and when it begins.

    The board has two step lanes: a single turn can begin on one while a single turn ends on the
    other. Faces on one axis wait for each other, and so does a turn that would end first.
    """
    after_s = before.end_s + rig.gap_us * 1e-6
    if len(turns) > 1 or len(before.turns) > 1:
        return 0, after_s
    first, second = before.turns[0], turns[0]
    overlap_s = rig.overlap_s(first.face, first.quarter_turns)
    crossing = (FACES.index(first.face) - FACES.index(second.face)) % OPPOSITE
    if not crossing or not 0 < overlap_s < rig.turn_time_s(second.face, 1):
        return 0, after_s
    return rig.overlap_steps(first.face), before.end_s - overlap_s


def _face_turn(move: Move, rig: Rig) -> FaceTurn:
    return FaceTurn(move.face, rig.motor(move.face).channel, move.quarter_turns)
