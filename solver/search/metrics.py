"""The metrics in which a solution can be short, each with its searches, in one table.

A new metric is one entry of ``METRICS`` and its name in `solver.goal.Goal`, or a plugin.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from cube.moves import MoveSequence, axial_htm, axial_qtm, htm, qtm
from documents.plugins import Plugins
from solver.goal import Goal
from solver.kernels import slots
from solver.kernels.slots import set_slots
from solver.search.directions import ALL
from solver.search.engine import Engine, Search
from solver.search.tables.axial import Cut
from solver.search.tables.axial_turns import Prices
from solver.search.time_model import TimeModel


def timed_by(engine: Engine, model: TimeModel) -> Engine:
    """Return an engine that measures its solutions by a rig's time, in nanoseconds.

    First, the time per unit of the metric's cost is guessed from typical solutions, which bounds
    the search better than its minimum. If the search ends, it is repeated with the minimum, to make
    sure that nothing is quicker.
    """
    measure, prices = model.costs(), engine.search.cut.prices
    usual, least = measure.units(prices)
    quarter, half = measure.slowest
    slowest = max(quarter // prices.quarter, half // prices.half)
    context = engine.context.copy()
    set_slots(context, {slots.TABLES[name]: array for name, array in measure.arrays.items()})
    set_slots(context, {**measure.numbers, slots.EVERY: 1})
    return replace(
        engine,
        arrays={**engine.arrays, **measure.arrays},
        context=context,
        directions=ALL if engine.directions is None else engine.directions,
        units=(usual, least),
        first_bound=engine.first_bound * max(slowest, least * 6 // 5),
    )


@dataclass(frozen=True, slots=True)
class Metric:
    """A way to count turns.

    Attributes:
        name: Its name for people.
        measure: Counts a sequence.
        six: The search for solutions that are short in it.
        five: The same with five faces: one does not turn.
        among: The metric in which they are short; empty for this one. Otherwise, many short
            solutions are found, and the one with the lowest value is taken.
    """

    name: str
    measure: Callable[[MoveSequence], float]
    six: Search
    five: Search
    among: str = ""


_TURNS, _QUARTERS = Prices(1, 1, together=False), Prices(1, 2, together=False)
_HTM = (0, 1, 0.0), (8, 3, 0.0), (9, 4, 0.0)
_QTM = (0, 1, 0.0), (9, 2, 3.0), (10, 3, 3.0), (12, 4, 30.0), (13, 5, 30.0)
_QTM_FIVE = (0, 1, 0.0), (9, 2, 3.0), (12, 3, 30.0)
_AXIAL = (0, 1, 0.0), (6, 2, 3.0), (9, 3, 30.0)
_AXIAL_QTM = (0, 1, 0.0), (8, 2, 3.0), (11, 3, 5.0)

_BUILT_IN = {
    metric.name: metric
    for metric in (
        Metric(
            Goal.HTM,
            htm,
            Search(Cut("htm", _TURNS, 6, 8, 8, back=5, premove_cost=4), 24, 10, _HTM),
            Search(
                Cut("htm-five", _TURNS, 6, 8, 8, back=5, five=True, premove_cost=4), 30, 12, _HTM
            ),
        ),
        Metric(
            Goal.QTM,
            qtm,
            Search(Cut("qtm", _QUARTERS, 7, 9, 15, premove_cost=5), 32, 15, _QTM),
            Search(Cut("qtm-five", _QUARTERS, 7, 9, 13, five=True), 46, 26, _QTM_FIVE),
        ),
        Metric(
            Goal.AXIAL,
            axial_htm,
            Search(Cut("axial", Prices(1, 1), 5, 7, 8), 20, 9, _AXIAL),
            Search(Cut("axial-five", Prices(1, 1), 5, 7, 7, five=True), 28, 14, _AXIAL),
        ),
        Metric(
            Goal.AXIAL_QTM,
            axial_qtm,
            Search(Cut("axial-qtm", Prices(1, 2), 6, 8, 13), 28, 14, _AXIAL_QTM),
            Search(Cut("axial-qtm-five", Prices(1, 2), 6, 8, 13, five=True), 40, 24, _AXIAL_QTM),
        ),
    )
}
METRICS = Plugins[Metric](
    "objectives",
    _BUILT_IN,
    lambda found: isinstance(found, Metric),
    "a solver.search.metrics.Metric",
)
"""The metrics by their names for `--objective`."""


def priced(name: str, price: Callable[[MoveSequence], float], among: str = "htm") -> Metric:
    """Return a metric without a search of its own.

    Args:
        name: Its name for people.
        price: Cost of a solution, in any unit.
        among: The built-in metric in which the candidate solutions are short.
    """
    return replace(_BUILT_IN[among], name=name, measure=price, among=among)
