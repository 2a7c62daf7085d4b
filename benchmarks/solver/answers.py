"""Length, time and memory of the solver's answers, compared with those of installed peers."""

import importlib
import importlib.util
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Annotated

import numpy as np

from benchmarks.report import HIDDEN, Percent, Row, Whole
from cube.moves import MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from solver.clock import thread_clock_ns
from solver.errors import SolverError
from solver.search.anytime import solve
from solver.search.engine import Engine
from solver.search.objectives import HTM, Objective
from solver.stages.stage_tables import StageTables
from solver.stages.strict import StrictSolver
from solver.stages.subgroup_chain import Chain
from solver.stages.thistlethwaite import ThistlethwaiteSolver

OURS = "thistlebot"
GREEDY, BEST_OF_SIX, STRICT = "greedy, one chain", "greedy, best of six", "strict four stages"
_STRICT_MS = 20.0
PEERS = ("kociemba", "RubikTwoPhase")
_PEER_MODULES = {"kociemba": "kociemba", "RubikTwoPhase": "twophase.solver"}
_GRACE_SHARE, _GRACE_MS = 0.1, 1.0

Answer = tuple[MoveSequence, float, int]
"""The moves, the processor time of each thread in milliseconds, and the positions searched."""
Track = Callable[[Iterable[CubeState], str], Iterator[CubeState]]
"""Yields the states while it shows progress under a name."""


class SolverRow(Row):
    """The results of one solver with one budget over all states.

    Attributes:
        solver: Its name.
        objective: The objective by which costs are counted.
        budget_ms: Processor time allowed for each state, 0 for a solver without a budget.
        states: Number of states.
        mean: Mean cost.
        median: Median cost.
        max: The highest cost.
        histogram: How often each cost occurred, in ascending order.
        cpu_ms: Mean processor time of an answer.
        budget_kept: Share of the answers that kept the budget within 10 % and 1 ms, 0..1.
        nodes: Positions searched, for all states together; 0 if the solver does not report it.
        memory_mb: Peak memory of the process so far.
    """

    solver: Annotated[str, "<26"]
    objective: Annotated[str, "<10"]
    budget_ms: Annotated[float, "g"]
    states: int
    mean: float
    median: Annotated[float, "g"]
    max: Annotated[float, "g"]
    histogram: Annotated[dict[str, int], HIDDEN]
    cpu_ms: float
    budget_kept: Percent
    nodes: Annotated[int, HIDDEN]
    memory_mb: Whole


class PeerRatio(Row):
    """Our answers compared with a peer's in the same run, which depends less on the machine.

    Attributes:
        solver: Ours.
        peer: The peer.
        budget_ms: Our budget.
        cost: Our mean cost as a share of the peer's.
        cpu: Our processor time, of all threads together, as a share of the peer's.
    """

    solver: Annotated[str, "<26"]
    peer: str
    budget_ms: Annotated[float, "g"]
    cost: Annotated[float, ".3f"]
    cpu: float


def ratios(rows: Sequence[SolverRow], threads: int = 1) -> list[PeerRatio]:
    """Compare our answers with those of each peer."""
    peers = [row for row in rows if row.solver in PEERS]
    return [
        PeerRatio(
            *(one.solver, peer.solver, one.budget_ms, one.mean / peer.mean),
            threads * one.cpu_ms / peer.cpu_ms,
        )
        for one in rows
        for peer in peers
        if one.budget_ms
    ]


