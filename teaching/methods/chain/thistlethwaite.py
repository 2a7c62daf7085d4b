"""Thistlethwaite's method in S3's invariants: four stages or S2's five, by table or search."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from cube.moves import MoveSequence
from cube.state import CubeState
from solver.cubies import Cubies, conjugate_moves, moves_seen
from solver.stages.solution import FIVE_STAGE_NAMES, STAGE_NAMES
from solver.stages.stage_tables import StageTables
from solver.stages.subgroup_chain import ALL_CHAINS, Chain
from teaching.methods.chain.chain_stages import (
    ChainStage,
    by_iddfs,
    by_table,
    five_stages,
    four_stages,
)
from teaching.methods.chain.stage_words import ANGLES, HOME, MIDDLE, ORBITS, SLICES, told
from teaching.methods.method import MethodStep

Search = Callable[[ChainStage, Cubies], list[int]]


def solve_stage(stage: ChainStage, state: CubeState, chain: Chain, search: Search) -> MoveSequence:
    """Return the turns of the original cube that bring a state through a stage of a chain."""
    turns = search(stage, chain.seen(state))
    return moves_seen(turns, conjugate_moves()[chain.symmetry])


FOUR_PARTS = ((ANGLES,), (MIDDLE,), (ORBITS, SLICES), (HOME,))
FIVE_PARTS = ((ANGLES,), (MIDDLE,), (ORBITS,), (SLICES,), (HOME,))


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
        return len(self.stages) == len(FIVE_PARTS)

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
            names, parts = (
                (FIVE_STAGE_NAMES, FIVE_PARTS) if self.five else (STAGE_NAMES, FOUR_PARTS)
            )
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
