"""Solutions to a partial target: the fewest turns to any state that fits it.

The exact search comes first. What it cannot decide within half of the budget, the other half
improves: the fewest moves to some of the states that fit.
"""

from collections.abc import Callable, Iterable

import numpy as np

from cube.moves import MoveSequence
from cube.partial import FittingStates, PartialFacelets
from cube.state import CubeState
from solver.search.fitting import FittingSearch
from solver.stages.solution import Solution

_TRIES, _TRY_MS = 8, 25.0
"""Number of states to try at least, and the longest try if there are more."""


def nearest_fitting(
    state: CubeState,
    partial: PartialFacelets,
    search: FittingSearch,
    solve: Callable[[CubeState, CubeState, float], Solution],
    budget_ms: float,
) -> Solution:
    """Find moves to a state that fits: the fewest, or the fewest that were found.

    Args:
        state: The start.
        partial: The target.
        search: The exact search for it.
        solve: Finds moves from one state to another within a budget in milliseconds.
        budget_ms: Processor time.

    Raises:
        InvalidCubeError: Face turns cannot solve the state, or no state fits.
        SolverError: A search failed.
    """
    half_ms = budget_ms / 2
    moves = search.below(state, budget_ms=half_ms)
    if moves is not None:
        return fitting_solution(state, moves, search)
    fitting = FittingStates(partial)
    tries = min(fitting.count, max(_TRIES, int(half_ms / _TRY_MS)))
    found = [solve(state, target, half_ms / tries) for target in _some(fitting, tries)]
    best = min(found, key=lambda solution: len(solution.moves))
    cpu_ms = sum(solution.cpu_ms for solution in found)
    return fitting_solution(state, best.moves, search, cpu_ms, sum(each.nodes for each in found))


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
