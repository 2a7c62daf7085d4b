"""Paths of n × n × n cubes: both states are reduced to a 3 × 3 × 3, which the cube's solver solves.

A chain of links brings the centres home, then joins the pieces of each edge, wherever it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from cube.facelets import Facelets
from cube.laws import orbit_of
from cube.moves import FACES
from cube.state import SOLVED, CubeState
from puzzles.groups.peephole import Peephole
from puzzles.groups.words import Alphabet, Word
from puzzles.kinds.box import Box
from puzzles.kinds.pieces import Pieces
from puzzles.kinds.puzzle import Stickers
from puzzles.paths.chained import WORK, ChainLink, WordChain
from puzzles.paths.frames import (
    Checks,
    LinkFrame,
    PieceOrbit,
    Slots,
    checks_of,
    framed_turns,
    orbits_of,
    placing_frames,
    together,
)
from puzzles.paths.macros import Recipe
from puzzles.paths.way import TurnPath
from solver.search.anytime import solve
from solver.search.engine import Engine
from solver.search.objectives import load_tables
from solver.tables import TableStore

_SMALLEST = 4
_CENTRES = 150
"""Number of centres that come home in one link."""
_SOLVES = 4
_SOLVE_MS = 200.0
_SLACK = 6
_TRIES = 4_000_000
"""Number of commutators tried for each link, divided by the number of stickers of a face."""


def is_big_cube(puzzle: object) -> bool:
    """Return whether a puzzle is a cube with more than three layers."""
    return isinstance(puzzle, Box) and len(set(puzzle.sides)) == 1 and puzzle.sides[0] >= _SMALLEST


@dataclass(frozen=True, slots=True)
class BigCubeWays:
    """Paths of n × n × n cubes.

    Attributes:
        puzzle: The cube.
        alphabet: Its turns.
        chain: Centres, then edges.
        tables: Tables of the 3 × 3 × 3.
        peephole: Shortens the results.
        exchange: A word that keeps a cube reduced and permutes its edges oddly; empty if
            impossible.
    """

    puzzle: Box
    alphabet: Alphabet
    chain: WordChain
    tables: Engine
    peephole: Peephole
    exchange: Word

    def between(self, one: Stickers, other: Stickers) -> TurnPath | None:
        """Return a path from one state to another, or None if none is found."""
        starts, ends = self._reduced(one), self._reduced(other)
        pairs = [
            (len(there) + len(back), there, back, rest)
            for (there, here), (back, goal) in product(starts, ends)
            if orbit_of(rest := goal.inverse() * here) == orbit_of(SOLVED)
        ]
        letters = {turn.name: number for number, turn in enumerate(self.alphabet.turns)}
        found: list[Word] = []
        for _, there, back, rest in sorted(pairs, key=lambda pair: pair[0])[:_SOLVES]:
            moves = solve(rest, tables=self.tables, budget_ms=_SOLVE_MS).moves
            middle = tuple(letters[str(move)] for move in moves)
            found.append(self.alphabet.simple((*there, *middle, *self.alphabet.inverse(back))))
        if not found:
            return None
        return TurnPath(self.peephole.turns(min(found, key=len)), "reduction")

    def _reduced(self, state: Stickers) -> list[tuple[Word, CubeState]]:
        """Return words that reduce a state, and the 3 × 3 × 3 after each."""
        if state == self.puzzle.solved:
            return [((), SOLVED)]
        start, side = self.puzzle.arrangement(state), self.puzzle.sides[0]
        found = [
            (word, reduced(self.puzzle.state(start[self.alphabet.effect(word)]), side))
            for word in self.chain.words(start)
        ]
        if self.exchange:
            other = reduced(self.puzzle.state(self.alphabet.effect(self.exchange)), side)
            found += [((*word, *self.exchange), cube * other) for word, cube in found]
        return found


def reduced(state: Stickers, side: int) -> CubeState:
    """Return the 3 × 3 × 3 cube of a reduced state.

    Raises:
        InvalidCubeError: Its pieces do not form a cube.
    """
    near = (0, (side - 1) // 2, side - 1)
    text = "".join(
        state[face * side * side + row * side + column]
        for face in range(6)
        for row in near
        for column in near
    )
    return CubeState.from_facelets(Facelets(text))


def big_cube_ways(puzzle: Box, store: TableStore) -> BigCubeWays:
    """Return the path finder of a cube with more than three layers."""
    pieces, side = puzzle.pieces, puzzle.sides[0]
    alphabet = Alphabet(puzzle.turns, pieces.turns)
    orbits = orbits_of(pieces)
    centres = [orbit for orbit in orbits if orbit.slots.shape[1] == 1]
    wings = [orbit for orbit in orbits if orbit.slots.shape == (24, 2)]
    groups = together(centres, _CENTRES)
    first = placing_frames(pieces, groups, wings)
    second = [edge_frame(pieces, centres, number, side) for number in range(1, side // 2)]
    small = side == _SMALLEST
    work = WORK / (len(first) + len(second))
    links = [
        ChainLink(
            frame, Recipe(tries=_TRIES // side**2, parted=4 if small else 3), alphabet, store, work
        )
        for frame in first
    ]
    second_recipe = Recipe(
        words=5000, inner=5000 if small else 300, tries=_TRIES // side**2, parted=6 if small else 3
    )
    links += [
        ChainLink(frame, second_recipe, alphabet, store, work, slack=_SLACK, distinct=True)
        for frame in second
    ]
    names = [turn.name for turn in alphabet.turns]
    exchange = tuple(names.index(name) for name in exchange_names(side))
    chain = WordChain(tuple(links))
    return BigCubeWays(puzzle, alphabet, chain, load_tables(store), Peephole(alphabet), exchange)


def edge_frame(pieces: Pieces, centres: Sequence[PieceOrbit], wings: int, side: int) -> LinkFrame:
    """Return the frame of an orbit of wings: each comes beside its neighbour nearer to the middle.

    The centres stay at home, and the orbits nearer to the middle joined.

    Args:
        pieces: The pieces of the cube.
        centres: Their orbits.
        wings: The number of the orbit, from 1 on for the wings nearest to the middle.
        side: The cube's number of layers.
    """
    edges, beside, numbers = edge_slots(side, wings)
    middle = np.concatenate([orbit.slots[:, 0] for orbit in centres])
    turns = framed_turns(
        list(pieces.turns.values()), edges, (), fixed=0, kept=middle, last=len(FACES)
    )
    size = turns.shape[1]
    values = np.zeros(len(pieces.colours), np.uint8)
    values[edges] = np.arange(len(edges))
    mates = np.full(256, 255, np.uint8)
    mates[: len(beside)] = beside % 256
    home = [
        (len(edges) + i, size - len(FACES) + FACES.index(pieces.colours[slot]))
        for i, slot in enumerate(middle)
    ]
    still = replace(checks_of((), size), mates=mates)
    goal = _joined(still, pieces, edges, np.where(numbers == wings, beside, -1))
    kept = _joined(checks_of(home, size), pieces, edges, np.where(numbers < wings, beside, -1))
    return LinkFrame(edges, values, (), np.zeros(0, np.uint8), turns, goal, kept)


def edge_slots(side: int, wings: int) -> tuple[Slots, Slots, Slots]:
    """Return stickers of the edges: those in the middle, and some orbits of wings beside it.

    Args:
        side: The cube's number of layers.
        wings: Number of orbits, those nearest to the middle.

    Returns:
        Slots of the cube, shape (stickers,); for each the index of its neighbour nearer to the
        middle among these, or -1 for one in the very middle; and the number of its orbit, from 1 on
        for wings.
    """
    ends = (0, side - 1)
    slots, nearer, numbers = [], [], []
    for slot in range(6 * side * side):
        row, column = slot // side % side, slot % side
        if (row in ends) == (column in ends):
            continue
        along, step = (column, 1) if row in ends else (row, side)
        number = (abs(2 * along - side + 1) + 1) // 2
        if number <= wings:
            slots.append(slot)
            nearer.append(slot + (step if 2 * along < side - 1 else -step) if number else -1)
            numbers.append(number)
    where = {slot: number for number, slot in enumerate(slots)}
    return np.array(slots), np.array([where.get(slot, -1) for slot in nearer]), np.array(numbers)


def _joined(checks: Checks, pieces: Pieces, slots: Slots, beside: Slots) -> Checks:
    """Return checks, and that stickers belong beside each other; one of a piece's two is enough.

    Args:
        checks: The checks.
        pieces: The pieces of the cube.
        slots: Stickers of the edges.
        beside: For each of them the index of the one beside it, or -1.
    """
    where = {slot: number for number, slot in enumerate(slots.tolist())}
    pairs, numbers = checks.pairs.tolist(), checks.numbers.copy()
    for place in pieces.places:
        own = [where[slot] for slot in place.slots if slot in where]
        own = [one for one in own if beside[one] >= 0]
        if not own:
            continue
        number = numbers[own[0], beside[own[0]]]
        if number < 0:
            number = len(pairs)
            pairs.append([own[0], int(beside[own[0]])])
        for one in own:
            numbers[one, beside[one]] = number
            if beside[beside[one]] == one:
                numbers[beside[one], one] = number
    return Checks(np.array(pairs), checks.mates, numbers)


def exchange_names(side: int) -> list[str]:
    """Return the turns that exchange two opposite edges of a reduced cube with an even side.

    Inner layers by half turns, together with U: known to solvers of 4 × 4 × 4 cubes as the "PLL
    parity" word.
    """
    if side % 2:
        return []
    inner = [f"{depth}{{}}2" for depth in range(2, side // 2 + 1)]
    right, up = ([name.format(face) for name in inner] for face in "RU")
    return [*right, "U2", *right, "U2", *up, *right, *up]
