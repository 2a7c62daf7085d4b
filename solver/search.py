"""The anytime solver: an answer at once, a better one for as long as it may think.

The four-stage answer is always there; the search along G0>G2>G4 replaces it by ever shorter ones
until the budget ends, the caller cancels, or nothing shorter exists.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

from cube.metrics import htm
from cube.moves import MoveSequence
from cube.state import SOLVED, CubeState
from solver.errors import SolverError
from solver.solution import Solution
from solver.stage_tables import StageTables, load_stage_tables
from solver.tables import Progress, TableStore
from solver.thistlethwaite import ThistlethwaiteSolver, require_solvable
from solver.two_phase import (
    Outcome,
    TwoPhaseRun,
    TwoPhaseTables,
    load_two_phase_tables,
    run_in_threads,
    thread_clock_ns,
)

POLL_S = 0.005
_PATIENT_MS = 250.0


@dataclass(frozen=True, slots=True)
class SearchTables:
    """The tiers that are there: the four small stage tables always, the full tier when loaded."""

    stages: StageTables
    two_phase: TwoPhaseTables | None = None


def load_tables(
    store: TableStore | None = None, *, full: bool = True, progress: Progress | None = None
) -> SearchTables:
    """Load the tables, building what is missing.

    Args:
        store: Where they are kept; the user's cache folder by default.
        full: Whether the full tier is wanted, too.
        progress: Is told the share, 0 to 1, of the building done.

    Raises:
        TableError: The tables could not be built.
    """
    stages = load_stage_tables(store)
    return SearchTables(stages, load_two_phase_tables(store, progress) if full else None)


def solve(
    state: CubeState,
    *,
    tables: SearchTables,
    budget_ms: float = 100.0,
    threads: int = 1,
    target: CubeState = SOLVED,
    cancel: threading.Event | None = None,
    on_better: Callable[[Solution], None] | None = None,
) -> Solution:
    """Find the shortest moves from a state to a target that the budget allows.

    Args:
        state: Where to start.
        tables: The tiers to use; with the small one alone the answer is the four-stage one.
        budget_ms: Processor time for each thread.
        threads: How many threads search.
        target: Where to end.
        cancel: Set it to have the best answer so far at once.
        on_better: Is called in the calling thread with each better solution.

    Raises:
        InvalidCubeError: Face turns cannot solve the state.
        SolverError: The budget is not above zero, or the target is out of reach.
    """
    started = thread_clock_ns()
    if not budget_ms > 0:
        raise SolverError(f"the budget has to be above 0 ms, not {budget_ms:g}")
    if threads < 1:
        raise SolverError(f"at least one thread has to search, not {threads}")
    relative = state
    if target != SOLVED:
        require_solvable(target)
        relative = target.inverse() * state
    require_solvable(state)
    if tables.two_phase is None:
        return _staged(tables, state, relative, target, started)
    run = TwoPhaseRun(tables.two_phase, relative, budget_ms, threads)
    told = _Teller(state, target, on_better)
    if threads == 1 and cancel is None and on_better is None and budget_ms < _PATIENT_MS:
        run.run(0, started)
    else:
        _watch(run, threads, cancel, told)
    outcome = run.outcome()
    if outcome.moves is None:
        return _staged(tables, state, relative, target, started)
    return _checked(state, target, outcome, (thread_clock_ns() - started) / 1e6)


@dataclass(slots=True)
class _Teller:
    """Tells the caller about each better solution once."""

    state: CubeState
    target: CubeState
    on_better: Callable[[Solution], None] | None
    seen: int = 0

    def look(self, run: TwoPhaseRun) -> None:
        if self.on_better is not None and run.found > self.seen:
            self.seen = run.found
            self.on_better(_checked(self.state, self.target, run.outcome(), 0.0))


def _watch(run: TwoPhaseRun, threads: int, cancel: threading.Event | None, teller: _Teller) -> None:
    """Let threads search, and look after them until they end."""
    workers = run_in_threads(run, threads)
    try:
        for worker in workers:
            while worker.is_alive():
                worker.join(POLL_S)
                teller.look(run)
                if cancel is not None and cancel.is_set():
                    run.stop()
    finally:  # also when the caller is interrupted: no thread may outlive its tables
        if any(worker.is_alive() for worker in workers):
            run.stop()
        for worker in workers:
            worker.join()
    teller.look(run)


def _checked(state: CubeState, target: CubeState, outcome: Outcome, cpu_ms: float) -> Solution:
    """The outcome as a solution, replayed."""
    moves = outcome.moves or MoveSequence()
    if state.apply(moves) != target:
        raise SolverError("the search gave a wrong solution: remove and rebuild the tables")
    return Solution(
        state,
        moves,
        target=target,
        value=htm(moves),
        proven_optimal=outcome.proven,
        cpu_ms=max(cpu_ms, outcome.cpu_ms),
        nodes=outcome.nodes,
    )


def _staged(
    tables: SearchTables, state: CubeState, relative: CubeState, target: CubeState, started: int
) -> Solution:
    """The four-stage answer."""
    solution = ThistlethwaiteSolver(tables.stages).solve(relative)
    cpu_ms = (thread_clock_ns() - started) / 1e6
    return replace(solution, state=state, target=target, cpu_ms=cpu_ms)
