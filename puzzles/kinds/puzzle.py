"""What a puzzle is to the methods that solve any puzzle (S5).

A puzzle whose state is what its stickers show: what most puzzles have in common.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import Protocol, TypeVar

import numpy as np

from cube.drawing import Drawing
from puzzles.kinds.pieces import Arrangement, Pieces, Place

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


Stickers = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Spin:
    """A layer and its smallest turn.

    Attributes:
        name: The turn's name.
        axis: Layers that share it turn in any order.
        turn: One step.
        order: So many steps bring it back.
    """

    name: str
    axis: str
    turn: Arrangement
    order: int


def powers(spin: Spin) -> dict[str, tuple[PuzzleTurn, Arrangement]]:
    """Every turn of a layer: R, R2, R' when four steps bring it back; A, A2, A2', A' for five."""
    names = {}
    for n in range(1, spin.order):
        steps = min(n, spin.order - n)
        names[n] = (
            spin.name + (str(steps) if steps > 1 else "") + ("'" if 2 * n > spin.order else "")
        )
    found, turn = {}, spin.turn
    for n in range(1, spin.order):
        found[names[n]] = (PuzzleTurn(names[n], spin.name, spin.axis, names[spin.order - n]), turn)
        turn = turn[spin.turn]
    return found


class Painted:
    """A puzzle told by its stickers and its turns; pictures and texts are left to each puzzle.

    Args:
        name: What people call it.
        places: Where its pieces are.
        made: Its turns by their names, and what they do.
        colours: What each slot shows when it is solved.
        shape: Turns of the whole, which also say how a piece may lie in a re-assembly.
    """

    separator = ""
    """What stands between the colours in a state's line."""

    def __init__(
        self,
        name: str,
        places: Sequence[Place],
        made: dict[str, tuple[PuzzleTurn, Arrangement]],
        colours: Sequence[str],
        shape: Iterable[Arrangement] = (),
    ) -> None:
        self.name = name
        self._made = made
        self._places = tuple(places)
        self._colours = tuple(colours)
        self._shape = tuple(shape)

    @cached_property
    def pieces(self) -> Pieces:
        """Places, kinds and turns."""
        turns = {name: arrangement for name, (_, arrangement) in self._made.items()}
        shape = (*turns.values(), *self._shape)
        return Pieces(self._places, turns, self._colours, shape=shape)

    @cached_property
    def _getters(self) -> dict[str, Callable[[Stickers], Stickers]]:
        return {name: itemgetter(*turn.tolist()) for name, (_, turn) in self._made.items()}

    @property
    def solved(self) -> Stickers:
        """Every sticker in its place."""
        return self._colours

    @cached_property
    def turns(self) -> tuple[PuzzleTurn, ...]:
        """Every turn of every layer."""
        return tuple(turn for turn, _ in self._made.values())

    def apply(self, state: Stickers, turn: PuzzleTurn) -> Stickers:
        """The stickers after a turn."""
        return self._getters[turn.name](state)

    def is_solved(self, state: Stickers) -> bool:
        """Whether every sticker is in its place."""
        return state == self.solved

    def code(self, state: Stickers) -> str:
        """The stickers in one line."""
        return self.separator.join(state)

    def parse(self, text: str) -> Stickers:
        """Read stickers in one line.

        Raises:
            SolverError: They are no state of this puzzle.
        """
        shown = tuple(text.split(self.separator or None)) if self.separator else tuple(text)
        return self.pieces.looks(self.pieces.arranged(shown))

    def arrangement(self, state: Stickers) -> Arrangement:
        """The stickers as numbers; pieces that look alike are taken in order."""
        return self.pieces.arranged(state)

    def state(self, arrangement: Arrangement) -> Stickers:
        """What an arrangement shows."""
        return self.pieces.looks(arrangement)
