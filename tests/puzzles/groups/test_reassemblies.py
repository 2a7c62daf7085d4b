"""Orbits counted by visiting every re-assembly: none is told from another by sums or a chain.

What belongs to a frame is laid in every way that turns lay all of it together, every other piece is
put into every place in every way. Turns join what they lead from and to; what is joined is counted.
"""

from functools import reduce
from itertools import permutations, product
from math import prod
from operator import itemgetter

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from puzzles.groups.analysis import Analysis
from puzzles.kinds.catalogue import puzzle_named
from puzzles.kinds.pieces import PieceKind, Pieces

MOST = 10_000_000
Rows = NDArray[np.int64]


def numbers_of(rows: Rows, among: Rows) -> Rows:
    """The place of each row among sorted ones."""
    both = np.concatenate([among, rows])
    found, inverse = np.unique(both, axis=0, return_inverse=True)
    assert len(found) == len(among)  # turns lead to re-assemblies alone
    return inverse.reshape(-1)[len(among) :]


def frame_rows(turns: list[Rows]) -> Rows:
    """Every way in which turns lay some slots, from the solved one."""
    getters = [itemgetter(*turn.tolist()) for turn in turns]
    todo = [tuple(range(len(turns[0])))]
    seen = set(todo)
    while todo:
        here = todo.pop()
        for getter in getters:
            there = getter(here)
            if there not in seen:
                seen.add(there)
                todo.append(there)
        assert len(seen) <= MOST
    return np.array(list(seen), dtype=np.uint8)


def needed(pieces: Pieces) -> list[Rows]:
    """The turns without half turns and inverses of quarter turns, which follow from those."""
    names = set(pieces.turns)
    return [
        turn for name, turn in pieces.turns.items() if not (name[-1] in "2'" and name[:-1] in names)
    ]


def kind_rows(kind: PieceKind) -> Rows:
    """The pieces of a kind in all places and in all ways, by the slots that they come from."""
    count = len(kind.places)
    lying = np.array([kind.slots[:, list(rotation)] for rotation in kind.rotations])
    orders = np.array(list(permutations(range(count))))
    ways = np.array(list(product(range(len(kind.rotations)), repeat=count)))
    return lying[ways[None], orders[:, None]].reshape(len(orders) * len(ways), -1)


def counted(pieces: Pieces, *, looks: bool) -> tuple[int, set[int]]:
    """How many orbits there are, and how many states each has.

    Args:
        pieces: Of a puzzle.
        looks: Count what looks alike as one.
    """
    colours = np.unique(pieces.colours, return_inverse=True)[1]
    parts: list[tuple[Rows, Rows]] = []  # the slots of a part, and every way to fill them
    frame = [kind.slots.ravel() for kind in pieces.kinds if kind.frame]
    if frame:
        slots = np.sort(np.concatenate(frame))
        turns = [np.searchsorted(slots, turn[slots]) for turn in needed(pieces)]
        parts.append((slots, slots[frame_rows(turns)]))
    free = [kind for kind in pieces.kinds if not kind.frame]
    parts += [(kind.slots.ravel(), kind_rows(kind)) for kind in free]
    steps: list[list[Rows]] = [[] for _ in needed(pieces)]
    for slots, filled in parts:
        shown = np.unique(colours[filled] if looks else filled, axis=0)
        home = {slot: i for i, slot in enumerate(slots.tolist())}
        for found, turn in zip(steps, needed(pieces), strict=True):
            found.append(numbers_of(shown[:, [home[slot] for slot in turn[slots].tolist()]], shown))
    size = prod(len(step) for step in steps[0])
    assert size <= MOST
    here, there = [], []
    for step in steps:
        sizes = [len(each) for each in step]
        whole = reduce(np.add.outer, [each * prod(sizes[i + 1 :]) for i, each in enumerate(step)])
        here.append(np.arange(size, dtype=np.int32))
        there.append(whole.ravel().astype(np.int32))
    joined = np.concatenate(here), np.concatenate(there)
    graph = coo_array((np.ones(len(joined[0]), bool), joined), shape=(size, size))
    orbits, label = connected_components(graph, directed=False)
    return orbits, set(np.bincount(label).tolist())


SMALL = [f"1x1x{side}" for side in range(1, 7)] + [f"1x2x{side}" for side in range(2, 9)]
SMALL += ["1x3x3", "1x3x4", "1x3x5", "balls-tetrahedron"]
LARGE = ["1x1x7", "1x1x8", "1x1x9", "1x2x9", "1x3x6", "1x4x5"]
"""Together with these all puzzles of the catalogue that have at most 10 000 000 re-assemblies. In
each run, known figures protect larger puzzles (`test_stabiliser_chain`).
"""


@pytest.mark.parametrize(
    "name", [*SMALL, *(pytest.param(name, marks=pytest.mark.exhaustive) for name in LARGE)]
)
def test_orbits_are_those_of_all_reassemblies(name: str) -> None:
    """The numbers of an analysis against those counted."""
    analysis = Analysis(puzzle_named(name))
    orbits, sizes = counted(analysis.pieces, looks=analysis.counts_alike)
    assert orbits == analysis.orbits
    assert sizes == {analysis.states_per_orbit * analysis.pieces.holds}


def test_what_looks_alike_in_a_frame_is_exchanged_only_if_turns_can() -> None:
    """Telling pieces apart gives as many orbits as looking: no exchange can be made unseen."""
    for name, orbits in (("1x3x4", 2), ("1x3x5", 4), ("1x2x3", 1), ("1x1x5", 1)):
        pieces = puzzle_named(name).pieces
        told = counted(pieces, looks=False)
        assert told == counted(pieces, looks=True)
        assert told[0] == orbits


@pytest.mark.timeout(60)
def test_a_large_box_is_analysed_in_seconds() -> None:
    """Its sums take two values each: too many combinations to visit them one by one."""
    analysis = Analysis(puzzle_named("6x7x8"))
    assert len(analysis.pieces.kinds) == 54
    assert analysis.reassemblies % analysis.orbits == 0
    assert analysis.states_per_orbit > 10**40
