"""Ways without quarter turns of F and B by two shortest parts: into S3's Φ2, and home within it."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cube.moves import ALL_MOVES, MoveSequence
from cube.state import CubeState
from puzzles.groups.analysis import Analysis
from puzzles.kinds.cube_pieces import cube_arrangement
from puzzles.kinds.cubes import restricted_cube
from puzzles.paths.meeting import Meeting
from puzzles.paths.packing import packing_of
from puzzles.paths.phi_one.coordinates import TURNS
from solver import coordinates
from solver.cubies import of_state
from solver.distances import pair_distances


class PhiChain:
    """The two parts; their tables are small and made when they are first needed."""

    def moves(self, state: CubeState, memory: int) -> MoveSequence | None:
        """Moves that solve a state of Φ1, or None when memory does not suffice.

        Args:
            state: Which these turns can solve.
            memory: So many bytes at most are filled.
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
        """The fewest turns after which no corner is twisted and four edges are in their slice."""
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
