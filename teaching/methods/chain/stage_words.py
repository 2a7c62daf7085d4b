"""Thistlethwaite's stages in the words of S3: the task of a stage, and what it settles.

A caption counts what is wrong at the start of the stage. All angles are those of the chain's
orientation: an edge's angle changes only by quarter turns of the chain's first pair of faces, a
corner's is measured on its sticker of the last pair.
"""

from dataclasses import dataclass
from functools import reduce

from cube.moves import FACES, MoveSequence
from cube.state import CubeState
from solver.stages.subgroup_chain import Chain
from teaching.methods.chain.stage_invariants import invariants
from teaching.methods.method import MethodStep, count, misplaced, settled
from teaching.wording import Joined, Wording

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
