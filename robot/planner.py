"""From moves to a timed program for a rig."""

from collections.abc import Iterable

from cube.metrics import axial_groups
from cube.moves import Move, MoveSequence
from robot.program import FaceTurn, ProgramStep, RigProgram
from robot.rig import Rig


def plan(sequence: MoveSequence, rig: Rig) -> RigProgram:
    """Lay moves out in time.

    Neighbouring turns of opposite faces become one step when the rig turns them together. A half
    turn is one longer turn. The moves are taken as they are: simplify them first to save turns.

    Args:
        sequence: The moves; none give an empty program.
        rig: The rig that will turn them.

    Raises:
        RigError: A move needs a face that has no motor.
    """
    groups = axial_groups(sequence) if rig.parallel else tuple((move,) for move in sequence)
    return plan_steps(groups, rig)


def plan_steps(groups: Iterable[Iterable[Move]], rig: Rig) -> RigProgram:
    """Lay steps out in time: moves that are grouped already, as those of a journal.

    Raises:
        RigError: A move needs a face that has no motor.
    """
    steps: list[ProgramStep] = []
    start_s = 0.0
    for group in groups:
        turns = tuple(_face_turn(move, rig) for move in group)
        duration_s = max(rig.turn_time_s(turn.face, turn.quarter_turns) for turn in turns)
        steps.append(ProgramStep(turns, start_s, duration_s))
        start_s += duration_s + rig.gap_us * 1e-6
    return RigProgram(tuple(steps))


def _face_turn(move: Move, rig: Rig) -> FaceTurn:
    return FaceTurn(move.face, rig.motor(move.face).channel, move.quarter_turns)
