"""The last stage of a hypercube's paths: its three layers are solved like three 3×3×3 cubes.

Turns about the axis solve the middle cube first. Then each outer one is solved by turns of two
opposite cells about the axis; between these, its own cell rotates it, so that the face to turn lies
in one of them. In the other layers, all these turns cancel out. (This is a known technique of
people who solve the puzzle.)
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from cube.moves import FACES, Move, MoveSequence
from cube.state import CubeState
from puzzles.groups.words import Word
from puzzles.kinds.pieces import Arrangement
from puzzles.paths.hypercube.layers import OUTER, CellLayers, Centres, LayerCube
from solver.search.anytime import candidates, solve
from solver.search.objectives import SearchTables

_MIDDLE_MS, _FIRST_MS, _EACH_MS = 100.0, 50.0, 5.0
_QUARTERS = 4
_FAR = 1000
_OPPOSITE = ("RL", "UD", "FB")

Costs = NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class _Step:
    """How many turns lead to each orientation and sum of quarter turns, and from where.

    Attributes:
        costs: Number of turns, shape (orientations, quarters of one cell, of the other).
        before: The orientation before.
        second: Whether the second cell turned.
    """

    costs: Costs
    before: Costs
    second: NDArray[np.bool_]


@dataclass(frozen=True)
class LayerSolver:
    """Solves arrangements whose pieces are in their layers.

    Attributes:
        layers: The layers.
        tables: Tables of the 3×3×3.
    """

    layers: CellLayers
    tables: SearchTables

    @cached_property
    def _held(self) -> dict[int, tuple[Centres, ...]]:
        """Return the orientations of each outer cube by its centres, that at home first."""
        home = tuple(FACES)
        return {layer: (home, *self.layers.rotations[layer]) for layer in OUTER}

    def word(self, arrangement: Arrangement) -> Word | None:
        """Return a word that solves an arrangement; None if it finds none."""
        cube = self.layers.cube(arrangement, 0)
        if cube is None:
            return None
        middle = self._search(cube.state, _MIDDLE_MS)
        word = tuple(self.layers.faces[str(move)] for move in middle)
        start = arrangement[self.layers.alphabet.effect(word)]
        for layer in OUTER:
            outer = self.layers.cube(start, layer)
            found = None if outer is None else self._outer(outer, layer)
            if found is None:
                return None
            word += found
        return word

    def _search(self, state: CubeState, budget_ms: float) -> MoveSequence:
        return solve(state, tables=self.tables, budget_ms=budget_ms).moves

    def _outer(self, cube: LayerCube, layer: int) -> Word | None:
        """Return the shortest word found that solves an outer cube and nothing else."""
        solutions = candidates(cube.state, self._search, budget_ms=_FIRST_MS, each_ms=_EACH_MS)
        words = self._words(cube.centres, layer, solutions)
        return min(words, key=len, default=None)

    def _words(self, centres: Centres, layer: int, solutions: Iterable[MoveSequence]) -> list[Word]:
        words = []
        for solution in solutions:
            turns = [(centres[FACES.index(move.face)], move.turns) for move in solution]
            found = (self._rotated(centres, layer, turns, pair) for pair in _OPPOSITE)
            words += [word for word in found if word is not None]
        return words

    def _rotated(
        self, centres: Centres, layer: int, turns: Sequence[tuple[str, int]], pair: str
    ) -> Word | None:
        """Return the word for a solution in which only two opposite cells turn about the axis.

        Args:
            centres: The centres of the cube before.
            layer: The layer.
            turns: The solution: the colour of a centre, and clockwise quarter turns of that face.
            pair: The two cells.
        """
        held = self._held[layer]
        costs = np.full((len(held), _QUARTERS, _QUARTERS), _FAR, np.int16)
        costs[held.index(centres), 0, 0] = 0
        steps = []
        for colour, quarters in turns:
            steps.append(self._turned(costs, held, colour, quarters, pair))
            costs = steps[-1].costs
        ends = costs[:, 0, 0] + (np.arange(len(held)) != 0)
        here = int(np.argmin(ends))
        if ends[here] >= _FAR:
            return None
        return self._traced(layer, here, turns, steps, pair)

    def _turned(
        self, costs: Costs, held: Sequence[Centres], colour: str, quarters: int, pair: str
    ) -> _Step:
        """Return what one more turn leads to."""
        nearest = costs.argmin(axis=0)
        arrive = np.take_along_axis(costs, nearest[None], axis=0) + 1
        before = np.where(arrive < costs, nearest, np.arange(len(held))[:, None, None])
        least = np.minimum(arrive, costs) + 1
        made = np.full((2, *costs.shape), _FAR, np.int16)
        origin = np.zeros((2, *costs.shape), np.int16)
        for number, cell in enumerate(pair):
            at = [n for n, centres in enumerate(held) if centres[FACES.index(cell)] == colour]
            made[number, at] = np.roll(least[at], quarters, axis=1 + number)
            origin[number, at] = np.roll(before[at], quarters, axis=1 + number)
        second = made[1] < made[0]
        return _Step(
            np.where(second, made[1], made[0]), np.where(second, origin[1], origin[0]), second
        )

    def _traced(
        self,
        layer: int,
        here: int,
        turns: Sequence[tuple[str, int]],
        steps: Sequence[_Step],
        pair: str,
    ) -> Word:
        """Return the word that leads to an orientation with sums of zero, and home from there."""
        held, rotations = self._held[layer], partial(self._rotation, layer)
        word = list(rotations(held[here], held[0]))
        sums = [0, 0]
        for (_, quarters), step in zip(reversed(turns), reversed(steps), strict=True):
            number = int(step.second[here, sums[0], sums[1]])
            before = int(step.before[here, sums[0], sums[1]])
            letter = self.layers.faces[str(Move(pair[number], quarters))]
            word[:0] = (*rotations(held[before], held[here]), letter)
            sums[number] = (sums[number] - quarters) % _QUARTERS
            here = before
        return tuple(word)

    def _rotation(self, layer: int, before: Centres, after: Centres) -> Word:
        """Return the rotation of an outer cube from one orientation to another."""
        if before == after:
            return ()
        places = [before.index(colour) for colour in after]
        turned = tuple(FACES[place] for place in places)
        return (self.layers.rotations[layer][turned],)
