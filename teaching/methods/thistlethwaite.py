"""Thistlethwaite's method told by S3's invariants: four stages or S2's five, by table or search."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from cube.moves import MoveSequence
from cube.state import CubeState
from solver.cubies import Cubies
from solver.stages.chain import ALL_CHAINS, FIVE_STAGE_NAMES, STAGE_NAMES, Chain
from solver.stages.stage_tables import StageTables
from teaching.methods.chain_stages import (
    ChainStage,
    by_iddfs,
    by_table,
    five_stages,
    four_stages,
    solve_stage,
)
from teaching.methods.method import MethodStep
from teaching.methods.stage_words import ANGLES, HOME, MIDDLE, ORBITS, SLICES, told

Search = Callable[[ChainStage, Cubies], list[int]]
_FOUR = ((ANGLES,), (MIDDLE,), (ORBITS, SLICES), (HOME,))
_FIVE = ((ANGLES,), (MIDDLE,), (ORBITS,), (SLICES,), (HOME,))


@dataclass(frozen=True, slots=True)
class Thistlethwaite:
    """One of the four forms of the method.

    Of the six orientations of the chain the one is taken in which the cube has come farthest, and
    of several such the one with the shortest solution.

    Attributes:
        name: The name on the command line.
        stages: The stages as coordinates.
        search: How a stage is solved.
        chains: Orientations to choose from.
    """

    name: str
    stages: tuple[ChainStage, ...]
    search: Search
    chains: tuple[Chain, ...] = ALL_CHAINS

    @property
    def five(self) -> bool:
        """Whether the stages are S2's five."""
        return len(self.stages) == len(_FIVE)

    def level(self, chain: Chain, state: CubeState) -> int:
        """How many stages the state has behind it."""
        return chain.five_level(state) if self.five else chain.level(state)

    def steps(self, state: CubeState) -> Iterator[MethodStep]:
        """The stages that are left, shortest in turns of all orientations that have come as far."""
        levels = {chain: self.level(chain, state) for chain in self.chains}
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
            yield told(names[number], parts[number], state, turns, chain)
            state = state.apply(turns)

    def _way(self, state: CubeState, chain: Chain, first: int) -> list[MoveSequence]:
        moves = []
        for stage in self.stages[first:]:
            moves.append(solve_stage(stage, state, chain, self.search))
            state = state.apply(moves[-1])
        return moves


def thistlethwaite_methods(tables: StageTables) -> tuple[Thistlethwaite, ...]:
    """Four stages and S2's five, each by table and by IDDFS."""
    four, five = four_stages(tables), five_stages(tables)
    return (
        Thistlethwaite("thistlethwaite", four, by_table),
        Thistlethwaite("thistlethwaite-iddfs", four, by_iddfs),
        Thistlethwaite("thistlethwaite-five", five, by_table),
        Thistlethwaite("thistlethwaite-five-iddfs", five, by_iddfs),
    )
