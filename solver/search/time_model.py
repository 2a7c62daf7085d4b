"""How long a rig takes for a sequence of turns."""

from collections.abc import Callable
from dataclasses import dataclass, field

from cube.metrics import axial_groups
from cube.moves import FACES, Move, MoveSequence
from solver.errors import SolverError


@dataclass(frozen=True, slots=True)
class TimeModel:
    """How long a rig takes: opposite faces turn in parallel, then the next axis follows.

    The times of turns are what a search can count by. Where turns overlap by angles that depend on
    both of them, and half turns go whichever way is quicker, they are a bound; the rig's own plan
    then tells the time of whole sequences.

    Attributes:
        quarter_ms: Time of a quarter turn of each face, in the order URFDLB.
        half_ms: Time of a half turn of each face.
        gap_ms: Pause between two turns of different axes.
        quarter_overlap_ms: How long before the end of a quarter turn of each face a turn of another
            axis begins at the earliest, in place of the pause; 0 for faces that nothing overlaps.
            Without a plan, turns of single faces overlap by just that, and others do not.
        half_overlap_ms: The same for half turns.
        pairs_add_up: Whether a pair of opposite faces costs about what both of them cost, and not
            the longer one: so it is where single turns overlap and pairs do not.
        planned_ms: Tells how long the rig's plan of a sequence takes; None to add up the times.

    Raises:
        SolverError: A time is not above zero, the gap or an overlap is negative, a half turn is
            faster than a quarter turn, or an overlap as long as a turn.
    """

    quarter_ms: tuple[float, ...] = (40.0,) * 6
    half_ms: tuple[float, ...] = (63.0,) * 6
    gap_ms: float = 0.0
    quarter_overlap_ms: tuple[float, ...] = (0.0,) * 6
    half_overlap_ms: tuple[float, ...] = (0.0,) * 6
    pairs_add_up: bool = False
    planned_ms: Callable[[MoveSequence], float] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        overlaps = (self.quarter_overlap_ms, self.half_overlap_ms)
        if any(len(times) != len(FACES) for times in (self.quarter_ms, self.half_ms, *overlaps)):
            raise SolverError("a time model has one time of a quarter and of a half turn per face")
        if not all(0 < q <= h for q, h in zip(self.quarter_ms, self.half_ms, strict=True)):
            raise SolverError(
                "a quarter turn takes more than 0 ms and no more than a half turn: "
                f"{self.quarter_ms} and {self.half_ms} ms"
            )
        if self.gap_ms < 0:
            raise SolverError(f"the gap between turns is 0 ms or more, not {self.gap_ms:g}")
        for times, most in zip(overlaps, (self.quarter_ms, self.half_ms), strict=True):
            if not all(0 <= time < turn for time, turn in zip(times, most, strict=True)):
                raise SolverError(f"an overlap is 0 ms or more and shorter than its turn: {times}")

    @property
    def overlaps(self) -> bool:
        """Whether any turn may begin before the one before has ended."""
        return any(self.quarter_overlap_ms + self.half_overlap_ms)

    @property
    def least_quarter_ms(self) -> tuple[float, ...]:
        """What a quarter turn of each face adds at least, besides a pause: it may be overlapped."""
        return self._least_ms(self.quarter_ms, self.quarter_overlap_ms)

    @property
    def least_half_ms(self) -> tuple[float, ...]:
        """The same for half turns."""
        return self._least_ms(self.half_ms, self.half_overlap_ms)

    def _least_ms(self, times: tuple[float, ...], overlaps: tuple[float, ...]) -> tuple[float, ...]:
        pairs = zip(times, overlaps, strict=True)
        return tuple(time - (overlap + self.gap_ms if overlap else 0) for time, overlap in pairs)

    def turn_ms(self, move: Move) -> float:
        """How long one turn takes."""
        times = self.half_ms if move.turns == 2 else self.quarter_ms
        return times[FACES.index(move.face)]

    def time_ms(self, moves: MoveSequence) -> float:
        """How long a sequence takes from the start of its first turn to the end of its last."""
        if self.planned_ms is not None:
            return self.planned_ms(moves)
        groups = axial_groups(moves)
        turning = sum(max(self.turn_ms(move) for move in group) for group in groups)
        return turning + sum(map(self._pause_ms, groups, groups[1:]))

    def _pause_ms(self, before: tuple[Move, ...], after: tuple[Move, ...]) -> float:
        """From the end of a group of turns to the start of the next; negative if they overlap."""
        match before, after:
            case (first,), (second,) if first.axis != second.axis:
                times = self.half_overlap_ms if first.turns == 2 else self.quarter_overlap_ms
                overlap_ms = times[FACES.index(first.face)]
                if 0 < overlap_ms < self.quarter_ms[FACES.index(second.face)]:
                    return -overlap_ms
        return self.gap_ms


USUAL_RIG = TimeModel()
