"""From moves to a timed program for motors on the faces.

It chooses the direction of half turns and the start of opposite faces so that the program is the
quickest possible.

A half turn may go in either direction, and each direction gives other transitions to its
neighbours; a cut lets the next face begin earlier than an anti-cut. Opposite faces may turn
together, or one shortly after the other in either order, if the rig allows it. Dynamic programming
over the whole program finds the best combination: the time to the end of a step depends on that
step and the previous one.

The steps of motors on the faces, in all variants that a plan may use.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise, product

import numpy as np

from cube.moves import FACES, OPPOSITE_FACE, Move, MoveSequence, axial_groups
from robot.rigs.actions import Act
from robot.rigs.face_motors.rig_file import FaceMotorFile, FaceTurn, Turns
from robot.rigs.face_motors.transitions import Transitions
from robot.rigs.mechanism import StepTimes, StepWay
from robot.rigs.program import ProgramStep, RigProgram

Option = tuple[Turns, ...]
"""Steps for a turn: one, or one for each of two opposite faces."""


def ways(moves: Iterable[Move]) -> list[Turns]:
    """Return all variants of moves that run together: half turns may go in either direction."""
    choices = [(2, -2) if move.turns == 2 else (move.quarter_turns,) for move in moves]
    faces = [move.face for move in moves]
    return [tuple(map(FaceTurn, faces, quarters)) for quarters in product(*choices)]


def options(moves: Sequence[Move], *, apart: bool) -> list[Option]:
    """Return all variants of a turn, or of two turns of opposite faces.

    Args:
        moves: The turns.
        apart: Whether two turns may also run one after the other.
    """
    together: list[Option] = [(turns,) for turns in ways(moves)]
    if not apart or len(moves) == 1:
        return together
    single = [tuple((turn,) for turn in turns) for turns in ways(moves)]
    return together + single + [option[::-1] for option in single]


def quickest(groups: Iterable[Sequence[Option]], transitions: Transitions) -> list[Turns]:
    """Choose an option for each group so that the whole program takes the least time.

    Of equally good options the first is taken.
    """
    ends: list[tuple[float, list[Turns]]] = []
    for choices in groups:
        ends = [_reach(option, ends, transitions) for option in choices]
    return min(ends, key=_time)[1] if ends else []


def _reach(
    option: Option, ends: list[tuple[float, list[Turns]]], transitions: Transitions
) -> tuple[float, list[Turns]]:
    """Return the quickest path to the end of an option, and its time.

    Args:
        option: The next steps.
        ends: The quickest path to each end of the previous group.
        transitions: The times of steps and transitions.
    """
    taken_s = _taken_s(option, transitions)
    reached = [
        (time_s + transitions.between(steps[-1], option[0]).pause_s, steps)
        for time_s, steps in ends
    ]
    time_s, steps = min(reached, key=_time, default=(0.0, []))
    return time_s + taken_s, [*steps, *option]


def _time(end: tuple[float, list[Turns]]) -> float:
    """Round a time, so that the order of adding times does not make equally long paths differ."""
    return round(end[0], 9)


def step_times(rig: FaceMotorFile, lanes: int | None) -> StepTimes:
    """Return the times of all turns of a rig, each in all variants that a plan may choose."""
    transitions = Transitions(rig, lanes)
    numbers: dict[Turns, int] = {}
    ways = {}
    for moves in axial_turns(rig):
        found: dict[tuple[int, int], float] = {}
        for option in _choices(rig, moves):
            first, last = (numbers.setdefault(option[end], len(numbers)) for end in (0, -1))
            time_ms = 1000 * _taken_s(option, transitions)
            found[first, last] = min(time_ms, found.get((first, last), time_ms))
        ways[moves] = tuple(StepWay(*ends, time_ms) for ends, time_ms in found.items())
    pauses_ms = np.array(
        [[1000 * transitions.between(one, other).pause_s for other in numbers] for one in numbers]
    )
    return StepTimes(ways, pauses_ms)


def axial_turns(rig: FaceMotorFile) -> list[tuple[Move, ...]]:
    """Return every turn, and every pair of opposite faces, that the rig has motors for."""
    found = []
    for face, amount, opposite in product(FACES[:3], range(4), range(4)):
        turned = ((face, amount), (OPPOSITE_FACE[face], opposite))
        moves = tuple(Move(each, quarters) for each, quarters in turned if quarters)
        if moves and all(move.face in rig.motors for move in moves):
            found.append(moves)
    return found


def _choices(rig: FaceMotorFile, moves: tuple[Move, ...]) -> list[Option]:
    """Return the options of a plan; without `parallel`, turns run in their order."""
    if rig.parallel or len(moves) == 1:
        return options(moves, apart=rig.corners.opposite > 0)
    each = [options((move,), apart=False) for move in moves]
    return [(*one, *other) for one, other in product(*each)]


def _taken_s(option: Option, transitions: Transitions) -> float:
    pauses_s = (transitions.between(*pair).pause_s for pair in pairwise(option))
    return sum(map(transitions.duration_s, option)) + sum(pauses_s)


def plan(rig: FaceMotorFile, sequence: MoveSequence, lanes: int | None = None) -> RigProgram:
    """Schedule moves.

    Neighbouring turns of opposite faces become one step if the rig turns them together and that is
    quickest. A half turn is one longer turn.

    Raises:
        NotPossibleError: A move needs a face that has no motor.
    """
    groups = axial_groups(sequence) if rig.parallel else tuple((move,) for move in sequence)
    return _program(rig, [_choices(rig, moves) for moves in groups], lanes)


def plan_steps(
    rig: FaceMotorFile, groups: Iterable[MoveSequence], lanes: int | None = None
) -> RigProgram:
    """Schedule moves that are grouped into steps already.

    Raises:
        NotPossibleError: A move needs a face that has no motor.
    """
    return _program(rig, [options(moves.moves, apart=False) for moves in groups], lanes)


def _program(
    rig: FaceMotorFile, choices: Iterable[Sequence[Option]], lanes: int | None
) -> RigProgram:
    """Schedule the quickest choice of options."""
    transitions = Transitions(rig, lanes)
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


def _motor_turn(rig: FaceMotorFile, turn: FaceTurn) -> Act:
    return Act.turn(rig.motor(turn.face).channel, turn.quarters, f"face {turn.face}")
