"""The stages of Thistlethwaite's chain as coordinates: four of them, or S2's five.

A stage is two coordinates that its turns reduce to 0. S2 divides the third of four stages: first
the corners into their orbits, then the edges into their slices.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.breadth_first import cheapest
from solver.cubies import MOVES, Cubies, allowed_turns
from solver.errors import SolverError
from solver.stages.stage_tables import STAGE_TURNS, StageTables, stage_coordinates
from teaching.methods.method import CosetPlace

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
