"""The laws of the cube: which sets of stickers are cubes, and which of those are solvable.

S1's fundamental theorem: a state is reachable if and only if the permutations of corners and of
edges have equal signs, the corner orientations add up to 0 modulo 3, and the edge orientations to
0 modulo 2. S3 shows that the three invariants are complete, so all states fall into 3 × 2 × 2 = 12
orbits of equal size.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from cube.facelets import Facelets
from cube.pieces import CORNERS, EDGES, Problem, recognise
from cube.state import CubeState


@dataclass(frozen=True, slots=True, order=True)
class Orbit:
    """One of the twelve classes that face turns cannot leave (S3).

    Attributes:
        corner_twist: Sum of the corner orientations modulo 3.
        edge_flip: Sum of the edge orientations modulo 2.
        parity: 0 if corner and edge permutations have equal signs, else 1.
    """

    corner_twist: int
    edge_flip: int
    parity: int

    @property
    def number(self) -> int:
        """The orbit's number, 0 (solvable) to 11."""
        return 4 * self.corner_twist + 2 * self.edge_flip + self.parity


ORBITS: tuple[Orbit, ...] = tuple(
    Orbit(twist, flip, parity) for twist in range(3) for flip in range(2) for parity in range(2)
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of checking 54 stickers against the laws.

    Attributes:
        problems: Every broken law, in the order of `LAWS`; empty for a solvable cube.
        orbit: The orbit, or None if the stickers do not form a complete set of pieces.
        state: The state, or None in the same case.
    """

    problems: tuple[Problem, ...]
    orbit: Orbit | None
    state: CubeState | None

    @property
    def solvable(self) -> bool:
        """Whether face turns can solve the cube."""
        return not self.problems


def permutation_parity(permutation: Sequence[int]) -> int:
    """Return 0 for an even permutation and 1 for an odd one."""
    return sum(a > b for a, b in combinations(permutation, 2)) % 2


def orbit_of(state: CubeState) -> Orbit:
    """Return the orbit of a state."""
    return Orbit(
        sum(state.corner_orientation) % 3,
        sum(state.edge_orientation) % 2,
        permutation_parity(state.corner_permutation) ^ permutation_parity(state.edge_permutation),
    )


def examine(facelets: Facelets) -> Verdict:
    """Check 54 stickers against every law, and name each broken one."""
    pieces, problems = recognise(facelets)
    return Verdict(problems, None, None) if pieces is None else examine_state(CubeState(*pieces))


def examine_state(state: CubeState) -> Verdict:
    """Check a state against the three invariants."""
    orbit = orbit_of(state)
    problems: list[Problem] = []
    if orbit.corner_twist:
        turn = ("", "clockwise", "anticlockwise")[orbit.corner_twist]
        suspects = _lone(state.corner_orientation, CORNERS)
        which = f"corner {suspects[0]}" if suspects else "one corner"
        problems.append(
            Problem(
                "corner-twist",
                suspects,
                f"the corner twists add up to {orbit.corner_twist}/3 instead of 0: {which} is "
                f"twisted {turn}, or two of its stickers were misread",
            )
        )
    if orbit.edge_flip:
        suspects = _lone(state.edge_orientation, EDGES)
        which = f"edge {suspects[0]}" if suspects else "one edge"
        problems.append(
            Problem(
                "edge-flip",
                suspects,
                f"an odd number of edges is flipped: {which} is flipped, or its two stickers were "
                "read in the wrong order",
            )
        )
    if orbit.parity:
        suspects = _swapped(state)
        which = f"{suspects[0]} and {suspects[1]}" if suspects else "two pieces of the same kind"
        problems.append(
            Problem(
                "parity",
                suspects,
                f"corners and edges are permuted with different signs: {which} are swapped",
            )
        )
    return Verdict(tuple(problems), orbit, state)


def _lone(orientation: tuple[int, ...], names: tuple[str, ...]) -> tuple[str, ...]:
    """Name the twisted or flipped piece if there is only one; in a scramble nobody can tell."""
    turned = [name for name, turn in zip(names, orientation, strict=True) if turn]
    return (turned[0],) if len(turned) == 1 else ()


def _swapped(state: CubeState) -> tuple[str, ...]:
    """Name the two swapped pieces if all others are at home."""
    corners = [i for i, piece in enumerate(state.corner_permutation) if piece != i]
    edges = [i for i, piece in enumerate(state.edge_permutation) if piece != i]
    if len(corners) == 2 and not edges:
        return tuple(CORNERS[i] for i in corners)
    if len(edges) == 2 and not corners:
        return tuple(EDGES[i] for i in edges)
    return ()
