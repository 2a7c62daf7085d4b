"""Solutions to a partial target: the fewest turns to any state that fits it.

The exact search comes first. What it cannot decide within half of the budget, the other half
improves: the fewest moves to some of the states that fit. If few fit, these are all tried instead.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from cube.moves import MoveSequence
from cube.partial import FittingStates
from cube.state import CubeState
from solver.search.fitting import FittingSearch
from solver.stages.solution import Solution

FEW = 8
"""Number of states that are tried one by one, without the exact search and its tables."""
_TRY_MS = 25.0
"""The longest try if there are more."""


def nearest_fitting(
    state: CubeState,
    fitting: FittingStates,
    search: FittingSearch | None,
    solve: Callable[[CubeState, CubeState, float], Solution],
    budget_ms: float,
) -> Solution:
    """Find moves to a state that fits: the fewest, or the fewest that were found.

    Args:
        state: The start.
        fitting: The states that fit.
        search: The exact search for them; None for a few states, which are all tried.
        solve: Finds moves from one state to another within a budget in milliseconds.
        budget_ms: Processor time.

    Raises:
        InvalidCubeError: Face turns cannot solve the state.
        SolverError: A search failed.
    """
    if search is not None:
        budget_ms /= 2
        moves = search.below(state, budget_ms=budget_ms)
        if moves is not None:
            return fitting_solution(state, moves, search)
    tries = min(fitting.count, max(FEW, int(budget_ms / _TRY_MS)))
    found = [solve(state, target, budget_ms / tries) for target in _some(fitting, tries)]
    best = min(found, key=lambda solution: len(solution.moves))
    cpu_ms = sum(solution.cpu_ms for solution in found)
    nodes = sum(solution.nodes for solution in found)
    if search is not None:
        return fitting_solution(state, best.moves, search, cpu_ms, nodes)
    proven = all(solution.proven_optimal for solution in found)
    return replace(best, proven_optimal=proven, excluded=-1, cpu_ms=cpu_ms, nodes=nodes)


def _some(fitting: FittingStates, count: int) -> Iterable[CubeState]:
    """Return all states that fit, or random ones."""
    if fitting.count <= count:
        return fitting
    rng = np.random.default_rng(0)
    return (fitting.random(rng) for _ in range(count))


def fitting_solution(
    state: CubeState,
    moves: MoveSequence,
    search: FittingSearch,
    cpu_ms: float = 0.0,
    nodes: int = 0,
) -> Solution:
    """Describe moves to a state that fits, with what the search has excluded.

    Args:
        state: The start.
        moves: The moves.
        search: The exact search.
        cpu_ms: Processor time of other searches.
        nodes: Positions that they visited.
    """
    turns = len(moves)
    return Solution(
        state,
        moves,
        state.apply(moves),
        value=turns,
        proven_optimal=search.excluded >= turns - 1,
        cpu_ms=search.cpu_ms + cpu_ms,
        nodes=search.nodes + nodes,
        excluded=min(search.excluded, turns - 1),
    )
