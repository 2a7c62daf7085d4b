"""What a search minimises (moves in one of four metrics, or time on a rig), with its tables."""

import os
from dataclasses import dataclass

from cube.moves import FACES, MoveSequence
from solver.errors import SolverError
from solver.goal import Goal, objective_named
from solver.search.engine import Engine, Search
from solver.search.metrics import METRICS, Metric
from solver.search.tables.symmetry_coordinates import TURN_TABLE_SET
from solver.search.time_model import USUAL_RIG, TimeModel
from solver.tables import Progress, TableStore

_ALIKE, _ALIKE_WITHOUT_PAIRS = 1.42, 1.2


@dataclass(frozen=True, slots=True)
class Objective:
    """The value to minimise.

    Attributes:
        name: One of ``Goal``, or a plugin's.
        model: The rig's times; used for ``time`` only.

    Raises:
        SolverError: No such objective.
    """

    name: str = Goal.HTM.value
    model: TimeModel = USUAL_RIG

    def __post_init__(self) -> None:
        objective_named(self.name)

    @property
    def timed(self) -> bool:
        """Whether the rig's time is minimised, instead of a number of turns."""
        return self.name == Goal.TIME

    def value(self, moves: MoveSequence) -> float:
        """Return the cost of the moves; milliseconds for ``time``."""
        return self.model.time_ms(moves) if self.timed else self.metric.measure(moves)

    @property
    def metric(self) -> Metric:
        """The metric in which the search counts its levels.

        For ``time``, the metric with the quickest answers by the rig's times: if a half turn takes
        less than 1.42 quarter turns, the one in which both count alike; else, if a pair costs as
        much as both faces (and half turns 1.2 quarter turns), quarter turns.
        """
        if not self.timed:
            return METRICS[self.name]
        quarters = Goal.QTM if self.model.pairs_add_up else Goal.AXIAL_QTM
        alike = _ALIKE_WITHOUT_PAIRS if self.model.pairs_add_up else _ALIKE
        return METRICS[Goal.AXIAL if self.model.ratio < alike else quarters]


HTM = Objective()


def search_for(objective: Objective, forbidden: str) -> Search:
    """Return the search that minimises an objective, or nearly so, without the forbidden face.

    Raises:
        SolverError: The remaining faces are not enough.
    """
    if not forbidden:
        return objective.metric.six
    unknown = set(forbidden) - set(FACES)
    if unknown:
        raise SolverError(f"{''.join(sorted(unknown))} is not a face: use {' '.join(FACES)}")
    if len(set(forbidden)) > 1:
        left = "".join(face for face in FACES if face not in forbidden)
        raise SolverError(
            f"at least five faces must turn, but only {' '.join(left)} may: allow another face"
        )
    return objective.metric.five


def load_tables(
    store: TableStore | None = None,
    *,
    objective: Objective = HTM,
    forbidden: str = "",
    progress: Progress | None = None,
) -> Engine:
    """Load the tables of a search; build missing ones.

    Args:
        store: Their storage; the user's cache folder by default.
        objective: The objective; others than ``htm`` have tables of their own.
        forbidden: A face that must not turn, if any; five faces have tables of their own, too.
        progress: Called with the share, 0 to 1, of the building done.

    Raises:
        SolverError: The remaining faces are not enough.
        TableError: The tables could not be built.
    """
    return search_for(objective, forbidden).load(store or TableStore(), progress)


def tables_stored(store: TableStore, objective: Objective = HTM, forbidden: str = "") -> bool:
    """Return whether the table files exist; loading them checks their contents.

    Raises:
        SolverError: The remaining faces are not enough.
    """
    search = search_for(objective, forbidden)
    wanted = (TURN_TABLE_SET, search.tables)
    # `Path.is_file` would raise an error for a folder without permission.
    return all(os.path.isfile(store.path(tables)) for tables in wanted)  # noqa: PTH113
