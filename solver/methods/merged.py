"""Kociemba's two phases and the anytime solver, told by the stages that their solutions pass."""

from collections.abc import Iterator
from dataclasses import dataclass

from cube.moves import MoveSequence
from cube.state import CubeState
from solver.methods.method import Step
from solver.methods.thistlethwaite import explain
from solver.search.anytime import solve
from solver.search.loading import SearchTables
from solver.stages.chain import Chain
from solver.stages.solution import Solution

_PHASES = (("G0>G2", (0, 1)), ("G2>G4", (2, 3)))
_PARTS = ((0,), (1,), (2, 3), (4,))


@dataclass(frozen=True, slots=True)
class Merged:
    """The anytime search, told in two phases or in four stages.

    Attributes:
        name: The name on the command line.
        tables: The search's tables.
        budget_ms: Processor time of a solve.
        phases: Tell Kociemba's two phases.
    """

    name: str
    tables: SearchTables
    budget_ms: float
    phases: bool

    def steps(self, state: CubeState) -> Iterator[Step]:
        """The stages that the shortest solution found passes."""
        solution = solve(state, tables=self.tables, budget_ms=self.budget_ms)
        if not len(solution.moves):
            return
        stages = [(stage.name, (number,)) for number, stage in enumerate(solution.stages)]
        for name, numbers in _PHASES if self.phases else stages:
            moves = MoveSequence.of(m for n in numbers for m in solution.stages[n].moves)
            yield _told(name, numbers, moves, state, solution)
            state = state.apply(moves)


def _told(
    name: str,
    numbers: tuple[int, ...],
    moves: MoveSequence,
    state: CubeState,
    solution: Solution,
) -> Step:
    chain: Chain = solution.chain
    parts = [explain(part, state, chain) for number in numbers for part in _PARTS[number]]
    pieces = dict.fromkeys(piece for _, found, _ in parts for piece in found)
    return Step(
        name,
        " ".join(caption for caption, _, _ in parts),
        moves,
        tuple(pieces),
        "; ".join(settles for _, _, settles in parts),
    )
