"""A path between two states, and the interface of path finders."""

from dataclasses import dataclass
from typing import Protocol, TypeVar

from puzzles.kinds.puzzle import PuzzleTurn

State_contra = TypeVar("State_contra", contravariant=True)

MEMORY = 900_000_000
"""Default limit of a search's memory in bytes."""


@dataclass(frozen=True, slots=True)
class TurnPath:
    """Turns from one state to another.

    Attributes:
        turns: The turns, in order.
        method: The method, in a few words.
        shortest: Whether no path has fewer turns.
        counts: The number of states at each distance from the end, if a table knows all of them.
    """

    turns: tuple[PuzzleTurn, ...]
    method: str
    shortest: bool = False
    counts: tuple[int, ...] = ()


class Finder(Protocol[State_contra]):
    """Finds paths between the states of one puzzle."""

    def between(self, one: State_contra, other: State_contra) -> TurnPath | None:
        """Return a path from one state to another that turns connect, or None if it finds none."""
