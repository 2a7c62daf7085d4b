"""What was found between two states, and what finds it."""

from dataclasses import dataclass
from typing import Protocol, TypeVar

from puzzles.kinds.puzzle import PuzzleTurn

State_contra = TypeVar("State_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class TurnPath:
    """Turns from one state to another.

    Attributes:
        turns: They, in their order.
        method: How they were found, in a few words.
        shortest: Whether no way has fewer turns.
    """

    turns: tuple[PuzzleTurn, ...]
    method: str
    shortest: bool = False


class Finder(Protocol[State_contra]):
    """Finds ways between the states of one puzzle."""

    def between(self, one: State_contra, other: State_contra) -> TurnPath | None:
        """A way from one state to another that turns connect, or None when it finds none."""
