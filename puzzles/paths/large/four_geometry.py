"""What the three phases of a 4 × 4 × 4 consider of its orbits, and their tables."""

from collections.abc import Sequence
from itertools import permutations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzles.kinds.pieces import Arrangement
from puzzles.paths.large.cube_turns import CubeTurns, bits_of, is_odd, places_of
from puzzles.paths.large.masks import index_of, mask_distances, mask_maps, mask_of
from solver.kernels.memory import Bytes
from solver.table_files import Arrays
from solver.tables import Progress

_VECTORS = {
    face: np.array(vector)
    for face, vector in enumerate(
        ((0, 1, 0), (1, 0, 0), (0, 0, 1), (0, -1, 0), (-1, 0, 0), (0, 0, -1))
    )
}
_ACROSS = {1, 4}
_ACROSS_FACES = [1, 4]
_UP_FACES = [0, 3]
_SECOND_FACES = [0, 3, 1]
_THIRD_FACES = [0, 1, 2]


class FourGeometry:
    """The orbits of a 4 × 4 × 4, and what each phase considers of them."""

    def __init__(self, turns: CubeTurns) -> None:
        from puzzles.paths.kernels.pairs import PairMaps

        self.all = turns
        moves, orbits = turns.turns, turns.orbits
        self.centres = next(orbit for orbit in orbits if orbit.slots.shape == (24, 1))
        self.wing_orbit = next(orbit for orbit in orbits if orbit.slots.shape == (24, 2))
        self.corners = next(orbit for orbit in orbits if orbit.slots.shape[1] == 3)
        second = [not turn.deep or turn.half or turn.axis == 0 for turn in moves]
        third = [turn.half or (not turn.deep and turn.axis != 0) for turn in moves]
        every = [True] * len(moves)
        self.allowed = [turns.allowed(usable) for usable in (every, second, third)]
        self.usable = [bits_of(usable) for usable in (every, second, third)]
        deep = [turn.deep for turn in moves]
        self.closing = (
            bits_of([not flag for flag in second]),
            bits_of([not flag for flag in third]),
            bits_of(deep),
        )
        centre_moves = np.array([places_of(self.centres, turn.effect) for turn in moves])
        wing_moves = np.array([places_of(self.wing_orbit, turn.effect) for turn in moves])
        self.wings_by = wing_moves.astype(np.uint8)
        self.colours = turns.faces[self.centres.slots[:, 0]]
        self._halve(wing_moves, third)
        odd_wings = [is_odd(row) for row in wing_moves.tolist()]
        odd_exchange = [
            self._exchanges(turn.effect) if third[n] else False for n, turn in enumerate(moves)
        ]
        self.centre_maps = mask_maps(centre_moves, [False] * len(moves))
        self.wing_maps = mask_maps(centre_moves, odd_wings)
        self.third_maps = mask_maps(centre_moves, odd_exchange)
        firsts, seconds = np.zeros((2, len(moves), 12), np.uint8)
        for number in np.flatnonzero(third).tolist():
            firsts[number] = self.edge_at[wing_moves[number][self.first]]
            origins = self.edge_at[wing_moves[number][self.second]]
            seconds[number][origins] = np.arange(12)
        self.pair_maps = PairMaps(firsts, seconds, *_ring_classes(self.edge_vectors))
        arrays: tuple[NDArray[Any], ...] = (*self.pair_maps, *self.allowed)
        for array in (*arrays, self.wings_by, self.half, self.edges):
            array.flags.writeable = False
        self._rotations = self._rotated()

    def _halve(self, wing_moves: NDArray[np.int64], third: Sequence[bool]) -> None:
        """Find the two halves of the wings' places, and the edge of each."""
        names = [frozenset(self.all.faces[row].tolist()) for row in self.wing_orbit.slots]
        reach = {0}
        while True:
            more = {
                int(np.flatnonzero(wing_moves[n] == p)[0])
                for n in np.flatnonzero(third)
                for p in reach
            }
            if more <= reach:
                break
            reach |= more
        edges = sorted(set(names), key=lambda name: (bool(name & _ACROSS), sorted(name)))
        self.edge_at = np.array([edges.index(name) for name in names])
        self.first = np.array(
            [next(p for p in sorted(reach) if self.edge_at[p] == e) for e in range(12)]
        )
        rest = sorted(set(range(24)) - reach)
        self.second = np.array([next(p for p in rest if self.edge_at[p] == e) for e in range(12)])
        self.half = self.first.astype(np.uint8)
        late = np.array([place not in reach for place in range(24)])
        self.edges = np.concatenate([self.edge_at, late]).astype(np.uint8)
        self.edge_vectors = np.array([sum(_VECTORS[face] for face in edge) for edge in edges])

    def _exchanges(self, arrangement: Arrangement) -> bool:
        """Return whether corners and the first halves of edges differ in parity."""
        corners = places_of(self.corners, arrangement)
        wings = places_of(self.wing_orbit, arrangement)[self.first]
        return is_odd(corners.tolist()) != is_odd(self.edge_at[wings].tolist())

    def first_mask(self, state: Arrangement) -> int:
        """Return the mask of the first phase."""
        return mask_of(np.isin(self._shown(state), _ACROSS_FACES))

    def second_mask(self, state: Arrangement) -> int:
        """Return the mask of the second phase, and the wings' parity."""
        mask = mask_of(np.isin(self._shown(state), _SECOND_FACES))
        return mask | is_odd(self.wings(state).tolist()) << 24

    def third_mask(self, state: Arrangement) -> int:
        """Return the mask of the third phase, and the exchange's parity."""
        mask = mask_of(np.isin(self._shown(state), _THIRD_FACES))
        return mask | self._exchanges(state) << 24

    def _shown(self, state: Arrangement) -> NDArray[np.int64]:
        return self.all.faces[state[self.centres.slots[:, 0]]]

    def wings(self, state: Arrangement) -> Bytes:
        """Return the wing in each place."""
        return places_of(self.wing_orbit, state).astype(np.uint8)

    def pairs(self, state: Arrangement) -> Bytes:
        """Return where the wing beside each one of the first half stands."""
        pieces = self.edge_at[places_of(self.wing_orbit, state)]
        where = {int(pieces[place]): edge for edge, place in enumerate(self.second.tolist())}
        return np.array([where[int(pieces[place])] for place in self.first], np.uint8)

    def played(self, state: Arrangement, word: Sequence[int]) -> Arrangement:
        """Return a state after turns."""
        for number in word:
            state = state[self.all.turns[number].effect]
        return state

    def _rotated(self) -> list[tuple[Arrangement, list[int]]]:
        """Return three rotations of the cube about a diagonal, and what they make of turns."""
        puzzle, wholes = self.all.puzzle, list[Arrangement]()
        for face in "UR":
            whole = np.arange(len(puzzle.pieces.colours))
            for turn in puzzle.turns:
                if turn.axis == {"R": 0, "U": 1}[face] and turn.name.rstrip("2'") == turn.name:
                    name = turn.name if turn.name.lstrip("0123456789") == face else turn.inverse
                    whole = whole[puzzle.pieces.turns[name]]
            wholes.append(whole)
        cycle = wholes[0][wholes[1]]
        numbers = {turn.effect.tobytes(): n for n, turn in enumerate(self.all.turns)}
        found, rotation = [], np.arange(len(cycle))
        for _ in range(3):
            back = np.argsort(rotation)
            seen = [numbers[rotation[turn.effect][back].tobytes()] for turn in self.all.turns]
            found.append((rotation, seen))
            rotation = rotation[cycle]
        return found

    def views(self, state: Arrangement) -> list[Arrangement]:
        """Return the state seen with each axis as the first one."""
        return [np.argsort(rotation)[state][rotation] for rotation, _ in self._rotations]

    def turned(self, variant: int, number: int) -> int:
        """Return the turn that a turn of a view is."""
        return self._rotations[variant][1][number]

    def build(self, progress: Progress) -> Arrays:
        """Build the tables."""
        from puzzles.paths.kernels.pairs import ORDERS, spread_pairs

        home = self.all.puzzle.pieces.solved
        first = mask_distances([self.first_mask(home)], self.usable[0], self.centre_maps)
        progress(0.05)
        third = mask_distances([self.third_mask(home)], self.usable[2], self.third_maps)
        progress(0.1)
        goals = self._second_goals(third)
        second = mask_distances(goals, self.usable[1], self.wing_maps)
        progress(0.15)
        pairs = np.full(len(self.pair_maps.members) * ORDERS, 255, np.uint8)
        pairs[self._home_index()] = 0
        done, depth = 1, 0
        while True:
            reached = spread_pairs(pairs, depth, self.usable[2], self.pair_maps)
            if not reached:
                break
            done, depth = done + reached, depth + 1
            progress(0.15 + 0.85 * done / len(pairs))
        return {"first": first, "second": second, "third": third, "pairs": pairs}

    def _home_index(self) -> int:
        from puzzles.paths.kernels.pairs import ORDERS

        ring = sum(edge * 12**edge for edge in range(4))
        return int(self.pair_maps.classes[ring]) * ORDERS

    def _second_goals(self, third: Bytes) -> list[int]:
        """Return the masks of the second phase whose R and L centres the third one can finish."""
        across = np.flatnonzero(np.isin(self.colours, _ACROSS_FACES))
        up = mask_of(np.isin(self.colours, _UP_FACES))
        home = mask_of(np.isin(self.colours, _THIRD_FACES))
        others = home & ~mask_of(np.isin(self.colours, _ACROSS_FACES))
        goals = []
        for flags in product((0, 1), repeat=8):
            if sum(flags) != 4:
                continue
            right = sum(1 << int(place) for place, flag in zip(across, flags, strict=True) if flag)
            near = [third[index_of(right | others | odd << 24, self.third_maps)] for odd in (0, 1)]
            if min(near) < 255:
                goals.append(right | up)
        return goals


