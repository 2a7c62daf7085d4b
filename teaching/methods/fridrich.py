"""S2's evolutionary Fridrich: cross, first-layer corners, second-layer edges, OLL, PLL.

The cross is on D and the last layer on U; the whole cube is never rotated. S2's evolution with
remedies (`evolution`) solves the first three stages. Cross and corners are each evolved several
times, the edges several times piece by piece, and the shortest sequence is taken. The last layer is
looked up (`last_layer`). S2's evolution as printed, without remedies, often gets stuck; it is a
method of its own.
"""

from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cube.moves import Move, MoveSequence
from cube.pieces import CORNERS, EDGES
from cube.state import SOLVED, CubeState
from solver.cubies import MOVES, move_cubies, of_state
from solver.errors import SolverError
from teaching.methods.breeding import LONGEST, Breeding
from teaching.methods.last_layer import (
    OLL_CASES,
    PLL_CASES,
    first_two_layers_solved,
    load_last_layer,
)
from teaching.methods.method import MethodStep, count, misplaced, settled, turned
from teaching.wording import Wording

Codes = NDArray[np.uint8]
_CROSS, _CORNERS, _MIDDLE = (4, 5, 6, 7), (4, 5, 6, 7), (8, 9, 10, 11)
STAGES = ("cross", "first-layer corners", "second-layer edges")
_KEYS = ("method.cross", "method.first_corners", "method.second_edges")
PLACED = (4, 8, 12)
_NO_LIMIT, _MOST_TRIES = 90, 12
_SEED = 0x9E3779B97F4A7C15


@dataclass(frozen=True, slots=True)
class Effort:
    """The amount of evolution for a stage.

    Attributes:
        runs: Number of evolutions of the stage; the shortest sequence is taken.
        tries: The same for each piece, if a stage is solved piece by piece; else 0.
        generations: Number of generations of one evolution; more if it fails.
        slack: Number of moves by which a longer sequence may still be preferred; more if it fails.
    """

    runs: int
    tries: int
    generations: int
    slack: int


EFFORTS = (Effort(20, 0, 100, 2), Effort(10, 0, 300, 2), Effort(4, 3, 150, 4))


@cache
def moved_codes() -> Codes:
    """Return the code of each of the twelve pieces after each turn, (12 * 18, 24), read-only."""
    edges = np.zeros((MOVES, 24), dtype=np.uint8)
    corners = np.zeros((MOVES, 24), dtype=np.uint8)
    for turn, move in enumerate(move_cubies()):
        for place in range(12):
            for flip in range(2):
                edges[turn, move.edges[place] * 2 + flip] = place * 2 + (flip ^ move.flips[place])
        for place in range(8):
            for twist in range(3):
                turned = (twist + move.twists[place]) % 3
                corners[turn, move.corners[place] * 3 + twist] = place * 3 + turned
    return np.concatenate([edges] * 4 + [corners] * 4 + [edges] * 4)


def _codes(state: CubeState) -> Codes:
    """Return the twelve pieces of the first two layers: place * 3 + twist, place * 2 + flip."""
    cubies = of_state(state)
    corners, edges = np.argsort(cubies.corners), np.argsort(cubies.edges)
    edge = edges * 2 + cubies.flips[edges]
    corner = corners * 3 + cubies.twists[corners]
    parts = (edge[list(_CROSS)], corner[list(_CORNERS)], edge[list(_MIDDLE)])
    return np.concatenate(parts).astype(np.uint8)


@cache
def _face_pairs(stage: int) -> Codes:
    """Return pairs of neighbouring faces for the turns of children, shape (n, 2).

    After the cross, D does not turn, and U with a side is chosen more often than two sides.
    """
    pairs = [(a, b) for a, b in combinations(range(6), 2) if b != a + 3]
    if stage > 0:
        ups = [pair for pair in pairs if 0 in pair]
        sides = [pair for pair in pairs if not {0, 3} & set(pair)]
        pairs = (6 if stage == 1 else 10) * ups + sides
    return np.array(pairs, dtype=np.uint8)


def _shortest(runs: int, run: Callable[[int, int], list[int] | None]) -> list[int] | None:
    """Return the shortest sequence of several runs, and of more, that grow, while there is none.

    A run gets the length that it must stay below, and how much more it may do.
    """
    best, limit, number = None, _NO_LIMIT, 0
    while number < runs or (best is None and number <= runs + _MOST_TRIES):
        found = run(limit, 1 << max(0, number - runs))
        if found is not None:
            best, limit = found, len(found)
        number += 1
    return best


