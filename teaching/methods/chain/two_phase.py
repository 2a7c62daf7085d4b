"""Kociemba's two phases and the anytime solver, in the stages that their solutions pass."""

from collections.abc import Iterator
from dataclasses import dataclass

from cube.moves import MoveSequence
from cube.state import CubeState
from solver.search.anytime import solve
from solver.search.engine import Engine
from teaching.methods.chain.stage_words import told
from teaching.methods.chain.thistlethwaite import FOUR_PARTS
from teaching.methods.method import MethodStep

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
            parts = tuple(part for number in numbers for part in FOUR_PARTS[number])
            yield told(name, parts, state, moves, solution.chain)
            state = state.apply(moves)
