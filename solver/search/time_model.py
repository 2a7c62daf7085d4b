"""How long a rig takes for a sequence of turns."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from cube.metrics import axial_groups
from cube.moves import FACES, Move, MoveSequence
from solver.errors import SolverError
from solver.search.step_costs import StepCosts
from solver.search.tables.axial_turns import AXIAL_TURNS

NS_PER_MS = 1_000_000
"""The search counts times in nanoseconds."""


@dataclass(frozen=True)
class TimeModel:
    """How long a rig takes: opposite faces turn in parallel, then the next axis follows.

    Where turns overlap, by angles that depend on both of them, ``planned`` tells all transitions
    and the time of whole sequences.

    Attributes:
        quarter_ms: Time of a quarter turn of each face, in the order URFDLB.
        half_ms: Time of a half turn of each face.
        gap_ms: Pause between two turns of different axes.
        pairs_add_up: Whether a pair of opposite faces costs about what both of them cost, and not
            the longer one: so it is where single turns overlap and pairs do not.
        half_ratio: How many quarter turns a half turn is worth in a solution, overlaps included;
            None for that of the times with the gap.
        planned: What the rig's plans add up; None to add up the times above.

    Raises:
        SolverError: A time is not above zero, the gap is negative, or a half turn is faster than a
            quarter turn.
    """

    quarter_ms: tuple[float, ...] = (40.0,) * 6
    half_ms: tuple[float, ...] = (63.0,) * 6
    gap_ms: float = 0.0
    pairs_add_up: bool = False
    half_ratio: float | None = None
    planned: "PlannedTimes | None" = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if any(len(times) != len(FACES) for times in (self.quarter_ms, self.half_ms)):
            raise SolverError("a time model has one time of a quarter and of a half turn per face")
        if not all(0 < q <= h for q, h in zip(self.quarter_ms, self.half_ms, strict=True)):
            raise SolverError(
                "a quarter turn takes more than 0 ms and no more than a half turn: "
                f"{self.quarter_ms} and {self.half_ms} ms"
            )
        if self.gap_ms < 0:
            raise SolverError(f"the gap between turns is 0 ms or more, not {self.gap_ms:g}")

    @property
    def ratio(self) -> float:
        """How many quarter turns a half turn is worth."""
        if self.half_ratio is not None:
            return self.half_ratio
        return (min(self.half_ms) + self.gap_ms) / (min(self.quarter_ms) + self.gap_ms)

    def costs(self) -> StepCosts:
        """The transitions that a search adds up, in nanoseconds."""
        return self._even if self.planned is None else self.planned.costs()

    @cached_property
    def _even(self) -> StepCosts:
        """Each turn in one way, with the gap after it."""
        turns = [
            max(
                self.turn_ms(Move(FACES[face], quarters))
                for face, quarters in ((axis, a), (axis + 3, b))
                if quarters
            )
            for axis, a, b in AXIAL_TURNS
        ]
        return StepCosts.even(
            [round(NS_PER_MS * time_ms) for time_ms in turns], round(NS_PER_MS * self.gap_ms)
        )

    def turn_ms(self, move: Move) -> float:
        """How long one turn takes."""
        times = self.half_ms if move.turns == 2 else self.quarter_ms
        return times[FACES.index(move.face)]

    def time_ms(self, moves: MoveSequence) -> float:
        """How long a sequence takes from the start of its first turn to the end of its last."""
        if self.planned is not None:
            return self.planned.time_ms(moves)
        groups = axial_groups(moves)
        turning = sum(max(self.turn_ms(move) for move in group) for group in groups)
        return turning + self.gap_ms * max(0, len(groups) - 1)


@dataclass(frozen=True, slots=True)
class PlannedTimes:
    """What a rig tells of its plans.

    Attributes:
        time_ms: How long the plan of a sequence takes.
        costs: The transitions that such plans add up, in nanoseconds.
    """

    time_ms: Callable[[MoveSequence], float]
    costs: Callable[[], StepCosts]


USUAL_RIG = TimeModel()
