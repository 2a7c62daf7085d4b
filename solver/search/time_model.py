"""The time that a rig takes for a sequence of turns."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from cube.moves import FACES, Move, MoveSequence, axial_groups
from solver.search.step_costs import StepCosts
from solver.search.tables.axial_turns import AXIAL_TURNS

NS_PER_MS = 1_000_000
"""The search counts times in nanoseconds."""


@dataclass(frozen=True)
class TimeModel:
    """The times of a rig: opposite faces turn in parallel, then the next axis follows.

    If turns overlap, by angles that depend on both of them, ``planned`` gives all transitions and
    the time of whole sequences.

    Attributes:
        quarter_ms: Time of a quarter turn of each face, in the order URFDLB.
        half_ms: Time of a half turn of each face.
        gap_ms: Pause between two turns of different axes.
        pairs_add_up: Whether a pair of opposite faces costs about as much as both of them, and not
            as the longer one: this is so if single turns overlap and pairs do not.
        half_ratio: The value of a half turn in quarter turns, in a solution with overlaps; None to
            derive it from the times and the gap.
        planned: The values that the rig's plans add up; None to add up the times above.
    """

    quarter_ms: tuple[float, ...] = (40.0,) * 6
    half_ms: tuple[float, ...] = (63.0,) * 6
    gap_ms: float = 0.0
    pairs_add_up: bool = False
    half_ratio: float | None = None
    planned: "PlannedTimes | None" = field(default=None, compare=False)

    @property
    def ratio(self) -> float:
        """The value of a half turn in quarter turns."""
        if self.half_ratio is not None:
            return self.half_ratio
        return (min(self.half_ms) + self.gap_ms) / (min(self.quarter_ms) + self.gap_ms)

    def costs(self) -> StepCosts:
        """Return the transitions that a search adds up, in nanoseconds."""
        return self._even if self.planned is None else self.planned.costs()

    @cached_property
    def _even(self) -> StepCosts:
        """Return each turn in one way, with the gap after it."""
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
        """Return the time of one turn."""
        times = self.half_ms if move.turns == 2 else self.quarter_ms
        return times[FACES.index(move.face)]

    def time_ms(self, moves: MoveSequence) -> float:
        """Return the time of a sequence from the start of its first turn to the end of its last."""
        if self.planned is not None:
            return self.planned.time_ms(moves)
        groups = axial_groups(moves)
        turning = sum(max(self.turn_ms(move) for move in group) for group in groups)
        return turning + self.gap_ms * max(0, len(groups) - 1)


@dataclass(frozen=True, slots=True)
class PlannedTimes:
    """The times of a rig's plans.

    Attributes:
        time_ms: Returns the time of a sequence's plan.
        costs: The transitions that such plans add up, in nanoseconds.
    """

    time_ms: Callable[[MoveSequence], float]
    costs: Callable[[], StepCosts]


USUAL_RIG = TimeModel()
