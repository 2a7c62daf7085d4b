"""Shortest paths without quarter turns of R and L (S3's Φ1), by iterative deepening.

The tables and searches are those of the cube turned about U, without quarter turns of F and B;
`PhiOneWays` looks at the cube that way.

It also finds paths without quarter turns of F and B in two shortest parts: into S3's Φ2, and home
within it.

Finally, it contains tables of S3's Φ1: exact distances of the corners, and sets of all states near
the solved one.

The method is R. Korf's ("Depth-first iterative-deepening", 1985). With ten turns left, a position
is expanded only if it may be within ten turns, according to a set of all such positions; from eight
on, a second set and exact distances of the corners are used.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeGuard

import numpy as np
from numpy.typing import NDArray

from cube.moves import ALL_MOVES, MoveSequence
from cube.state import SOLVED, CubeState
from puzzles.groups.analysis import Analysis
from puzzles.kinds.cubes import CubePuzzle, cube_arrangement, restricted_cube
from puzzles.kinds.puzzle import PuzzleTurn
from puzzles.paths import phi_one_coordinates
from puzzles.paths.meeting import Meeting, packing_of
from puzzles.paths.phi_one_coordinates import TURNS, state_numbers
from puzzles.paths.way import TurnPath
from solver import coordinates
from solver.coordinates import pair_distances
from solver.cubies import conjugate_moves, moves_seen, of_state
from solver.stages.solution import Chain
from solver.table_files import Arrays
from solver.tables import Progress, TableSet, TableStore

if TYPE_CHECKING:
    from puzzles.paths.kernels.phi_one import Maps


class PhiChain:
    """The searches of the two parts; their tables are small and are made when needed."""

    def moves(self, state: CubeState, memory: int) -> MoveSequence | None:
        """Return moves that solve a state of Φ1, or None if there is not enough memory.

        Args:
            state: A state that these turns can solve.
            memory: Maximum memory in bytes.
        """
        first = self._into_phi_two(state)
        rest = state.apply(first)
        puzzle, meeting = restricted_cube(2), self._meeting
        word = meeting.word(np.argsort(cube_arrangement(rest)), memory)
        if word is None:
            return None
        names = " ".join(puzzle.turns[letter].name for letter in word)
        return MoveSequence((*first, *MoveSequence.parse(names))).simplified()

    @cached_property
    def _moves_of(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        turns = list(TURNS)
        twists, slices = coordinates.twist_moves(), coordinates.slice_moves()
        return twists[:, turns].astype(np.int64), slices[:, turns].astype(np.int64)

    @cached_property
    def _distances(self) -> NDArray[np.uint8]:
        twists_by, slices_by = self._moves_of
        return pair_distances(twists_by, slices_by, range(len(TURNS)))

    @cached_property
    def _meeting(self) -> Meeting:
        puzzle = restricted_cube(2)
        orbits = Analysis(puzzle).chain.orbits
        packing = packing_of(puzzle.pieces, [p for p, orbit in orbits.items() if len(orbit) > 1])
        assert packing is not None
        numbers = {turn.name: number for number, turn in enumerate(puzzle.turns)}
        return Meeting(packing, tuple(numbers[turn.inverse] for turn in puzzle.turns))

    def _into_phi_two(self, state: CubeState) -> MoveSequence:
        """Return the fewest turns until no corner is twisted and four edges are in their slice."""
        twists_by, slices_by = self._moves_of
        size = len(slices_by)
        cubies = of_state(state)
        twist, places = coordinates.twist_of(cubies), coordinates.slice_of(cubies)
        made = []
        while togo := int(self._distances[twist * size + places]):
            there = self._distances[twists_by[twist] * size + slices_by[places]]
            turn = int(np.flatnonzero(there == togo - 1)[0])
            twist, places = int(twists_by[twist, turn]), int(slices_by[places, turn])
            made.append(ALL_MOVES[TURNS[turn]])
        return MoveSequence(tuple(made))


FAR_BITS, NEAR_BITS = 32, 28
"""Sizes of the two sets, as powers of two: 537 MB and 34 MB."""
_CORNER_DEPTHS = 12
_SHARES = 64
"""Parts in which the larger set is filled; only for the progress report."""


def turns_after() -> NDArray[np.int64]:
    """Return bit sets of the turns allowed after each turn, and of all at the end.

    No two turns of a face follow each other, and of two opposite faces the first one goes first.
    """
    faces = np.array(TURNS) // 3
    before, after = faces[:, None], faces[None, :]
    allowed = (before != after) & (before != after + 3)
    allowed = np.concatenate([allowed, np.ones((1, len(TURNS)), bool)])
    sets: NDArray[np.int64] = (allowed.astype(np.int64) << np.arange(len(TURNS))).sum(axis=1)
    return sets


def maps_of(arrays: Arrays) -> "Maps":
    """Return the effects of turns and symmetries from the tables."""
    from puzzles.paths.kernels.phi_one import Maps

    return Maps(**{name: arrays[name] for name in Maps._fields})


def number_maps() -> dict[str, NDArray[np.uint16] | NDArray[np.uint8]]:
    """Return the effects of turns and symmetries on the five numbers, by the names of ``Maps``."""
    still = [(0, 0)] * len(phi_one_coordinates.turn_images())
    permutations_by = phi_one_coordinates.permutation_moves()
    twists_by = phi_one_coordinates.twist_moves()
    as_they_are = phi_one_coordinates.images(permutations_by, still)
    leading = as_they_are == as_they_are.min(axis=0)
    powers = 1 << np.arange(len(leading))
    masks = phi_one_coordinates.set_masks()
    sets = np.zeros(1 << 12, np.uint16)
    sets[masks] = np.arange(len(masks))
    return {
        "permutations_by": permutations_by,
        "twists_by": twists_by,
        "layers_by": phi_one_coordinates.layer_moves(),
        "twists_as": phi_one_coordinates.images(twists_by, still),
        "layers_as": phi_one_coordinates.layer_images(),
        "swaps": phi_one_coordinates.swaps(),
        "least": as_they_are.min(axis=0),
        "leading": (leading * powers[:, None]).sum(axis=0).astype(np.uint16),
        "first": leading.argmax(axis=0).astype(np.uint8),
        "masks": masks.astype(np.uint16),
        "sets": sets,
    }


def _build(progress: Progress) -> Arrays:
    progress(0.0)
    made: dict[str, NDArray[np.uint16] | NDArray[np.uint8]] = {**number_maps()}
    for array in made.values():
        array.flags.writeable = False
    made["corners"] = _corners(made, progress)
    return {**made, **_sets(maps_of(made), progress)}


def _corners(made: Arrays, progress: Progress) -> NDArray[np.uint8]:
    from puzzles.paths.kernels.phi_one import UNREACHED, pack_pairs, spread_corners

    permutations_by, twists_by = made["permutations_by"], made["twists_by"]
    distances = np.full(len(permutations_by) * len(twists_by), UNREACHED, np.uint8)
    distances[0], depth = 0, 0
    while spread_corners(distances, depth, permutations_by, twists_by):
        depth += 1
        progress(0.1 * min(1.0, depth / _CORNER_DEPTHS))
    packed = np.empty(len(distances) // 2, np.uint8)
    pack_pairs(distances, packed)
    return packed


def _sets(maps: "Maps", progress: Progress) -> dict[str, NDArray[np.uint8]]:
    from puzzles.paths.kernels.phi_one import FAR, NEAR, mark

    near = np.zeros(1 << NEAR_BITS - 3, np.uint8)
    layers, allowed = layers_of_keys(maps, NEAR), turns_after()
    for keys in layers:
        mark(keys, 0, allowed, near, NEAR_BITS, maps)
    progress(0.2)
    far = np.zeros(1 << FAR_BITS - 3, np.uint8)
    for keys in layers[:-1]:
        mark(keys, 0, allowed, far, FAR_BITS, maps)
    parts = np.array_split(layers[-1], _SHARES)
    for number, keys in enumerate(parts):
        mark(keys, FAR - NEAR, allowed, far, FAR_BITS, maps)
        progress(0.2 + 0.8 * (number + 1) / _SHARES)
    return {"near": near, "far": far}


def layers_of_keys(maps: "Maps", depth: int) -> list[NDArray[np.uint64]]:
    """Return sorted keys of all states up to a distance, one for each symmetry class."""
    from puzzles.paths.kernels.phi_one import grow

    home = phi_one_coordinates.state_numbers(SOLVED)
    layers = [np.array([_key(home)], np.uint64)]
    for _ in range(depth):
        grown = np.empty(len(layers[-1]) * len(TURNS), np.uint64)
        grow(layers[-1], grown, maps)
        grown.sort()
        new = np.ones(len(grown), bool)
        np.not_equal(grown[1:], grown[:-1], out=new[1:])
        grown = grown[new]
        for known in layers[-2:]:
            at = np.minimum(np.searchsorted(known, grown), len(known) - 1)
            grown = grown[known[at] != grown]
        layers.append(grown)
    return layers


def _key(numbers: list[int]) -> int:
    """Return the key of a state that no symmetry reduces, such as the solved one."""
    from puzzles.paths.kernels.phi_one import LAYERS, ORDERS, TWISTS

    permutation, twist, s, m, e = numbers
    return (((permutation * TWISTS + twist) * LAYERS + s) * LAYERS + m) * ORDERS + e % ORDERS


PHI_ONE_TABLE_SET = TableSet("phi1", 3, _build)


PHI_ONE_BYTES = 800_000_000
"""Memory for building the tables; when complete they take 620 MB."""
_MEETING_BYTES = 250_000_000
_LONGEST = 30
_POSITIONS = 250_000_000
"""About fifteen seconds."""


@dataclass(frozen=True, slots=True)
class PhiOneWays:
    """Finds shortest paths.

    Attributes:
        puzzle: The cube without quarter turns of R and L.
        tables: Distances, sets, and effects of turns and symmetries.
        positions: Maximum number of positions.
        chain: The method for a longer path then.
    """

    puzzle: CubePuzzle
    tables: Arrays
    positions: int = _POSITIONS
    chain: PhiChain = field(default_factory=PhiChain)

    def between(self, one: CubeState, other: CubeState) -> TurnPath | None:
        """Return a path from one state to another, a shortest one unless it is too far."""
        from puzzles.paths.kernels.phi_one_search import POSITION, TURN, Nearness, search

        state = about_u(other.inverse() * one)
        if state == SOLVED:
            return TurnPath((), "iterative deepening", shortest=True)
        turns = self._turns
        solved, allowed = np.array(state_numbers(SOLVED)), turns_after()
        positions = np.zeros((_LONGEST + 1, len(turns), POSITION), np.int64)
        positions[0, 0, :TURN], positions[0, 0, TURN] = state_numbers(state), len(turns)
        walked, path = np.zeros((_LONGEST + 1, 2), np.int64), np.zeros(_LONGEST, np.int64)
        corners, far, near = (self.tables[name].ctypes.data for name in ("corners", "far", "near"))
        known = (Nearness(corners, far, FAR_BITS, near, NEAR_BITS), maps_of(self.tables))
        budget = self.positions
        for length in range(1, _LONGEST):
            looked = search(length, positions, walked, solved, path, budget, allowed, *known)
            if looked < 0:
                found = tuple(turns[turn] for turn in path[:length].tolist())
                return TurnPath(found, "iterative deepening", shortest=True)
            budget -= looked
            if budget <= 0:
                break
        return self.through_phi_two(state)

    def through_phi_two(self, state: CubeState) -> TurnPath | None:
        """Return a path home in two shortest parts; None if there is not enough memory.

        Args:
            state: A state of the tables' cube, turned about U.
        """
        moves = self.chain.moves(state, _MEETING_BYTES)
        if moves is None:
            return None
        turns = dict(zip(TURNS, self._turns, strict=True))
        return TurnPath(tuple(turns[move.index] for move in moves), "through Φ2")

    @property
    def _turns(self) -> tuple[PuzzleTurn, ...]:
        """Return the puzzle's turn for each turn of the tables."""
        by_name = {turn.name: turn for turn in self.puzzle.turns}
        seen = moves_seen(TURNS, conjugate_moves()[_TURNED.symmetry])
        return tuple(by_name[str(move)] for move in seen)


_TURNED = Chain("RFU")
"""R and L of the cube are F and B of the tables."""


def about_u(state: CubeState) -> CubeState:
    """Return a state of the cube turned about U."""
    seen = _TURNED.seen(state)
    parts = (seen.corners, seen.twists, seen.edges, seen.flips)
    return CubeState(*(tuple(part.tolist()) for part in parts))


def load_phi_one(puzzle: CubePuzzle, store: TableStore) -> PhiOneWays:
    """Load the path finder with its tables (620 MB), built within some minutes if missing.

    Raises:
        TableError: The tables could not be built.
    """
    return PhiOneWays(puzzle, store.obtain(PHI_ONE_TABLE_SET).arrays)


def is_phi_one(puzzle: object) -> TypeGuard[CubePuzzle]:
    """Return whether a puzzle is the cube without quarter turns of R and L."""
    return isinstance(puzzle, CubePuzzle) and puzzle.turns == restricted_cube(1).turns
