"""Thistlethwaite's method in S3's invariants: four stages or S2's five, by table or search.

This module also contains the stages of Thistlethwaite's chain as coordinates: four of them, or S2's
five.

A stage is two coordinates that its turns reduce to 0. S2 divides the third of four stages: first
the corners into their orbits, then the edges into their slices.

Finally, it contains Kociemba's two phases and the anytime solver, in the stages that their
solutions pass.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cube.moves import MoveSequence
from cube.state import CubeState
from solver.breadth_first import cheapest
from solver.cubies import MOVES, Cubies, allowed_turns, conjugate_moves, moves_seen
from solver.errors import SolverError
from solver.search.anytime import solve
from solver.search.engine import Engine
from solver.stages.solution import ALL_CHAINS, FIVE_STAGE_NAMES, STAGE_NAMES, Chain
from solver.stages.stage_tables import STAGE_TURNS, StageTables, stage_coordinates
from teaching.methods.method import CosetPlace, MethodStep
from teaching.methods.stage_words import ANGLES, HOME, MIDDLE, ORBITS, SLICES, told

Table = NDArray[Any]
Pair = tuple[int, int]
_LIMIT = 18


@dataclass(frozen=True)
class ChainStage:
    """One stage: its view of the cube, and its turns.

    Attributes:
        turns: Numbers of the allowed turns.
        a_moves: Move table of its first coordinate, shape (n, 18).
        b_moves: Move table of its second coordinate.
        see: Returns the two coordinates of a cube.
        distances: Number of turns to the goal from ``a * (size_b >> fold) + (b >> fold)``, one byte
            each.
        fold: 1 if the parity of a selects one of two neighbouring b.
        solved_a: Whether an earlier stage has reduced the first coordinate to 0.
    """

    turns: tuple[int, ...]
    a_moves: Table
    b_moves: Table
    see: Callable[[Cubies], Pair]
    distances: Table
    fold: int = 0
    solved_a: bool = False

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """Return the number of cosets at each distance from the goal."""
        reached = len(self.b_moves) if self.solved_a else len(self.distances)
        return tuple(np.bincount(self.distances[:reached]).tolist())

    def place(self, cubies: Cubies) -> CosetPlace:
        """Return the place of a cube among the cosets."""
        return CosetPlace(self.distance(*self.see(cubies)), self.counts)

    def distance(self, a: int, b: int) -> int:
        """Return the number of turns to the goal."""
        return int(self.distances[a * (len(self.b_moves) >> self.fold) + (b >> self.fold)])

    @cached_property
    def least(self) -> tuple[Table, Table]:
        """Return the minimum number of turns for each coordinate alone: the pruning tables."""
        turns = list(self.turns)
        return cheapest(self.a_moves[:, turns]), cheapest(self.b_moves[:, turns])

    @cached_property
    def allowed(self) -> NDArray[np.uint32]:
        """Return bit sets of the stage's turns allowed after each turn."""
        return allowed_turns() & np.uint32(sum(1 << turn for turn in self.turns))


def four_stages(tables: StageTables) -> tuple[ChainStage, ...]:
    """Return G0>G1, G1>G2, G2>G3 and G3>G4."""
    return tuple(
        ChainStage(
            STAGE_TURNS[stage],
            tables.a_moves[stage],
            tables.b_moves[stage],
            partial(stage_coordinates, stage=stage, lookups=tables.lookups),
            tables.distances[stage],
            int(stage == 3),
        )
        for stage in range(4)
    )


def five_stages(tables: StageTables) -> tuple[ChainStage, ...]:
    """Return S2's stages: edges oriented, corners oriented, orbits, slices, half turns."""
    first, second, third, fourth = four_stages(tables)
    single = np.zeros((1, MOVES), dtype=np.int16)
    orbits = ChainStage(
        third.turns,
        third.a_moves,
        single,
        lambda cubies: (third.see(cubies)[0], 0),
        cheapest(third.a_moves[:, list(third.turns)]),
    )
    return first, second, orbits, replace(third, solved_a=True), fourth


def by_table(stage: ChainStage, cubies: Cubies) -> list[int]:
    """Descend along the distances of a stage; return the turns."""
    a, b = stage.see(cubies)
    moves: list[int] = []
    togo = stage.distance(a, b)
    while togo:
        for turn in stage.turns:
            new_a, new_b = int(stage.a_moves[a, turn]), int(stage.b_moves[b, turn])
            if stage.distance(new_a, new_b) < togo:
                break
        a, b, togo = new_a, new_b, togo - 1
        moves.append(turn)
    return moves


