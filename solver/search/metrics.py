"""The metrics in which a solution can be short, each with its search, in one table.

A new metric is one entry of ``METRICS`` and its name in `solver.goal.Goal`, or a plugin.

This module also contains the search in single turns: the half-turn metric, with six faces or with
five.

Finally, it contains the search in the metrics of axial turns, measured by moves or by a rig's time.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from cube.moves import MoveSequence, axial_htm, axial_qtm, htm, qtm
from documents.plugins import Plugins
from solver.goal import Goal
from solver.kernels import slots
from solver.kernels.slots import set_slots
from solver.search.engine import Engine, Kernel, Tuning, context_of
from solver.search.tables.axial import Cut
from solver.search.tables.axial_turns import (
    Prices,
    class_turns,
    far_turns,
    longer_turns,
    turns_costing,
    turns_themselves,
    value_turns,
)
from solver.search.tables.single import (
    FIVE_FACE_TABLE_SET,
    LEAN_TABLE_SET,
    SPARE_TABLE_SET,
    TWO_PHASE_TABLE_SET,
)
from solver.search.tables.symmetry_coordinates import TURN_TABLE_SET
from solver.search.time_model import StepCosts, TimeModel
from solver.tables import Progress, TableSet, TableStore


@dataclass(frozen=True, slots=True)
class SingleTurns:
    """A search that turns one face at a time.

    Attributes:
        tables: Its distance tables.
        tuning: The start of the search.
    """

    tables: TableSet
    tuning: Tuning

    def load(
        self, store: TableStore, progress: Progress | None = None, _base: Engine | None = None
    ) -> Engine:
        """Prepare the search; missing tables are built.

        With six faces the tables have about 115 MB, and take some 10 s on two cores to build; lean
        ones have 60 MB; with five faces 180 MB and 30 s.

        Raises:
            TableError: The tables could not be built.
        """
        sources = (store.obtain(TURN_TABLE_SET), store.obtain(self.tables, progress))
        arrays = {name: array for source in sources for name, array in source.arrays.items()}
        return Engine(
            arrays,
            context_of(arrays),
            Kernel.load("single"),
            self.tuning,
            sources,
            Prices(1, 1),
        )


@dataclass(frozen=True, slots=True)
class AxialTurns:
    """A search that may turn two opposite faces at a time.

    Attributes:
        cut: The costs of turns, and the corresponding limits of the distance tables.
        tuning: The start of the search.
    """

    cut: Cut
    tuning: Tuning

    @property
    def tables(self) -> TableSet:
        """Its distance tables."""
        return self.cut.tables

    def load(
        self, store: TableStore, progress: Progress | None = None, base: Engine | None = None
    ) -> Engine:
        """Prepare the search; missing tables are built.

        Args:
            store: The storage of the tables.
            progress: Called with the share, 0 to 1, of the building done.
            base: The half-turn metric's search, whose tables are used, too; not needed with five
                faces.

        Raises:
            TableError: The tables could not be built.
        """
        turns = store.obtain(TURN_TABLE_SET) if base is None else base.sources[0]
        obtained = store.obtain(self.tables, progress)
        shared = turns.arrays if base is None else base.arrays
        arrays = {name: array for name, array in shared.items() if name != "phase_two"}
        arrays |= obtained.arrays
        prices = self.cut.prices
        arrays |= {
            "axial_class_moves": class_turns(arrays["class_moves"]),
            "axial_twist_moves": value_turns(arrays["twist_moves"]).astype(np.uint16),
            "near_filter": arrays["near_filters"],
            "itself": turns_themselves(arrays["axis_turns"]),
            "corner_distances": arrays["corner_bounds"][0, 0],
            "turns_costing": turns_costing(self.cut.costs()),
            "longer_turns": longer_turns(self.cut.costs()),
        }
        measure = StepCosts.even(prices.costs())
        arrays |= measure.arrays
        context = context_of(arrays)
        numbers = {slots.NEAR_RADIUS: self.cut.near, slots.GRADES: self.cut.grades}
        numbers |= {slots.QUARTER: prices.quarter, **measure.numbers}
        numbers[slots.DEAREST] = len(arrays["turns_costing"]) - 1
        numbers[slots.FAR_TURNS] = far_turns(self.cut.costs())
        set_slots(context, numbers)
        return Engine(
            arrays,
            context,
            Kernel.load("axial"),
            self.tuning,
            (turns, obtained),
            prices,
        )


def timed_by(engine: Engine, model: TimeModel) -> Engine:
    """Return an axial engine that measures its solutions by a rig's time, in nanoseconds.

    First, the time per unit of the metric's cost is guessed from typical solutions, which bounds
    the search better than its minimum. If the search ends, it is repeated with the minimum, to make
    sure that nothing is quicker.
    """
    measure, prices, first_bound = model.costs(), engine.prices, engine.tuning.first_bound
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
        lopsided=True,
        units=(usual, least),
        tuning=replace(engine.tuning, first_bound=first_bound * max(slowest, least * 6 // 5)),
    )


Search = SingleTurns | AxialTurns


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


_SINGLE = (0, 1, 0.0), (9, 2, 0.0), (10, 3, 3.0)
_QUARTERS = Prices(1, 2, together=False)
_QTM = (0, 1, 0.0), (9, 2, 3.0), (10, 3, 3.0), (12, 4, 30.0), (13, 5, 30.0)
_QTM_FIVE = (0, 1, 0.0), (9, 2, 3.0), (12, 3, 30.0)
_AXIAL = (0, 1, 0.0), (6, 2, 3.0), (9, 3, 30.0)
_AXIAL_QTM = (0, 1, 0.0), (8, 2, 3.0), (11, 3, 5.0)
_TURNS = Tuning(24, 12, (*_SINGLE, (12, 4, 30.0)))

_HTM = SingleTurns(TWO_PHASE_TABLE_SET, _TURNS)
SPARE = replace(_HTM, tables=SPARE_TABLE_SET)
"""The search for few turns, used as a fallback if the budget is too short for another search."""
LEAN = SingleTurns(LEAN_TABLE_SET, replace(_TURNS, first_cap=10))
"""The search for few turns with little memory."""
_BUILT_IN = {
    metric.name: metric
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
