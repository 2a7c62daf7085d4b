"""From moves to a timed program for motors on the faces."""

from collections.abc import Iterable

from cube.moves import MoveSequence, axial_groups
from robot.rigs.actions import MotorTurn
from robot.rigs.face_motors.corners import FaceTurn, Turns
from robot.rigs.face_motors.directions import options, quickest
from robot.rigs.face_motors.rig_file import FaceMotorFile
from robot.rigs.face_motors.transitions import Transitions
from robot.rigs.program import ProgramStep, RigProgram


def plan(rig: FaceMotorFile, sequence: MoveSequence, lanes: int | None = None) -> RigProgram:
    """Lay moves out in time.

    Neighbouring turns of opposite faces become one step when the rig turns them together and that
    is quickest. A half turn is one longer turn.

    Raises:
        NotPossibleError: A move needs a face that has no motor.
    """
    groups = axial_groups(sequence) if rig.parallel else tuple((move,) for move in sequence)
    if rig.parallel and rig.angles.opposite:
        _require_motors(rig, sequence)
        apart = (options(moves, apart=True) for moves in groups)
        chosen = quickest(apart, Transitions(rig, lanes))
        groups = tuple(tuple(turn.move for turn in turns) for turns in chosen)
    return plan_steps(rig, map(MoveSequence, groups), lanes)


def plan_steps(
    rig: FaceMotorFile, groups: Iterable[MoveSequence], lanes: int | None = None
) -> RigProgram:
    """Lay steps out in time: moves that are grouped already, as those of a journal.

    Raises:
        NotPossibleError: A move needs a face that has no motor.
    """
    transitions = Transitions(rig, lanes)
    choices = []
    for moves in groups:
        _require_motors(rig, moves)
        choices.append(options(moves.moves, apart=False))
    steps: list[ProgramStep] = []
    before: Turns = ()
    for turns in quickest(choices, transitions):
        overlap_steps, start_s = 0, 0.0
        if steps:
            transition = transitions.between(before, turns)
            overlap_steps = transition.overlap_steps
            start_s = steps[-1].end_s + transition.pause_s
        steps.append(
            ProgramStep(
                tuple(_motor_turn(rig, turn) for turn in turns),
                MoveSequence(tuple(turn.move for turn in turns)),
                start_s,
                transitions.duration_s(turns),
                overlap_steps,
            )
        )
        before = turns
    return RigProgram(tuple(steps))


def _motor_turn(rig: FaceMotorFile, turn: FaceTurn) -> MotorTurn:
    return MotorTurn(rig.motor(turn.face).channel, turn.quarters, f"face {turn.face}")


def _require_motors(rig: FaceMotorFile, moves: MoveSequence) -> None:
    for move in moves:
        rig.motor(move.face)
