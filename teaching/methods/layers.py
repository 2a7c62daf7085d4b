"""Layer by layer with commutators (S1): setup, commutator, undo.

The first layer is D, the last one U; see `commutators`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product, takewhile

from cube.moves import ALL_MOVES, Move, MoveSequence
from cube.pieces import CORNERS, EDGES
from cube.state import CubeState
from teaching.methods.commutators import last_layer_steps
from teaching.methods.last_layer import quarter_turned
from teaching.methods.method import MethodStep, settled
from teaching.methods.tools import Tool, cheapest, tool


@cache
def _short_words() -> tuple[Tool, ...]:
    """Every face turn, and every turn of U between a side's turn and its undoing."""
    words = [MoveSequence((move,)) for move in ALL_MOVES]
    for side, turn in product(ALL_MOVES, ALL_MOVES):
        if turn.axis != side.axis:
            words.append(MoveSequence((side, turn, side.inverse())))
    return tuple(tool(word) for word in words)


@cache
def _insertions() -> tuple[Tool, ...]:
    """Turns of U, and two commutators that bring an edge from U into the middle layer."""
    found = [tool(MoveSequence((Move("U", quarters),))) for quarters in (1, 2, 3)]
    both = ("U R U' R' U' F' U F", "U' F' U F U R U' R'")
    for text, quarters in product(both, range(4)):
        found += [tool(quarter_turned(MoveSequence.parse(text), quarters))]
    return tuple(found)


Spot = tuple[int, int]
_FIRST = 8


def _edge_carried(spot: Spot, effect: CubeState) -> Spot:
    at = effect.edge_permutation.index(spot[0])
    return at, (spot[1] + effect.edge_orientation[at]) % 2


def _corner_carried(spot: Spot, effect: CubeState) -> Spot:
    at = effect.corner_permutation.index(spot[0])
    return at, (spot[1] + effect.corner_orientation[at]) % 3


@dataclass(frozen=True, slots=True)
class _Placing:
    """One piece of the first two layers."""

    piece: int
    corner: bool
    label: str
    tools: Callable[[], tuple[Tool, ...]]

    @property
    def name(self) -> str:
        return (CORNERS if self.corner else EDGES)[self.piece]

    def carried(self, spot: Spot, effect: CubeState) -> Spot:
        return (_corner_carried if self.corner else _edge_carried)(spot, effect)

    def spot(self, state: CubeState) -> Spot:
        return self.carried((self.piece, 0), state)


_PLACINGS = (
    *(_Placing(piece, False, "first-layer edge", _short_words) for piece in (4, 5, 6, 7)),
    *(_Placing(piece, True, "first-layer corner", _short_words) for piece in (4, 5, 6, 7)),
    *(_Placing(piece, False, "middle-layer edge", _insertions) for piece in (8, 9, 10, 11)),
)


@cache
def _kept(number: int) -> tuple[Tool, ...]:
    """The tools of a placing that leave the pieces placed before where they are."""
    before = _PLACINGS[:number]
    return tuple(
        each
        for each in _PLACINGS[number].tools()
        if all(placed.spot(each.effect) == (placed.piece, 0) for placed in before)
    )


class LayerByLayer:
    """S1's method."""

    name = "layers"

    def steps(self, state: CubeState) -> Iterator[MethodStep]:
        """The steps that are left: a piece or a commutator each."""
        for number, placing in enumerate(_PLACINGS):
            start, home = placing.spot(state), (placing.piece, 0)
            used = cheapest(start, home, _kept(number), placing.carried, lambda spot: spot)
            if used:
                moves = MoveSequence.of(m for t in used for m in t.moves).simplified()
                state = state.apply(moves)
                caption = f"Bring {placing.name} home{_and_back(number)}."
                settles = settled(state, _placed(state))
                yield MethodStep(placing.label, caption, moves, (placing.name,), settles)
        yield from last_layer_steps(state)


def _and_back(number: int) -> str:
    """Which pieces are home again after a placing."""
    if number == 0:
        return ""
    names = " ".join(
        placing.name for placing in _PLACINGS[_FIRST if number > _FIRST else 0 : number]
    )
    if number > _FIRST:
        names = f"the first layer and {names}"
    names = {4: "the cross", _FIRST: "the first layer"}.get(number, names)
    return f"; what was placed before is home again at the end: {names}"


def _placed(state: CubeState) -> str:
    """How far the first two layers are, piece by piece."""
    homes = (placing.spot(state) == (placing.piece, 0) for placing in _PLACINGS)
    number = sum(takewhile(bool, homes))
    if number == len(_PLACINGS):
        return "the first two layers are solved"
    if number == _FIRST:
        return "the first layer is solved"
    start = "the first layer is solved, " if number > _FIRST else ""
    names = [placing.name for placing in _PLACINGS[_FIRST if start else 0 : number]]
    be = "are" if len(names) > 1 else "is"
    return f"{start}{' '.join(names)} {be} at home and turned right"
