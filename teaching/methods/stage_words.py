"""Thistlethwaite's stages in the words of S3: the task of a stage, and what it settles.

A caption counts what is wrong at the start of the stage. All angles are those of the chain's
orientation: an edge's angle changes only by quarter turns of the chain's first pair of faces, a
corner's is measured on its sticker of the last pair.

This module also computes S3's invariants of a state: what each of Thistlethwaite's restrictions
preserves.

Without quarter turns of one pair of faces (Phi1) every edge keeps its angle; without those of two
pairs (Phi2) every corner does, too, and the middle slice keeps its edges; with half turns only
(Phi3) every slice keeps its edges, both tetrads keep their corners, and delta = p o q^-1 is
invariant, where p and q are the permutations of the pairs of each tetrad among the three axes.
"""

from dataclasses import dataclass
from functools import reduce

from cube.moves import FACES, MoveSequence
from cube.pieces import CORNERS, EDGES
from cube.state import CubeState
from puzzles.kinds.cube_laws import TETRADS, delta_of, in_own_tetrads
from solver.coordinates import E_EDGES, M_EDGES, S_EDGES
from solver.cubies import symmetries
from solver.stages.solution import TABLE_CHAIN, Chain
from teaching.methods.method import MethodStep, count, misplaced, settled
from teaching.wording import Joined, Wording

_AXES = "URF"


@dataclass(frozen=True, slots=True)
class Invariants:
    """The differences from the solved cube, in terms of a chain.

    Attributes:
        flipped: Edges whose angle is 180 degrees.
        twisted: Corners whose angle is 120 or 240 degrees.
        outside_middle: Edges of the slice that is filled first, outside it.
        outside_slices: Edges outside their slice, of all three.
        outside_tetrads: Corners in the other tetrad.
        delta: The axes that p o q^-1 maps to U, R and F; ``URF`` for the identity, empty while a
            corner is in the other tetrad.
    """

    flipped: tuple[str, ...]
    twisted: tuple[str, ...]
    outside_middle: tuple[str, ...]
    outside_slices: tuple[str, ...]
    outside_tetrads: tuple[str, ...]
    delta: str

    @property
    def axes_moved(self) -> int:
        """Return how many axes delta moves; all three while it has no value."""
        return len(_AXES) if not self.delta else sum(map(str.__ne__, self.delta, _AXES))


def invariants(state: CubeState, chain: Chain = TABLE_CHAIN) -> Invariants:
    """Return S3's invariants of a state in the orientation of a chain."""
    seen = chain.seen(state)
    back = symmetries()[chain.symmetry].inverse()
    corner = [CORNERS[back.corners[piece]] for piece in seen.corners]
    edge = [EDGES[back.edges[piece]] for piece in seen.edges]
    own = {place: group for group in (M_EDGES, S_EDGES, E_EDGES) for place in group}
    strangers = [i for i in range(12) if int(seen.edges[i]) not in own[i]]
    corners = state.corner_permutation
    tetrad = {place: group for group in TETRADS for place in group}
    return Invariants(
        tuple(edge[i] for i in range(12) if seen.flips[i]),
        tuple(corner[i] for i in range(8) if seen.twists[i]),
        tuple(edge[i] for i in range(8) if seen.edges[i] >= 8),
        tuple(edge[i] for i in strangers),
        tuple(corner[i] for i in range(8) if int(seen.corners[i]) not in tetrad[i]),
        delta_of(corners) if in_own_tetrads(corners) else "",
    )


Faces = dict[str, object]


def axis_faces(axis: str) -> Faces:
    """Return the two faces of an axis, as the values ``one`` and ``other`` of a text."""
    return {"one": axis, "other": FACES[FACES.index(axis) + 3]}


ANGLES, MIDDLE, ORBITS, SLICES, HOME = range(5)
"""What S2's five stages settle, by the number of the stage."""


@dataclass(frozen=True, slots=True)
class Explained:
    """One of S2's five stages in words.

    Attributes:
        halved: The two faces that only make half turns from then on; None if there is none.
    """

    tasks: tuple[Wording, ...]
    pieces: tuple[str, ...]
    settles: Wording
    halved: Faces | None = None


def told(
    name: str, parts: tuple[int, ...], state: CubeState, moves: MoveSequence, chain: Chain
) -> MethodStep:
    """Return a stage with its caption, the pieces concerned and the invariants that it settles.

    It covers some `parts` of S2's five stages; the caption is in the orientation of the chain.
    """
    after = state.apply(moves)
    explained = [explain(part, state, chain, moves) for part in parts]
    sentences = [task for each in explained for task in each.tasks]
    halved = tuple(Wording("method.and", each.halved) for each in explained if each.halved)
    if halved and HOME not in parts:
        key = "method.halved" if ANGLES in parts else "method.halved_too"
        sentences.append(Wording(key, {"faces": halved}))
    return MethodStep(
        name,
        Joined(tuple(sentences)),
        moves,
        tuple(dict.fromkeys(piece for each in explained for piece in each.pieces)),
        settled(after, reduce(_both, (each.settles for each in explained))),
        chain,
    )


def _both(first: Wording, then: Wording) -> Wording:
    return Wording("method.both", {"first": first, "then": then})


def explain(part: int, state: CubeState, chain: Chain, moves: MoveSequence) -> Explained:
    """Return the task of one of S2's five stages (0 to 4) in a state."""
    if part == HOME:
        return _home(state, moves)
    found = invariants(state, chain)
    first, second, last = (axis_faces(axis) for axis in chain.axes)
    if part == ANGLES:
        task = _task(found.flipped, "edges", "flip", "no_flip", {})
        return Explained((task,), found.flipped, Wording("method.angles_settled", first), first)
    if part == MIDDLE:
        tasks = (
            _task(found.twisted, "corners", "untwist", "no_twist", last),
            _task(found.outside_middle, "edges", "fill_slice", "slice_filled", last),
        )
        pieces = tuple(dict.fromkeys(found.twisted + found.outside_middle))
        return Explained(tasks, pieces, Wording("method.middle_settled", last), second)
    if part == SLICES:
        task = _task(found.outside_slices, "edges", "slices", "no_slices", {})
        return Explained((task,), found.outside_slices, Wording("method.slices_settled"), last)
    axes = {"axes": " ".join(found.delta)}
    delta = Wording("method.delta", axes) if found.axes_moved else Wording("method.no_delta")
    tetrads = {"corners": count(found.outside_tetrads, "corners")}
    task = Wording("method.tetrads", tetrads) if found.outside_tetrads else delta
    return Explained((task,), found.outside_tetrads, Wording("method.orbits_settled"))


def _task(pieces: tuple[str, ...], kind: str, some: str, none: str, faces: Faces) -> Wording:
    """Return a task for some pieces, counted, or that there is nothing to do."""
    if not pieces:
        return Wording(f"method.{none}", faces)
    return Wording(f"method.{some}", {kind: count(pieces, kind), **faces})


def _home(state: CubeState, moves: MoveSequence) -> Explained:
    pieces = misplaced(state)
    values = {"pieces": count(pieces, "pieces")}
    if not pieces:
        task = Wording("method.all_home")
    elif all(move.turns == 2 for move in moves):
        task = Wording("method.last_home", values)
    else:
        task = Wording("method.home", values)
    return Explained((task,), pieces, Wording("method.home_settled"))
