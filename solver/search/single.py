"""The search in single turns: the half-turn metric, with six faces or with five."""

from dataclasses import dataclass

from solver.search.engine import Engine, Kernel, Tuning, context_of
from solver.search.tables.axial_turns import Prices
from solver.search.tables.turns import TURN_TABLE_SET
from solver.tables import Progress, TableSet, TableStore


@dataclass(frozen=True, slots=True)
class SingleTurns:
    """A search that turns one face at a time.

    Attributes:
        tables: Its distance tables.
        tuning: Where it starts.
    """

    tables: TableSet
    tuning: Tuning

    def load(
        self, store: TableStore, progress: Progress | None = None, _base: Engine | None = None
    ) -> Engine:
        """Make the search ready; its tables are built when missing.

        With six faces they take about 115 MB, and some 10 s on two cores to build; lean ones 60 MB;
        with five 180 MB and 30 s.

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
