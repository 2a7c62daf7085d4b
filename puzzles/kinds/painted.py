"""The base of most puzzles: a puzzle whose state is its stickers."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

from puzzles.kinds.pieces import Arrangement, Pieces, Place
from puzzles.kinds.puzzle import PuzzleTurn, Stickers


@dataclass(frozen=True, slots=True)
class Spin:
    """A layer and its smallest turn.

    Attributes:
        name: The turn's name.
        axis: Layers with the same axis commute.
        turn: One step.
        order: Number of steps in a full rotation.
    """

    name: str
    axis: str
    turn: Arrangement
    order: int


def powers(spin: Spin) -> dict[str, tuple[PuzzleTurn, Arrangement]]:
    """Return every turn of a layer: R, R2, R' for four steps; A, A2, A2', A' for five."""
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
    """A puzzle defined by its stickers and its turns; subclasses add pictures and texts.

    Args:
        name: Its name for people.
        places: The places of its pieces.
        made: Its turns by their names, with their effects.
        colours: The colour of each slot when solved.
        shape: Turns of the unrestricted puzzle, which also define the orientations in a
            re-assembly.
    """

    separator = ""
    """Separator between the colours in a state's line."""

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
        """Return places, kinds and turns."""
        turns = {name: arrangement for name, (_, arrangement) in self._made.items()}
        shape = (*turns.values(), *self._shape)
        return Pieces(self._places, turns, self._colours, shape=shape)

    @cached_property
    def _getters(self) -> dict[str, Callable[[Stickers], Stickers]]:
        return {name: itemgetter(*turn.tolist()) for name, (_, turn) in self._made.items()}

    @property
    def solved(self) -> Stickers:
        """The stickers of the solved puzzle."""
        return self._colours

    @cached_property
    def turns(self) -> tuple[PuzzleTurn, ...]:
        """Return every turn of every layer."""
        return tuple(turn for turn, _ in self._made.values())

    def apply(self, state: Stickers, turn: PuzzleTurn) -> Stickers:
        """Return the stickers after a turn."""
        return self._getters[turn.name](state)

    def is_solved(self, state: Stickers) -> bool:
        """Return whether every sticker is at home."""
        return state == self.solved

    def code(self, state: Stickers) -> str:
        """Return the stickers in one line."""
        return self.separator.join(state)

    def parse(self, text: str) -> Stickers:
        """Read stickers in one line.

        Raises:
            SolverError: They are not a state of this puzzle.
        """
        shown = tuple(text.split(self.separator or None)) if self.separator else tuple(text)
        return self.pieces.looks(self.pieces.arranged(shown))

    def arrangement(self, state: Stickers) -> Arrangement:
        """Return the stickers as numbers; pieces that look alike are taken in order."""
        return self.pieces.arranged(state)

    def state(self, arrangement: Arrangement) -> Stickers:
        """Return the stickers of an arrangement."""
        return self.pieces.looks(arrangement)