def benchmark_solver(
    tables: Engine,
    stages: StageTables,
    *,
    states: int = 1000,
    seed: int = 1,
    budgets_ms: Sequence[float] = (1, 10, 100),
    objective: Objective = HTM,
    forbidden: str = "",
    threads: int = 1,
    track: Track = lambda states, _: iter(states),
) -> Iterator[SolverRow]:
    """Solve the same random states with each budget, then with the peers; yield each result.

    Every answer is replayed. Peers that are not installed are left out.

    Args:
        tables: Those of the objective.
        stages: Those of the four stages.
        states: Number of states.
        seed: Seed of the states.
        budgets_ms: Processor time for each state and thread.
        objective: The objective to minimise and to count; peers minimise their own.
        forbidden: A face that must not turn; peers do not support this and are left out then.
        threads: How many threads search.
        track: Shows progress.

    Raises:
        SolverError: An answer does not solve its state, or there are no states.
    """
    if states < 1:
        raise SolverError(f"a benchmark needs at least one state, not {states}")
    rng = np.random.default_rng(seed)
    drawn = [random_state(rng) for _ in range(states)]

    def search(budget_ms: float, state: CubeState) -> Answer:
        found = solve(
            state,
            tables=tables,
            objective=objective,
            budget_ms=budget_ms,
            forbidden=forbidden,
            threads=threads,
        )
        return found.moves, found.cpu_ms / threads, found.nodes

    search(50, drawn[0])  # the first call loads code
    solvers: list[tuple[str, float, Callable[[CubeState], Answer]]] = []
    if not forbidden:
        solvers += [(name, 0, answer) for name, answer in _chains(stages, drawn[0])]
    solvers += [(OURS, budget_ms, partial(search, budget_ms)) for budget_ms in budgets_ms]
    if not forbidden:
        found = ((peer, _peer(peer)) for peer in PEERS)
        solvers += [(name, 0, _timed(solver)) for name, solver in found if solver is not None]
    for name, budget_ms, answer in solvers:
        told = track(drawn, f"{name} {budget_ms:g} ms" if budget_ms else name)
        answers = []
        for state in told:
            answers.append(answer(state))
            if state.apply(answers[-1][0]) != SOLVED:
                raise SolverError(f"{name} does not solve {state.to_facelets().text}")
        yield _row(name, objective, budget_ms, answers)


def _row(name: str, objective: Objective, budget_ms: float, answers: list[Answer]) -> SolverRow:
    moves, cpu_ms, nodes = zip(*answers, strict=True)
    costs = [objective.value(each) for each in moves]
    most_ms = budget_ms * (1 + _GRACE_SHARE) + _GRACE_MS
    kept = sum(each <= most_ms for each in cpu_ms) / len(cpu_ms) if budget_ms else 1.0
    histogram = {f"{cost:g}": count for cost, count in sorted(Counter(costs).items())}
    return SolverRow(
        *(name, objective.name, budget_ms, len(answers)),
        *(statistics.fmean(costs), statistics.median(costs), max(costs), histogram),
        *(statistics.fmean(cpu_ms), kept, sum(nodes), peak_memory_mb()),
    )


def _timed(solver: Callable[[CubeState], MoveSequence]) -> Callable[[CubeState], Answer]:
    """Measure a solver without a budget."""

    def answer(state: CubeState) -> Answer:
        started = thread_clock_ns()
        return solver(state), (thread_clock_ns() - started) / 1e6, 0

    return answer


def _chains(
    stages: StageTables, state: CubeState
) -> Iterator[tuple[str, Callable[[CubeState], Answer]]]:
    """Return the solvers that use the four stages; the state warms them up."""
    greedy, strict, one = ThistlethwaiteSolver(stages), StrictSolver(stages), Chain()
    greedy.solve(state, one)
    yield GREEDY, _timed(lambda state: greedy.solve(state, one).moves)
    yield BEST_OF_SIX, _timed(lambda state: greedy.solve(state).moves)
    yield STRICT, _timed(lambda state: strict.solve(state, _STRICT_MS).moves)


def _peer(name: str) -> Callable[[CubeState], MoveSequence] | None:
    """Return the peer's solve function, warmed up, or None if it is not installed."""
    if importlib.util.find_spec(_PEER_MODULES[name].partition(".")[0]) is None:
        return None
    module = importlib.import_module(_PEER_MODULES[name])

    def solve_by_peer(state: CubeState) -> MoveSequence:
        facelets = state.to_facelets().text
        if name == "kociemba":
            return MoveSequence.parse(module.solve(facelets))
        # RubikTwoPhase writes U1 U2 U3, and adds the length in brackets.
        return MoveSequence.parse(module.solve(facelets, 0, 0.1).partition("(")[0])

    solve_by_peer(SOLVED.apply(MoveSequence.parse("R U F2 L' D B")))
    return solve_by_peer


def peak_memory_mb() -> float:
    """Return the peak memory of the process, in MB; 0 if it is unknown."""
    if importlib.util.find_spec("resource") is None:
        return 0.0
    resource = importlib.import_module("resource")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(peak / (1 << 20) if sys.platform == "darwin" else peak / 1024)
