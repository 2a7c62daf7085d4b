"""What a puzzle is to the methods that solve any puzzle (S5)."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from cube.drawing import Drawing
from puzzles.kinds.pieces import Arrangement, Pieces

State = TypeVar("State", bound=Hashable)


@dataclass(frozen=True, slots=True)
class PuzzleTurn:
    """One move of a puzzle.

    Attributes:
        name: As it is written.
        layer: What turns; two turns of one layer after another are one turn or none.
        axis: Turns that share it can be made in any order.
        inverse: The name of the turn that undoes it.
    """

    name: str
    layer: Hashable
    axis: Hashable
    inverse: str


class Puzzle(Protocol[State]):
    """A puzzle with immutable, hashable states of its own."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def solved(self) -> State:
        """The state to reach."""

    @property
    def turns(self) -> tuple[PuzzleTurn, ...]:
        """Every move that is allowed."""

    def apply(self, state: State, turn: PuzzleTurn) -> State:
        """The state after a move."""

    def is_solved(self, state: State) -> bool:
        """Whether nothing is left to do."""

    def text(self, state: State) -> str:
        """The state for a terminal."""

    def picture(self, state: State) -> str:
        """The state as a picture, an SVG document."""

    def drawn(self, state: State) -> Drawing:
        """The state as shapes by the slots of `pieces`."""

    def code(self, state: State) -> str:
        """The state in one line, as `parse` reads it."""

    def parse(self, text: str) -> State:
        """Read a state, which may lie in any orbit.

        Raises:
            SolverError: The text is no state of this puzzle.
        """

    @property
    def pieces(self) -> Pieces:
        """Places, kinds and turns: what invariants and orbits are found from."""

    def arrangement(self, state: State) -> Arrangement:
        """The state as an arrangement of the stickers of `pieces`."""

    def state(self, arrangement: Arrangement) -> State:
        """The state that an arrangement shows."""


def turned(puzzle: Puzzle[State], state: State, names: str) -> State:
    """The state after moves given by their names, separated by blanks.

    Raises:
        KeyError: The puzzle has no such move.
    """
    turns = {turn.name: turn for turn in puzzle.turns}
    for name in names.split():
        state = puzzle.apply(state, turns[name])
    return state


def scrambled(
    puzzle: Puzzle[State], length: int, rng: np.random.Generator
) -> tuple[State, tuple[PuzzleTurn, ...]]:
    """The solved state after random moves, no two of which in a row turn one layer.

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
    """Whether a turn after another is worth trying: not the same layer, one order for an axis."""
    if last is None or last.axis != turn.axis:
        return True
    return last.layer != turn.layer and order[last.name] < order[turn.name]
