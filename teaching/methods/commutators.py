"""The last layer by commutators (S1): parity, places, then angles.

S1's "Maes formula" does all the work: X disturbs one piece of the top layer and anything below it,
T turns the top layer, and X T X^-1 T^-1 flips two edges, twists two corners or cycles three pieces
there and keeps the rest. A parity problem is repaired by an extra quarter turn of U.
"""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

from cube.laws import permutation_parity
from cube.moves import MoveSequence
from cube.pieces import CORNERS, EDGES
from cube.state import SOLVED, CubeState
from teaching.methods.method import MethodStep, moved_pieces, settled, turned
from teaching.methods.tools import Tool, cheapest, commutator

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
    """Corners placed, edges placed, then both turned, by commutators."""
    if permutation_parity(state.corner_permutation):
        turn = MoveSequence.parse("U")
        yield MethodStep(
            "parity",
            "The corners lie in an odd arrangement, which no commutator repairs: a quarter turn of "
            "U makes both corners and edges even.",
            turn,
            moved_pieces(state, state.apply(turn)),
            settled(
                state.apply(turn),
                "the corner permutation is even, and so is that of the edges (ε = 1)",
            ),
        )
        state = state.apply(turn)
    for look in _looks():
        for each in cheapest(state, look.key(SOLVED), look.tools, CubeState.__mul__, look.key):
            after = state.apply(each.moves)
            left = look.left(after)
            yield MethodStep(
                look.name,
                f"{look.caption} {each.text[0].upper()}{each.text[1:]}.",
                each.moves,
                moved_pieces(state, after),
                f"nothing yet: still {look.wrong} {' '.join(left)}"
                if left
                else settled(after, look.settles),
            )
            state = after


@dataclass(frozen=True, slots=True)
class _Look:
    """What is done in the last layer by commutators.

    Attributes:
        name: What it is called.
        caption: What one commutator does.
        settles: What the last of them settles.
        wrong: What is the matter with the pieces that are left.
        left: The names of those.
        tools: The commutators.
        key: What they aim at, as in the solved cube.
    """

    name: str
    caption: str
    settles: str
    wrong: str
    left: Callable[[CubeState], tuple[str, ...]]
    tools: tuple[Tool, ...]
    key: Key


def _away(names: tuple[str, ...], permutation: tuple[int, ...]) -> tuple[str, ...]:
    """The pieces that are in places of others."""
    return tuple(names[piece] for place, piece in enumerate(permutation) if piece != place)


def _looks() -> tuple[_Look, ...]:
    return (
        _Look(
            "corners placed",
            "Cycle three corners of the last layer.",
            "each corner is in its place, whatever its angle",
            "out of place are",
            lambda state: _away(CORNERS, state.corner_permutation),
            _corner_cycles(),
            lambda state: state.corner_permutation,
        ),
        _Look(
            "edges placed",
            "Cycle three edges of the last layer.",
            "each edge is in its place, whatever its angle",
            "out of place are",
            lambda state: _away(EDGES, state.edge_permutation),
            _edge_cycles(),
            lambda state: state.edge_permutation,
        ),
        _Look(
            "corners turned",
            "Twist two corners of the last layer, against each other.",
            "every corner angle is 0, as their sum always was",
            "twisted are",
            lambda state: _among(CORNERS, turned(state)),
            _pairs(_TWIST),
            lambda state: state.corner_orientation,
        ),
        _Look(
            "edges turned",
            "Flip two edges of the last layer.",
            "every edge angle is 0, as their sum always was",
            "flipped are",
            lambda state: _among(EDGES, turned(state)),
            _pairs(_FLIP),
            lambda state: state.edge_orientation,
        ),
    )


def _among(names: tuple[str, ...], found: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in found if name in names)