class Fridrich:
    """The evolutionary Fridrich method; the same state gives the same solution."""

    name = "fridrich"

    def __init__(self) -> None:
        self._goal = _codes(SOLVED)

    def steps(self, state: CubeState) -> Iterator[MethodStep]:
        """Return the remaining stages."""
        codes = _codes(state)
        generator = np.array([_SEED], dtype=np.uint64)
        generator ^= np.uint64(int.from_bytes(codes.tobytes()[:8], "little") << 1)
        for stage, placed in enumerate(PLACED):
            if (codes[:placed] == self._goal[:placed]).all():
                continue
            turns = self._evolved(codes, stage, generator)
            moves = MoveSequence(tuple(map(Move.from_index, turns))).simplified()
            home = np.flatnonzero(codes[:placed] != self._goal[:placed]).tolist()
            pieces = [EDGES[i + 4] if i < 4 else CORNERS[i] if i < 8 else EDGES[i] for i in home]
            kind = "corners" if stage == 1 else "edges"
            caption = Wording(_KEYS[stage], {"pieces": count(tuple(pieces), kind)})
            state = state.apply(moves)
            settles = settled(state, Wording(f"{_KEYS[stage]}_settled"))
            yield MethodStep(STAGES[stage], caption, moves, tuple(pieces), settles)
            codes = _codes(state)
        yield from self._last_layer(state)

    def _evolved(self, codes: Codes, stage: int, generator: NDArray[np.uint64]) -> list[int]:
        """Return the shortest sequence of several runs for one stage."""
        effort = EFFORTS[stage]

        def run(limit: int, grown: int) -> list[int] | None:
            if effort.tries:
                return self._piece_by_piece(codes, stage, generator, limit)
            return self._once(codes, stage, generator, (PLACED[stage], limit, grown))

        turns = _shortest(effort.runs, run)
        if turns is None:
            raise SolverError("the evolution found no solution: choose another method")
        return turns

    def _piece_by_piece(
        self, codes: Codes, stage: int, generator: NDArray[np.uint64], limit: int
    ) -> list[int] | None:
        """Place one more piece at a time, each with the shortest sequence of several tries."""
        count, turns = PLACED[stage], list[int]()
        while len(turns) < limit:
            here, have = codes, int((codes[:count] == self._goal[:count]).sum())
            if have == count:
                return turns

            def run(least: int, grown: int, here: Codes = here, more: int = have + 1) -> Any:
                return self._once(here, stage, generator, (more, least, grown))

            best = _shortest(EFFORTS[stage].tries, run)
            if best is None:
                return None
            turns += best
            for turn in best:
                codes = moved_codes()[np.arange(12) * MOVES + turn, codes]
        return None

    def _once(
        self, codes: Codes, stage: int, generator: NDArray[np.uint64], sizes: tuple[int, int, int]
    ) -> list[int] | None:
        """Run one evolution; return None if it found nothing shorter than the limit.

        The sizes are the number of pieces to place, the limit, and how much the effort has grown.
        """
        (wanted, limit, grown), effort = sizes, EFFORTS[stage]
        breeding, pairs = Breeding(generations=effort.generations * grown), _face_pairs(stage)
        remedies = pairs, limit, wanted, effort.slack * grown
        return self._evolve(codes, stage, generator, breeding, remedies)[0]

    def _evolve(
        self,
        codes: Codes,
        stage: int,
        generator: NDArray[np.uint64],
        breeding: Breeding,
        remedies: tuple[Codes, int, int, int],
    ) -> tuple[list[int] | None, int]:
        """Return the sequence of one evolution, and how many pieces were placed at most.

        The remedies are ``pairs``, ``limit``, ``wanted`` and ``slack`` of `evolve`.
        """
        from teaching.methods.evolution import evolve

        path, (pairs, limit, wanted, slack) = np.zeros(LONGEST, dtype=np.uint8), remedies
        sizes = np.array(astuple(breeding), dtype=np.int64)
        length = evolve(
            codes,
            self._goal,
            PLACED[stage],
            moved_codes(),
            pairs,
            generator,
            sizes,
            limit,
            wanted,
            slack,
            path,
        )
        return (path[:length].tolist(), wanted) if length >= 0 else (None, -1 - length)

    def _last_layer(self, state: CubeState) -> Iterator[MethodStep]:
        """Return OLL and PLL, as far as needed."""
        if not first_two_layers_solved(state):
            raise SolverError("the first two layers are not solved (an internal check)")
        for case, moves in load_last_layer().looks(state):
            after = state.apply(moves)
            if case.kind == "OLL":
                pieces = turned(state)
                told = {"pieces": count(pieces, "pieces"), "case": case.number, "of": OLL_CASES}
                caption = Wording("method.oll", told)
                settles = settled(after, Wording("method.oll_settled"))
            else:
                pieces = misplaced(state)
                settles = settled(after, Wording("method.home_settled"))
                told = {"case": case.number, "of": PLL_CASES}
                caption = Wording("method.pll", told) if case.kind else Wording("method.fit")
            yield MethodStep(case.kind or "PLL", caption, moves, pieces, settles)
            state = after


class PlainFridrich(Fridrich):
    """The evolutionary Fridrich method, each stage evolved once by S2's plain operator.

    Args:
        breeding: The parameters; by default those of S2.
    """

    name = "fridrich-plain"

    def __init__(self, breeding: Breeding | None = None) -> None:
        super().__init__()
        self._breeding = breeding or Breeding()

    def _evolved(self, codes: Codes, stage: int, generator: NDArray[np.uint64]) -> list[int]:
        """Return the sequence that one run finds.

        Raises:
            SolverError: It is stuck.
        """
        bred, count = self._breeding, PLACED[stage]
        nothing = np.zeros((0, 2), dtype=np.uint8), LONGEST + 1, count, 0
        turns, placed = self._evolve(codes, stage, generator, bred, nothing)
        if turns is None:
            raise SolverError(
                f"{STAGES[stage]}: the plain evolution is stuck with at most {placed} of "
                f"{count} pieces placed after {bred.generations} generations of "
                f"{bred.population}; the method fridrich does not get stuck"
            )
        return turns
