"""The search in the metrics of axial turns, measured by moves or by a rig's time."""

import statistics
from dataclasses import dataclass, replace

import numpy as np

from solver.kernels import slots
from solver.kernels.context import set_slots
from solver.search.axial_tables import Cut
from solver.search.axial_turns import class_turns, value_turns
from solver.search.engine import Engine, Kernel, Tuning, context_of
from solver.search.time_model import TimeModel
from solver.search.turn_tables import TURN_TABLE_SET
from solver.tables import Progress, TableSet, TableStore

_PER_MS = 1000  # times are counted in microseconds
_QUARTERS = 0.6  # share of the cost of a usual quick solution that quarter turns have


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
        turns, obtained = store.obtain(TURN_TABLE_SET), store.obtain(self.tables, progress)
        shared = turns.arrays if base is None else base.arrays
        arrays = {name: array for name, array in shared.items() if name != "phase_two"}
        arrays |= obtained.arrays
        prices = self.cut.prices
        arrays |= {
            "axial_class_moves": class_turns(arrays["class_moves"]),
            "axial_twist_moves": value_turns(arrays["twist_moves"]).astype(np.uint16),
            "near_filter": arrays["near_filters"],
            "times": np.array(
                3 * 6 * (prices.quarter, prices.half, prices.quarter), dtype=np.int64
            ),
        }
        context = context_of(arrays)
        numbers = {slots.NEAR_RADIUS: self.cut.near, slots.GRADES: self.cut.grades}
        numbers |= {slots.QUARTER: prices.quarter, slots.TOGETHER: prices.together}
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
    """An axial engine that measures its solutions by a rig's time, in microseconds.

    What one unit of the metric's cost takes is guessed first, as in a usual solution: that bounds
    the search better than the least it can take. Should the search come to its end, it is done
    once more with the least, which makes sure that nothing is quicker. Where turns overlap, each is
    taken for one that the next overlaps as early as any does.
    """
    prices, first_bound = engine.prices, engine.tuning.first_bound
    gap = round(model.gap_ms * _PER_MS)
    quarters = [round(time_ms * _PER_MS) for time_ms in model.least_quarter_ms]
    halves = [round(time_ms * _PER_MS) for time_ms in model.least_half_ms]
    pairs = zip(quarters, halves, strict=True)
    single = np.array([time for q, h in pairs for time in (q, h, q)], dtype=np.int64)
    raw_turns = np.argsort(engine.arrays["axis_turns"], axis=1)
    times = np.ascontiguousarray(single[raw_turns])
    least = min((min(quarters) + gap) // prices.quarter, (min(halves) + gap) // prices.half)
    slowest = max((max(quarters) + gap) // prices.quarter, (max(halves) + gap) // prices.half)
    usual = round(
        _QUARTERS * (statistics.median(quarters) + gap) / prices.quarter
        + (1 - _QUARTERS) * (statistics.median(halves) + gap) / prices.half
    )
    context = engine.context.copy()
    numbers = {slots.GAP: gap, slots.TOGETHER: int(not model.pairs_add_up)}
    set_slots(context, {slots.TIMES: times, **numbers})
    return replace(
        engine,
        arrays={**engine.arrays, "times": times},
        context=context,
        units=(max(usual, least), least),
        tuning=replace(engine.tuning, first_bound=first_bound * max(slowest, least * 6 // 5)),
    )
