"""What a solution is to cost: moves in one of four metrics, or time on a rig."""

from dataclasses import dataclass

from cube.moves import MoveSequence
from solver.errors import SolverError
from solver.goal import Goal
from solver.search.metrics import METRICS, Metric
from solver.search.time_model import USUAL_RIG, TimeModel

_ALIKE = 1.42


@dataclass(frozen=True, slots=True)
class Objective:
    """What is minimised.

    Attributes:
        name: One of ``Goal``.
        model: The rig's times; of use for ``time`` only.

    Raises:
        SolverError: No such objective.
    """

    name: str = Goal.HTM.value
    model: TimeModel = USUAL_RIG

    def __post_init__(self) -> None:
        if self.name not in tuple(Goal):
            raise SolverError(
                f"there is no objective {self.name!r}: choose one of {', '.join(Goal)}"
            )

    @property
    def timed(self) -> bool:
        """Whether the rig's time is minimised, and not a number of turns."""
        return self.name == Goal.TIME

    def value(self, moves: MoveSequence) -> float:
        """What the moves cost; milliseconds for ``time``."""
        return self.model.time_ms(moves) if self.timed else self.metric.measure(moves)

    @property
    def metric(self) -> Metric:
        """The metric in which the search counts its levels.

        For ``time`` the one whose answers, measured by the rig's times, are the quickest: where a
        half turn takes less than 1.42 quarter turns, the one in which both count alike; else, where
        a pair costs what both faces cost, quarter turns.
        """
        if not self.timed:
            return METRICS[self.name]
        ratio = (min(self.model.least_half_ms) + self.model.gap_ms) / (
            min(self.model.least_quarter_ms) + self.model.gap_ms
        )
        quarters = Goal.QTM if self.model.pairs_add_up else Goal.AXIAL_QTM
        return METRICS[Goal.AXIAL if ratio < _ALIKE else quarters]


HTM = Objective()
