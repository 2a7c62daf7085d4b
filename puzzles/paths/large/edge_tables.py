"""Distances of the pieces of one edge, for the last phase of the centres.

While the centres come home, a beam also joins edges. A table has the number of turns that join all
pieces of one edge, wherever they are; the twelve edges' costs guide the beam.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from puzzles.kinds.pieces import Arrangement
from puzzles.paths.frames import Slots
from puzzles.paths.large.cube_turns import CubeTurns
from puzzles.paths.large.masks import PLACES
from solver.kernels.memory import Bytes

_UNREACHED = 255


@dataclass(frozen=True)
class EdgeTables:
    """The pieces of edges, and how far they are from each other.

    An edge's number has a digit of base 24 for each of its pieces: its place.

    Attributes:
        turns: The turns of the cube.
        usable: Which of them the phase makes.
    """

    turns: CubeTurns
    usable: Sequence[bool]

    @cached_property
    def _orbits(self) -> list[Slots]:
        """Return the stickers of each of 24 places: of middles, and of orbits of wings."""
        edges = [orbit.slots for orbit in self.turns.orbits if orbit.slots.shape[1] == 2]
        return [slots.reshape(PLACES, -1) for slots in sorted(edges, key=len)]

    @cached_property
    def _origins(self) -> NDArray[np.int64]:
        """Return the origin of each place's content, shape (turns, orbits, 24)."""
        return np.array([self._held(turn.effect) for turn in self.turns.turns])

    def _held(self, state: Arrangement) -> NDArray[np.int64]:
        """Return the home of what is in each place, shape (orbits, 24)."""
        held = []
        for slots in self._orbits:
            homes = np.zeros(len(state), np.int64)
            homes[slots] = np.arange(PLACES)[:, None]
            held.append(homes[state[slots[:, 0]]])
        return np.array(held)

    @cached_property
    def _joined(self) -> list[tuple[tuple[int, int], ...]]:
        """Return where the pieces of a whole edge may be: orbits and places."""
        pieces = list[tuple[int, int]]()
        for orbit, slots in enumerate(self._orbits):
            faces = np.sort(self.turns.faces[slots.reshape(-1, 2)], axis=1)
            own = np.flatnonzero((faces == [0, 1]).all(axis=1)) * (PLACES // len(faces))
            pieces += [(orbit, place) for place in own.tolist()]
        first = tuple(pieces)
        found, inverse = [first], np.argsort(self._origins, axis=2)
        outer = [n for n, turn in enumerate(self.turns.turns) if not turn.deep]
        for there in found:
            for turn in outer:
                made = tuple((orbit, int(inverse[turn, orbit, at])) for orbit, at in there)
                if made not in found:
                    found.append(made)
        return found

    @cached_property
    def steps(self) -> NDArray[np.int64]:
        """Return what each piece adds to an edge's number after turns, (turns, pieces, 24)."""
        orbits = [orbit for orbit, _ in self._joined[0]]
        factors = PLACES ** np.arange(len(orbits))
        return np.argsort(self._origins, axis=2)[:, orbits] * factors[:, None]

    @cached_property
    def _edges(self) -> NDArray[np.int64]:
        """Return the home of each piece of each edge, shape (12, pieces)."""
        seen: dict[frozenset[int], tuple[tuple[int, int], ...]] = {}
        for there in self._joined:
            orbit, place = there[-1]
            seen.setdefault(frozenset(self.turns.faces[self._orbits[orbit][place]].tolist()), there)
        return np.array([[place for _, place in there] for there in seen.values()])

    def numbers(self, state: Arrangement) -> NDArray[np.int64]:
        """Return each edge's number for a state, shape (12,)."""
        orbits = [orbit for orbit, _ in self._joined[0]]
        where = np.argsort(self._held(state), axis=1)
        places = where[orbits, self._edges]
        return np.asarray(places @ PLACES ** np.arange(len(orbits)))

    def build(self) -> Bytes:
        """Return the distance of each number; 255 for those that cannot be."""
        steps = self.steps[np.flatnonzero(self.usable)]
        pieces = steps.shape[1]
        distances = np.full(PLACES**pieces, _UNREACHED, np.uint8)
        factors = PLACES ** np.arange(pieces)
        edge = np.array([[place for _, place in there] for there in self._joined]) @ factors
        distances[edge] = depth = 0
        while len(edge):
            places, depth = edge[:, None] // factors % PLACES, depth + 1
            made = [step[np.arange(pieces), places].sum(axis=1) for step in steps]
            fresh = np.unique(np.concatenate([m[distances[m] == _UNREACHED] for m in made]))
            distances[fresh], edge = depth, fresh
        return distances
