"""Layer by layer with commutators (S1): the first layer is D, the last one U.

The first two layers are placed piece by piece, the last one by S1's "Maes formula": setup, X T X^-1
T^-1, undo. X disturbs one piece of the top layer and anything below it, T turns the top layer, and
X T X^-1 T^-1 flips two edges, twists two corners or cycles three pieces there and preserves the
rest. A parity problem is fixed by an extra quarter turn of U; then come places, then angles.
"""

import heapq
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product, takewhile
from typing import TypeVar

from cube.held_moves import read_moves
from cube.laws import permutation_parity
from cube.moves import ALL_MOVES, Move, MoveSequence
from cube.pieces import CORNERS, EDGES
from cube.state import SOLVED, CubeState
from solver.errors import SolverError
from teaching.methods.last_layer import quarter_turned
from teaching.methods.method import MethodStep, moved_pieces, settled, turned
from teaching.wording import Joined, Wording, plural

Where = TypeVar("Where")


@dataclass(frozen=True, slots=True)
class Tool:
    """Turns with a known effect."""

    moves: MoveSequence
    effect: CubeState
    text: Wording | None = None


def tool(moves: MoveSequence, text: Wording | None = None) -> Tool:
    """Return turns as a tool."""
    return Tool(moves, SOLVED.apply(moves), text)


def commutator(x: str, t: str, setup: str = "", quarters: int = 0, *, undo: bool = False) -> Tool:
    """Return setup · X T X^-1 T^-1 · undo, in moves of faces and slices, seen from a side.

    Args:
        x: X, for `cube.held_moves.read_moves`.
        t: T.
        setup: Moves before, undone afterwards.
        quarters: Quarter turns of the whole cube about U, for the side.
        undo: Use the inverse: T X T^-1 X^-1 between setup and its inverse.
    """
    text = f"({setup}) [{x}, {t}] ({setup})'"
    moves = read_moves(f"({text})'" if undo else text).simplified()
    inside = (t, x) if undo else (x, t)
    told = {"x": inside[0], "t": inside[1], "setup": setup, "undo": _undone(setup)}
    key = "method.commutator_setup" if setup else "method.commutator"
    if quarters:
        key, told = f"{key}_seen", told | {"turn": f"y{('', '2', chr(39))[quarters - 1]}"}
    return tool(quarter_turned(moves, quarters), Wording(key, told))


def _undone(text: str) -> str:
    """Return the inverse of moves, as text."""
    swap = {"": "'", "'": "", "2": "2"}
    return " ".join(name[0] + swap[name[1:]] for name in reversed(text.split()))


def cheapest(
    start: Where,
    goal: Hashable,
    tools: tuple[Tool, ...],
    carry: Callable[[Where, CubeState], Where],
    key: Callable[[Where], Hashable],
) -> list[Tool]:
    """Return the tools with the fewest total turns that lead from a start to a goal.

    Args:
        start: A state, or the place of a piece.
        goal: The target value of the key.
        tools: The tools.
        carry: Returns the result of an effect.
        key: Returns the relevant part.

    Raises:
        SolverError: There is no such sequence (an internal check).
    """
    queue: list[tuple[int, int, Where, list[Tool]]] = [(0, 0, start, [])]
    done: set[Hashable] = set()
    number = 0
    while queue:
        cost, _, here, used = heapq.heappop(queue)
        seen = key(here)
        if seen == goal:
            return used
        if seen in done:
            continue
        done.add(seen)
        for each in tools:
            number += 1
            there = carry(here, each.effect)
            heapq.heappush(queue, (cost + len(each.moves), number, there, [*used, each]))
    raise SolverError("the tools of a stage do not reach its goal (an internal check)")


Key = Callable[[CubeState], Hashable]
# X of the formulas; E and M are slices
_FLIP = "R' E' R2 E2 R'"
_TWIST = "R' D2 R F D2 F'"


@cache
def _corner_cycles() -> tuple[Tool, ...]:
    options = product(range(4), (False, True))
    return tuple(commutator("F", "R' B2 R", "R'", q, undo=u) for q, u in options)


@cache
def _edge_cycles() -> tuple[Tool, ...]:
    return tuple(
        commutator("M", "U2", setup, quarters)
        for quarters in range(4)
        for setup in ("M2 U", "M2 U'")
    )


@cache
def _pairs(x: str) -> tuple[Tool, ...]:
    options = product(range(4), ("U", "U2", "U'"), (False, True))
    return tuple(commutator(x, turn, "", q, undo=u) for q, turn, u in options)


def last_layer_steps(state: CubeState) -> Iterator[MethodStep]:
    """Return the steps: corners placed, edges placed, then both oriented, by commutators."""
    if permutation_parity(state.corner_permutation):
        turn = MoveSequence.parse("U")
        after = state.apply(turn)
        moved = moved_pieces(state, after)
        settles = settled(after, Wording("method.parity_settled"))
        yield MethodStep("parity", Wording("method.parity"), turn, moved, settles)
        state = after
    for name, (key, tools) in _looks().items():
        text = f"method.{name.replace(' ', '_')}"
        for each in cheapest(state, key(SOLVED), tools, CubeState.__mul__, key):
            after = state.apply(each.moves)
            told = Joined((Wording(text), *([each.text] if each.text else [])))
            left = " ".join(_left(name, after))
            settles = settled(after, Wording(f"{text}_settled"))
            if left:
                settles = Wording(f"{text}_left", {"pieces": left})
            yield MethodStep(name, told, each.moves, moved_pieces(state, after), settles)
            state = after