def by_iddfs(stage: ChainStage, cubies: Cubies) -> list[int]:
    """Search a stage by iterative deepening; see `iterative_deepening` for the pruning.

    Raises:
        SolverError: No path of 18 turns leads to the goal (an internal check).
    """
    from teaching.methods.iterative_deepening import deepen

    moves = (stage.a_moves, stage.b_moves)
    found = deepen(stage.see(cubies), moves, stage.least, stage.allowed, _LIMIT)
    if found is None:
        raise SolverError("a stage cannot reach its goal: remove and rebuild the tables")
    return found


Search = Callable[[ChainStage, Cubies], list[int]]


def solve_stage(stage: ChainStage, state: CubeState, chain: Chain, search: Search) -> MoveSequence:
    """Return the turns of the original cube that bring a state through a stage of a chain."""
    turns = search(stage, chain.seen(state))
    return moves_seen(turns, conjugate_moves()[chain.symmetry])


_FOUR = ((ANGLES,), (MIDDLE,), (ORBITS, SLICES), (HOME,))
_FIVE = ((ANGLES,), (MIDDLE,), (ORBITS,), (SLICES,), (HOME,))


@dataclass(frozen=True, slots=True)
class Thistlethwaite:
    """One of the four forms of the method.

    Of the six orientations of the chain, those are used in which the cube has come farthest; of
    these, the one with the shortest solution.
    """

    name: str
    stages: tuple[ChainStage, ...]
    search: Search
    chains: tuple[Chain, ...] = ALL_CHAINS

    @property
    def five(self) -> bool:
        """Whether the stages are S2's five."""
        return len(self.stages) == len(_FIVE)

    def steps(self, state: CubeState) -> Iterator[MethodStep]:
        """Return the remaining stages, with the fewest turns over the farthest orientations."""
        levels = {
            chain: chain.five_level(state) if self.five else chain.level(state)
            for chain in self.chains
        }
        best = max(levels.values())
        if best == len(self.stages):
            return
        ways = [
            (chain, self._way(state, chain, best))
            for chain, level in levels.items()
            if level == best
        ]
        chain, moves = min(ways, key=lambda way: sum(map(len, way[1])))
        for number, turns in enumerate(moves, start=best):
            names, parts = (FIVE_STAGE_NAMES, _FIVE) if self.five else (STAGE_NAMES, _FOUR)
            place = self.stages[number].place(chain.seen(state))
            yield replace(told(names[number], parts[number], state, turns, chain), place=place)
            state = state.apply(turns)

    def _way(self, state: CubeState, chain: Chain, first: int) -> list[MoveSequence]:
        moves = []
        for stage in self.stages[first:]:
            moves.append(solve_stage(stage, state, chain, self.search))
            state = state.apply(moves[-1])
        return moves


def thistlethwaite_methods(tables: StageTables) -> tuple[Thistlethwaite, ...]:
    """Return the methods with four stages and S2's five, each by table and by IDDFS."""
    four, five = four_stages(tables), five_stages(tables)
    return (
        Thistlethwaite("thistlethwaite", four, by_table),
        Thistlethwaite("thistlethwaite-iddfs", four, by_iddfs),
        Thistlethwaite("thistlethwaite-five", five, by_table),
        Thistlethwaite("thistlethwaite-five-iddfs", five, by_iddfs),
    )


_PHASES = (("G0>G2", (0, 1)), ("G2>G4", (2, 3)))


@dataclass(frozen=True, slots=True)
class TwoPhase:
    """The anytime search, presented in two phases or in four stages.

    Attributes:
        budget_ms: Processor time of a solve.
    """

    name: str
    tables: Engine
    budget_ms: float
    phases: bool

    def steps(self, state: CubeState) -> Iterator[MethodStep]:
        """Return the stages that the shortest solution found passes."""
        solution = solve(state, tables=self.tables, budget_ms=self.budget_ms)
        if not len(solution.moves):
            return
        stages = [(stage.name, (number,)) for number, stage in enumerate(solution.stages)]
        for name, numbers in _PHASES if self.phases else stages:
            moves = MoveSequence.of(m for n in numbers for m in solution.stages[n].moves)
            parts = tuple(part for number in numbers for part in _FOUR[number])
            yield told(name, parts, state, moves, solution.chain)
            state = state.apply(moves)