def _ring_classes(vectors: NDArray[np.int64]) -> tuple[NDArray[Any], ...]:
    """Return the classes of the images of the first four edges under eight reflections."""
    where = {tuple(vector): edge for edge, vector in enumerate(vectors.tolist())}
    signs = list(product((1, -1), repeat=3))
    reflections = np.array([[where[tuple(v * np.array(s))] for v in vectors] for s in signs])
    classes, leading = np.zeros(20736, np.uint16), np.zeros(20736, np.uint8)
    known = dict[tuple[int, ...], int]()
    members, fixing = list[tuple[int, ...]](), []
    for images in permutations(range(12), 4):
        seen = [
            tuple(int(reflection[images[reflection[edge]]]) for edge in range(4))
            for reflection in reflections
        ]
        least = min(seen)
        if least not in known:
            known[least] = len(members)
            members.append(least)
        ring = sum(image * 12**edge for edge, image in enumerate(images))
        classes[ring], leading[ring] = known[least], seen.index(least)
    for member in members:
        seen = [tuple(int(r[member[r[edge]]]) for edge in range(4)) for r in reflections]
        fixing.append(bits_of([other == member for other in seen]))
    return (
        *(classes, leading, reflections.astype(np.uint8)),
        *(np.array(members, np.uint8), np.array(fixing, np.uint8)),
    )
