"""Paths of puzzles that turn like the cube but show less of it: three colours, balls on a cube.

Every state of such a puzzle is that of many cubes, which differ in what cannot be seen: which of
the pieces that look alike are where, or how the pieces are oriented. The solver of the cube solves
some of these cubes, and the shortest path is taken.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

import numpy as np

from cube.laws import permutation_parity
from cube.moves import FACES, Move
from cube.pieces import CORNERS, EDGES
from cube.state import CubeState, move_state
from puzzles.kinds.balls import Balls
from puzzles.kinds.cube_laws import TETRADS
from puzzles.kinds.cubes import cube_state
from puzzles.kinds.puzzle import PuzzleTurn, Stickers, turns_by_name
from puzzles.kinds.supercubes import ThreeColourCube
from puzzles.paths.way import TurnPath
from solver.search.anytime import solve
from solver.search.engine import Engine
from solver.search.objectives import load_tables
from solver.tables import TableStore

CUBES = 24
"""Number of cubes that are solved."""
_EACH_MS = 25.0
_SLICES = tuple(
    tuple(i for i, name in enumerate(EDGES) if not set(name) & set(own))
    for own in ("UD", "RL", "FB")
)
Loosen = Callable[[CubeState, np.random.Generator], CubeState]


@dataclass(frozen=True, slots=True)
class LooseWays:
    """Paths by the solver of the cube.

    Attributes:
        seen: Returns a cube that shows a state.
        loosen: Returns a random lawful cube that looks like a given one.
        turns: The puzzle's turn for each move of the cube.
        tables: The tables of the search.
        seed: Seed of the cubes to solve.
    """

    seen: Callable[[Any], CubeState]
    loosen: Loosen
    turns: Mapping[str, PuzzleTurn]
    tables: Engine
    seed: int = 42

    def between(self, one: Any, other: Any) -> TurnPath:
        """Return a path from one state to another that turns connect."""
        rng, found = np.random.default_rng(self.seed), []
        start, end = self.seen(one), self.seen(other)
        end = self.loosen(end, rng)  # only its signs matter: it must be lawful
        for _ in range(CUBES):
            relative = end.inverse() * self.loosen(start, rng)
            found.append(solve(relative, tables=self.tables, budget_ms=_EACH_MS).moves)
        moves = min(found, key=len)
        turns = tuple(self.turns[str(move)] for move in moves)
        return TurnPath(turns, f"the cube's solver, for {CUBES} cubes that look alike")


def loose_ways(puzzle: object, store: TableStore) -> LooseWays | None:
    """Return the path finder of a puzzle that shows less than the cube; None for others."""
    if isinstance(puzzle, ThreeColourCube):
        tables = load_tables(store)
        return LooseWays(_coloured(puzzle), exchanged, turns_by_name(puzzle), tables)
    if not isinstance(puzzle, Balls) or (named := _faces_of(puzzle)) is None:
        return None
    by_name = turns_by_name(puzzle)
    turns = {letter + how: by_name[own + how] for own, letter in named.items() for how in _HOW}
    return LooseWays(_balls(puzzle, named), reoriented, turns, load_tables(store))


_HOW = ("", "2", "'")


def exchanged(state: CubeState, rng: np.random.Generator) -> CubeState:
    """Return a lawful cube that shows the same three colours, with other ones of alike pieces."""
    corners, edges = list(range(8)), list(range(12))
    for names, sets in ((corners, TETRADS), (edges, _SLICES)):
        for alike in sets:
            for home, piece in zip(alike, rng.permutation(alike).tolist(), strict=True):
                names[home] = piece
    made = replace(
        state,
        corner_permutation=tuple(corners[piece] for piece in state.corner_permutation),
        edge_permutation=tuple(edges[piece] for piece in state.edge_permutation),
    )
    if permutation_parity(made.corner_permutation) == permutation_parity(made.edge_permutation):
        return made
    one, other, *_ = _SLICES[0]
    swapped = {one: other, other: one}
    places = tuple(swapped.get(piece, piece) for piece in made.edge_permutation)
    return replace(made, edge_permutation=places)


def reoriented(state: CubeState, rng: np.random.Generator) -> CubeState:
    """Return a lawful cube with its pieces in the same places and random orientations."""
    twists, flips = rng.integers(3, size=8).tolist(), rng.integers(2, size=12).tolist()
    twists[0] -= sum(twists)
    flips[0] -= sum(flips)
    return replace(
        state,
        corner_orientation=tuple(twist % 3 for twist in twists),
        edge_orientation=tuple(flip % 2 for flip in flips),
    )


def _coloured(puzzle: ThreeColourCube) -> Callable[[Stickers], CubeState]:
    return lambda state: cube_state(puzzle.arrangement(state))


def _balls(puzzle: Balls, named: Mapping[str, str]) -> Callable[[Stickers], CubeState]:
    """Return the function that shows balls as the pieces of a cube, all oriented alike."""
    spots = _spots(puzzle, named)
    home = {spot: number for number, spot in enumerate(spots)}

    def seen(state: Stickers) -> CubeState:
        arrangement = puzzle.arrangement(state)
        pieces = [home[int(arrangement[spot])] for spot in spots]
        edges = tuple(piece - 8 for piece in pieces[8:])
        return CubeState(tuple(pieces[:8]), (0,) * 8, edges, (0,) * 12)

    return seen


def _spots(puzzle: Balls, named: Mapping[str, str]) -> list[int]:
    """Return the slots of the corners of a cube, then of its edges, in the cube's order."""
    letters = dict(zip(puzzle.faces, named.values(), strict=True))
    corners = [
        frozenset(letters[face] for face in puzzle.faces if corner in face)
        for corner in puzzle.corners
    ]
    edges = [
        frozenset(letters[face] for face in puzzle.faces if {a, b} <= set(face))
        for a, b in puzzle.edges
    ]
    slots = {name: slot for slot, name in enumerate([*corners, *edges])}
    return [slots[frozenset(name)] for name in (*CORNERS, *EDGES)]


def _faces_of(puzzle: Balls) -> dict[str, str] | None:
    """Return the faces of the cube by the names of a polyhedron's; None if it is not a cube."""
    if len(puzzle.faces) != len(FACES) or {len(face) for face in puzzle.faces} != {4}:
        return None
    own = [str(turn.layer) for turn in puzzle.turns if len(turn.name) == 1]
    turned = [(letter, puzzle.pieces.turns[letter]) for letter in own]
    for order in permutations(FACES):
        named = dict(zip(own, order, strict=True))
        try:
            spots = _spots(puzzle, named)
        except KeyError:  # neighbours would not be neighbours
            continue
        home = {spot: number for number, spot in enumerate(spots)}
        if all(
            tuple(home[int(turn[spot])] for spot in spots[:8])
            == move_state(Move(named[letter], 1)).corner_permutation
            for letter, turn in turned
        ):
            return named
    return None
