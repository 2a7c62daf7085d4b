"""The search in the metrics of axial turns, measured by moves or by a rig's time."""

from dataclasses import dataclass, replace

import numpy as np

from solver.kernels import slots
from solver.kernels.context import set_slots
from solver.search.engine import Engine, Kernel, Tuning, context_of
from solver.search.step_costs import StepCosts
from solver.search.tables.axial import Cut
from solver.search.tables.axial_turns import (
    class_turns,
    far_turns,
    longer_turns,
    turns_costing,
    turns_themselves,
    value_turns,
)
from solver.search.tables.turns import TURN_TABLE_SET
from solver.search.time_model import TimeModel
from solver.tables import Progress, TableSet, TableStore


@dataclass(frozen=True, slots=True)
class AxialTurns:
    """A search that may turn two opposite faces at a time.

    Attributes:
        cut: What turns cost, and how the distance tables are cut for that.
        tuning: Where it starts.
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
        """Make the search ready; its tables are built when missing.

        Args:
            store: Where the tables are kept.
            progress: Is told the share, 0 to 1, of the building done.
            base: The half-turn metric's search, whose tables are used, too; with five faces there
                is no need of it.

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
    """An axial engine that measures its solutions by a rig's time, in nanoseconds.

    What one unit of the metric's cost takes is guessed first, as in a usual solution: that bounds
    the search better than the least it can take. Should the search come to its end, it is done
    once more with the least, which makes sure that nothing is quicker.
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