def _looks() -> dict[str, tuple[Key, tuple[Tool, ...]]]:
    """Return the looks at the last layer: what is to be as in the solved cube, and commutators."""
    return {
        "corners placed": (lambda state: state.corner_permutation, _corner_cycles()),
        "edges placed": (lambda state: state.edge_permutation, _edge_cycles()),
        "corners turned": (lambda state: state.corner_orientation, _pairs(_TWIST)),
        "edges turned": (lambda state: state.edge_orientation, _pairs(_FLIP)),
    }


def _left(look: str, state: CubeState) -> tuple[str, ...]:
    """Return the pieces for which a look has still to be done."""
    corners = look.startswith("corners")
    names = CORNERS if corners else EDGES
    if look.endswith("turned"):
        return tuple(name for name in turned(state) if name in names)
    places = state.corner_permutation if corners else state.edge_permutation
    return tuple(names[piece] for place, piece in enumerate(places) if piece != place)


@cache
def _short_words() -> tuple[Tool, ...]:
    """Return every face turn, and every turn of U between a side's turn and its inverse."""
    words = [MoveSequence((move,)) for move in ALL_MOVES]
    for side, turn in product(ALL_MOVES, ALL_MOVES):
        if turn.axis != side.axis:
            words.append(MoveSequence((side, turn, side.inverse())))
    return tuple(tool(word) for word in words)


@cache
def _insertions() -> tuple[Tool, ...]:
    """Return turns of U, and two commutators that bring an edge from U into the middle layer."""
    found = [tool(MoveSequence((Move("U", quarters),))) for quarters in (1, 2, 3)]
    both = ("U R U' R' U' F' U F", "U' F' U F U R U' R'")
    for text, quarters in product(both, range(4)):
        found += [tool(quarter_turned(MoveSequence.parse(text), quarters))]
    return tuple(found)


Spot = tuple[int, int]
_FIRST = 8


@dataclass(frozen=True, slots=True)
class _Placing:
    """The placement of one piece of the first two layers."""

    piece: int
    corner: bool
    label: str
    tools: Callable[[], tuple[Tool, ...]]

    @property
    def name(self) -> str:
        return (CORNERS if self.corner else EDGES)[self.piece]

    def carried(self, spot: Spot, effect: CubeState) -> Spot:
        places, angles = effect.edge_permutation, effect.edge_orientation
        if self.corner:
            places, angles = effect.corner_permutation, effect.corner_orientation
        at = places.index(spot[0])
        return at, (spot[1] + angles[at]) % (3 if self.corner else 2)

    def spot(self, state: CubeState) -> Spot:
        return self.carried((self.piece, 0), state)


_PLACINGS = (
    *(_Placing(piece, False, "first-layer edge", _short_words) for piece in (4, 5, 6, 7)),
    *(_Placing(piece, True, "first-layer corner", _short_words) for piece in (4, 5, 6, 7)),
    *(_Placing(piece, False, "middle-layer edge", _insertions) for piece in (8, 9, 10, 11)),
)


@cache
def _kept(number: int) -> tuple[Tool, ...]:
    """Return the tools of a placement that preserve the pieces placed before."""
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
        """Return the remaining steps: a piece or a commutator each."""
        for number, placing in enumerate(_PLACINGS):
            start, home = placing.spot(state), (placing.piece, 0)
            used = cheapest(start, home, _kept(number), placing.carried, lambda spot: spot)
            if used:
                moves = MoveSequence.of(m for t in used for m in t.moves).simplified()
                state = state.apply(moves)
                caption = _bring(placing.name, number)
                settles = settled(state, _placed(state))
                yield MethodStep(placing.label, caption, moves, (placing.name,), settles)
        yield from last_layer_steps(state)


def _bring(piece: str, number: int) -> Wording:
    """Return the task of a placement, and which pieces are home again after it."""
    if number == 0:
        return Wording("method.bring", {"piece": piece})
    first = _FIRST if number > _FIRST else 0
    values = {"piece": piece, "pieces": " ".join(each.name for each in _PLACINGS[first:number])}
    keys = {4: "method.bring_cross", _FIRST: "method.bring_layer"}
    beside = "method.bring_both" if number > _FIRST else "method.bring_pieces"
    return Wording(keys.get(number, beside), values)


def _placed(state: CubeState) -> Wording:
    """Return the progress in the first two layers, piece by piece."""
    homes = (placing.spot(state) == (placing.piece, 0) for placing in _PLACINGS)
    number = sum(takewhile(bool, homes))
    if number == len(_PLACINGS):
        return Wording("method.two_layers_settled")
    if number == _FIRST:
        return Wording("method.first_corners_settled")
    names = [each.name for each in _PLACINGS[_FIRST if number > _FIRST else 0 : number]]
    key = "method.placed_both" if number > _FIRST else "method.placed"
    return plural(key, len(names), pieces=" ".join(names))
