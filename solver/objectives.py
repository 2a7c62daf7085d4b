"""What a solution is to cost: moves in one of four metrics, or time on a rig."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cube.metrics import axial_groups, axial_htm, axial_qtm, htm, qtm
from cube.moves import FACES, Move, MoveSequence
from solver.errors import SolverError

METRICS: dict[str, Callable[[MoveSequence], int]] = {
    "htm": htm,
    "qtm": qtm,
    "axial": axial_htm,
    "axial-qtm": axial_qtm,
}
OBJECTIVES = (*METRICS, "time")
_ALIKE = 1.42


@dataclass(frozen=True, slots=True)
class TimeModel:
    """How long a rig takes: opposite faces turn in parallel, then the next axis follows.

    Attributes:
        quarter_ms: Time of a quarter turn of each face, in the order URFDLB.
        half_ms: Time of a half turn of each face.
        gap_ms: Pause between two turns of different axes.

    Raises:
        SolverError: A time is not above zero, the gap is negative, or a half turn is faster than
            a quarter turn.
    """

    quarter_ms: tuple[float, ...] = (40.0,) * 6
    half_ms: tuple[float, ...] = (63.0,) * 6
    gap_ms: float = 0.0

    def __post_init__(self) -> None:
        if len(self.quarter_ms) != len(FACES) or len(self.half_ms) != len(FACES):
            raise SolverError("a time model has one time of a quarter and of a half turn per face")
        if not all(0 < q <= h for q, h in zip(self.quarter_ms, self.half_ms, strict=True)):
            raise SolverError(
                "a quarter turn takes more than 0 ms and no more than a half turn: "
                f"{self.quarter_ms} and {self.half_ms} ms"
            )
        if self.gap_ms < 0:
            raise SolverError(f"the gap between turns is 0 ms or more, not {self.gap_ms:g}")

    def turn_ms(self, move: Move) -> float:
        """How long one turn takes."""
        times = self.half_ms if move.turns == 2 else self.quarter_ms
        return times[FACES.index(move.face)]

    def time_ms(self, moves: MoveSequence) -> float:
        """How long a sequence takes from the start of its first turn to the end of its last."""
        groups = axial_groups(moves)
        turning = sum(max(self.turn_ms(move) for move in group) for group in groups)
        return turning + self.gap_ms * max(len(groups) - 1, 0)


@dataclass(frozen=True, slots=True)
class Objective:
    """What is minimised.

    Attributes:
        name: One of ``OBJECTIVES``.
        model: The rig's times; of use for ``time`` only.

    Raises:
        SolverError: No such objective.
    """

    name: str = "htm"
    model: TimeModel = TimeModel()

    def __post_init__(self) -> None:
        if self.name not in OBJECTIVES:
            raise SolverError(
                f"there is no objective {self.name!r}: choose one of {', '.join(OBJECTIVES)}"
            )

    def value(self, moves: MoveSequence) -> float:
        """What the moves cost; milliseconds for ``time``."""
        if self.name == "time":
            return self.model.time_ms(moves)
        return METRICS[self.name](moves)

    @property
    def metric(self) -> str:
        """The metric in which the search counts its levels.

        For ``time`` the one whose answers, measured by the rig's times, are the quickest: where a
        half turn takes less than 1.42 quarter turns, the one in which both count alike.
        """
        if self.name != "time":
            return self.name
        ratio = (min(self.model.half_ms) + self.model.gap_ms) / (
            min(self.model.quarter_ms) + self.model.gap_ms
        )
        return "axial" if ratio < _ALIKE else "axial-qtm"


HTM = Objective()
