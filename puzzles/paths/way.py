"""A path between two states, and the interface of path finders."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from puzzles.kinds.puzzle import Puzzle, PuzzleTurn, State

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


class WrongPathError(Exception):
    """A path that was found leads elsewhere: a bug in Thistlebot, not a mistake of the user."""


def check_path(
    puzzle: Puzzle[State], start: State, turns: Sequence[PuzzleTurn], ends: Collection[State]
) -> None:
    """Carry out the turns of a path that was found.

    Raises:
        WrongPathError: They lead to none of the ends.
    """
    state = start
    for turn in turns:
        state = puzzle.apply(state, turn)
    if state not in ends:
        names = " ".join(turn.name for turn in turns)
        raise WrongPathError(
            f"{puzzle.name}: the turns {names} were found, but lead elsewhere; please report this "
            f"with the two states. The path should begin at {puzzle.code(start)}"
        )


class Finder(Protocol[State_contra]):
    """Finds paths between the states of one puzzle."""

    def between(self, one: State_contra, other: State_contra) -> TurnPath | None:
        """Return a path from one state to another that turns connect, or None if it finds none."""
