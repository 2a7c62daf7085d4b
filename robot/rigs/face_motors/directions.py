"""Which way half turns go, and which opposite faces begin together: the quickest of all ways.

A half turn may go either way, and each way makes other transitions to its neighbours; a cut lets
the next face begin earlier than an anti-cut. Opposite faces may turn together, or one closely after
the other in either order, if the rig says so. Dynamic programming over the whole program finds the
best of all combinations: the time to the end of a step depends on that step and the one before.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise, product

from cube.moves import Move
from robot.rigs.face_motors.corners import FaceTurn, Turns
from robot.rigs.face_motors.transitions import Transitions

Option = tuple[Turns, ...]
"""Steps that make what is asked for: one, or one for each of two opposite faces."""


def ways(moves: Iterable[Move]) -> list[Turns]:
    """Return all ways to make moves together: a half turn goes clockwise, or the other way."""
    choices = [(2, -2) if move.turns == 2 else (move.quarter_turns,) for move in moves]
    faces = [move.face for move in moves]
    return [tuple(map(FaceTurn, faces, quarters)) for quarters in product(*choices)]


def options(moves: Sequence[Move], *, apart: bool) -> list[Option]:
    """Return all ways to make a turn, or two of opposite faces.

    Args:
        moves: The turns.
        apart: Whether two may also be made one after the other.
    """
    together: list[Option] = [(turns,) for turns in ways(moves)]
    if not apart or len(moves) == 1:
        return together
    single = [tuple((turn,) for turn in turns) for turns in ways(moves)]
    return together + single + [option[::-1] for option in single]


def quickest(groups: Iterable[Sequence[Option]], transitions: Transitions) -> list[Turns]:
    """Choose an option of each group so that the whole takes the least time.

    Args:
        groups: What there is to choose from, in order; of equals the first is taken.
        transitions: What steps and transitions take.
    """
    ends: list[tuple[float, list[Turns]]] = []
    for choices in groups:
        ends = [_reach(option, ends, transitions) for option in choices]
    return min(ends, key=_time)[1] if ends else []


def _reach(
    option: Option, ends: list[tuple[float, list[Turns]]], transitions: Transitions
) -> tuple[float, list[Turns]]:
    """Return the quickest way to the end of an option, and its time.

    Args:
        option: How the program goes on.
        ends: The quickest way to each end of what comes before.
        transitions: What steps and transitions take.
    """
    taken_s = sum(map(transitions.duration_s, option))
    taken_s += sum(transitions.between(*pair).pause_s for pair in pairwise(option))
    reached = [
        (time_s + transitions.between(steps[-1], option[0]).pause_s, steps)
        for time_s, steps in ends
    ]
    time_s, steps = min(reached, key=_time, default=(0.0, []))
    return time_s + taken_s, [*steps, *option]


def _time(end: tuple[float, list[Turns]]) -> float:
    """Round, so that equal ways stay equal whatever the order of the sums."""
    return round(end[0], 9)
