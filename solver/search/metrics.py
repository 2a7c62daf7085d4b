"""The metrics that a solution can be short in, each with its search: the one table of them.

A new metric is one entry of ``METRICS`` and its name in `solver.goal.Goal`.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from cube.metrics import axial_htm, axial_qtm, htm, qtm
from cube.moves import MoveSequence
from solver.goal import Goal
from solver.search.axial import AxialTurns
from solver.search.engine import Tuning
from solver.search.single import SingleTurns
from solver.search.tables.axial import Cut
from solver.search.tables.axial_turns import Prices
from solver.search.tables.single import (
    FIVE_FACE_TABLE_SET,
    LEAN_TABLE_SET,
    SPARE_TABLE_SET,
    TWO_PHASE_TABLE_SET,
)

Search = SingleTurns | AxialTurns


@dataclass(frozen=True, slots=True)
class Metric:
    """A way to count turns.

    Attributes:
        name: What people call it.
        measure: Counts a sequence.
        six: How solutions that are short in it are searched for.
        five: The same with five faces: one does not turn.
    """

    name: Goal
    measure: Callable[[MoveSequence], int]
    six: Search
    five: Search


_SINGLE = (0, 1, 0.0), (9, 2, 0.0), (10, 3, 3.0)
_QUARTERS = Prices(1, 2, together=False)
_QTM = (0, 1, 0.0), (9, 2, 3.0), (10, 3, 3.0), (12, 4, 30.0), (13, 5, 30.0)
_QTM_FIVE = (0, 1, 0.0), (9, 2, 3.0), (12, 3, 30.0)
_AXIAL = (0, 1, 0.0), (6, 2, 3.0), (9, 3, 30.0)
_AXIAL_QTM = (0, 1, 0.0), (8, 2, 3.0), (11, 3, 5.0)
_TURNS = Tuning(24, 12, (*_SINGLE, (12, 4, 30.0)))

_HTM = SingleTurns(TWO_PHASE_TABLE_SET, _TURNS)
SPARE = replace(_HTM, tables=SPARE_TABLE_SET)
"""The search for few turns beside another one, for when that one's budget is too short."""
LEAN = SingleTurns(LEAN_TABLE_SET, replace(_TURNS, first_cap=10))
"""How solutions of few turns are searched for where memory is short."""
METRICS = {
    metric.name.value: metric
    for metric in (
        Metric(
            Goal.HTM,
            htm,
            _HTM,
            SingleTurns(FIVE_FACE_TABLE_SET, Tuning(30, 11, (*_SINGLE, (12, 4, 10.0)))),
        ),
        Metric(
            Goal.QTM,
            qtm,
            AxialTurns(
                Cut("qtm", _QUARTERS, 7, 9, 15, premove_cost=5, version=9), Tuning(32, 15, _QTM)
            ),
            AxialTurns(Cut("qtm-five", _QUARTERS, 7, 9, 13, five=True), Tuning(46, 26, _QTM_FIVE)),
        ),
        Metric(
            Goal.AXIAL,
            axial_htm,
            AxialTurns(Cut("axial", Prices(1, 1), 5, 7, 8), Tuning(20, 9, _AXIAL)),
            AxialTurns(Cut("axial-five", Prices(1, 1), 5, 7, 7, five=True), Tuning(28, 14, _AXIAL)),
        ),
        Metric(
            Goal.AXIAL_QTM,
            axial_qtm,
            AxialTurns(Cut("axial-qtm", Prices(1, 2), 6, 8, 13), Tuning(28, 14, _AXIAL_QTM)),
            AxialTurns(
                Cut("axial-qtm-five", Prices(1, 2), 6, 8, 13, five=True), Tuning(40, 24, _AXIAL_QTM)
            ),
        ),
    )
}
