"""The interface of a puzzle for the methods that solve any puzzle (S5)."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np

from cube.drawing import Drawing
from puzzles.kinds.pieces import Arrangement, Pieces

State = TypeVar("State", bound=Hashable)


@dataclass(frozen=True, slots=True)
class PuzzleTurn:
    """One move of a puzzle.

    Attributes:
        name: Its name in notation.
        layer: The layer; two turns of one layer in sequence are one turn or none.
        axis: Turns about the same axis commute.
        inverse: The name of the inverse turn.
    """

    name: str
    layer: Hashable
    axis: Hashable
    inverse: str


class Puzzle(Protocol[State]):
    """A puzzle with immutable, hashable states."""

    @property
    def name(self) -> str:
        """Its name for people."""

    @property
    def solved(self) -> State:
        """The state to reach."""

    @property
    def turns(self) -> tuple[PuzzleTurn, ...]:
        """Return every allowed move."""

    def apply(self, state: State, turn: PuzzleTurn) -> State:
        """Return the state after a move."""

    def is_solved(self, state: State) -> bool:
        """Return whether the puzzle is solved."""

    def text(self, state: State) -> str:
        """Return the state for a terminal."""

    def drawn(self, state: State) -> Drawing:
        """Return the state as shapes by the slots of `pieces`."""

    def code(self, state: State) -> str:
        """Return the state in one line, for `parse`."""

    def parse(self, text: str) -> State:
        """Read a state, which may be in any orbit.

        Raises:
            SolverError: The text is not a state of this puzzle.
        """

    @property
    def pieces(self) -> Pieces:
        """Return places, kinds and turns, from which invariants and orbits are derived."""

    def arrangement(self, state: State) -> Arrangement:
        """Return the state as an arrangement of the stickers of `pieces`."""

    def state(self, arrangement: Arrangement) -> State:
        """Return the state of an arrangement."""


def turns_by_name(puzzle: Puzzle[Any]) -> dict[str, PuzzleTurn]:
    """Return every allowed move of a puzzle by its name."""
    return {turn.name: turn for turn in puzzle.turns}


def turned(puzzle: Puzzle[State], state: State, names: str) -> State:
    """Return the state after moves given by their names, separated by spaces.

    Raises:
        KeyError: The puzzle has no such move.
    """
    turns = turns_by_name(puzzle)
    for name in names.split():
        state = puzzle.apply(state, turns[name])
    return state


def scrambled(
    puzzle: Puzzle[State], length: int, rng: np.random.Generator
) -> tuple[State, tuple[PuzzleTurn, ...]]:
    """Return the solved state after random moves, no two in a row in one layer.

    A puzzle with a single layer can only turn that.
    """
    state, made = puzzle.solved, list[PuzzleTurn]()
    for _ in range(length):
        choice = [turn for turn in puzzle.turns if not made or turn.layer != made[-1].layer]
        choice = choice or list(puzzle.turns)
        made.append(choice[int(rng.integers(len(choice)))])
        state = puzzle.apply(state, made[-1])
    return state, tuple(made)


def may_follow(last: PuzzleTurn | None, turn: PuzzleTurn, order: dict[str, int]) -> bool:
    """Return whether a turn is useful after another: another layer, and one order per axis."""
    if last is None or last.axis != turn.axis:
        return True
    return last.layer != turn.layer and order[last.name] < order[turn.name]


Stickers = tuple[str, ...]
