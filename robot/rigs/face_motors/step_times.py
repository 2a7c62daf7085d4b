"""The steps of motors on the faces, in all ways in which a plan may make them."""

from itertools import pairwise, product

import numpy as np

from cube.moves import FACES, OPPOSITE_FACE, Move
from robot.rigs.face_motors.corners import Turns
from robot.rigs.face_motors.directions import Option, options
from robot.rigs.face_motors.rig_file import FaceMotorFile
from robot.rigs.face_motors.transitions import Transitions
from robot.rigs.step_times import StepTimes, StepWay


def step_times(rig: FaceMotorFile, lanes: int | None) -> StepTimes:
    """Return what all turns take that a rig can make, each in all ways that a plan chooses from.

    Args:
        rig: Motors and angles.
        lanes: Motors that the board turns at once; as the rig file says unless given.
    """
    transitions = Transitions(rig, lanes)
    numbers: dict[Turns, int] = {}
    ways = {}
    for moves in _together(rig):
        found: dict[tuple[int, int], float] = {}
        for option in _choices(rig, moves):
            first, last = (numbers.setdefault(option[end], len(numbers)) for end in (0, -1))
            time_ms = 1000 * _time_s(option, transitions)
            found[first, last] = min(time_ms, found.get((first, last), time_ms))
        ways[moves] = tuple(StepWay(*ends, time_ms) for ends, time_ms in found.items())
    pauses_ms = np.array(
        [[1000 * transitions.between(one, other).pause_s for other in numbers] for one in numbers]
    )
    return StepTimes(ways, pauses_ms)


def _together(rig: FaceMotorFile) -> list[tuple[Move, ...]]:
    """Every turn, and every two of opposite faces, that the rig has motors for."""
    found = []
    for face, amount, opposite in product(FACES[:3], range(4), range(4)):
        turned = ((face, amount), (OPPOSITE_FACE[face], opposite))
        moves = tuple(Move(each, quarters) for each, quarters in turned if quarters)
        if moves and all(move.face in rig.motors for move in moves):
            found.append(moves)
    return found


def _choices(rig: FaceMotorFile, moves: tuple[Move, ...]) -> list[Option]:
    """The ways that a plan chooses from; without `parallel` turns are made in their order."""
    if rig.parallel or len(moves) == 1:
        return options(moves, apart=rig.angles.opposite > 0)
    each = [options((move,), apart=False) for move in moves]
    return [(*one, *other) for one, other in product(*each)]


def _time_s(option: Option, transitions: Transitions) -> float:
    pauses_s = (transitions.between(*pair).pause_s for pair in pairwise(option))
    return sum(map(transitions.duration_s, option)) + sum(pauses_s)
