"""What a solution is to cost: moves in one of four metrics, or time on a rig."""

from dataclasses import dataclass

from cube.moves import MoveSequence
from solver.errors import SolverError
from solver.goal import Goal
from solver.search.metrics import METRICS, Metric
from solver.search.time_model import USUAL_RIG, TimeModel

_ALIKE, _ALIKE_WITHOUT_PAIRS = 1.42, 1.2


@dataclass(frozen=True, slots=True)
class Objective:
    """What is minimised.

    Attributes:
        name: One of ``Goal``.
        model: The rig's times; of use for ``time`` only.
        lean: Whether the tables are to take little memory, at the price of longer answers; of use
            for ``htm`` only, and with six faces.

    Raises:
        SolverError: No such objective.
    """

    name: str = Goal.HTM.value
    model: TimeModel = USUAL_RIG
    lean: bool = False

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
        a pair costs what both faces cost (and half turns 1.2 quarter turns), quarter turns.
        """
        if not self.timed:
            return METRICS[self.name]
        quarters = Goal.QTM if self.model.pairs_add_up else Goal.AXIAL_QTM
        alike = _ALIKE_WITHOUT_PAIRS if self.model.pairs_add_up else _ALIKE
        return METRICS[Goal.AXIAL if self.model.ratio < alike else quarters]


HTM = Objective()
