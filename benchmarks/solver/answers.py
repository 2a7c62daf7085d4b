"""Length, time and memory of the solver's answers, compared with those of installed peers."""

import importlib
import importlib.util
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import numpy as np

from cube.moves import MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from cube.svg import chart, element, text
from solver.clock import thread_clock_ns
from solver.errors import SolverError
from solver.search.anytime import solve
from solver.search.objectives import HTM, Objective, SearchTables
from solver.stages.solution import Chain, Solution
from solver.stages.strict import StrictSolver
from solver.stages.thistlethwaite import ThistlethwaiteSolver

OURS = "thistlebot"
GREEDY, BEST_OF_SIX, STRICT = "greedy, one chain", "greedy, best of six", "strict four stages"
_STRICT_MS = 20.0
PEERS = ("kociemba", "RubikTwoPhase")
_PEER_MODULES = {"kociemba": "kociemba", "RubikTwoPhase": "twophase.solver"}
_GRACE_SHARE, _GRACE_MS = 0.1, 1.0

Answer = Callable[[CubeState], MoveSequence]
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class BenchResult:
    """The results of one solver with one budget over all states.

    Attributes:
        solver: Its name.
        objective: The objective.
        budget_ms: Processor time allowed for each state, 0 for a solver without a budget.
        values: The cost of each answer, in the order of the states.
        cpu_ms: Processor time of each answer.
        nodes: Positions searched, for all states together; 0 if the solver does not report it.
        memory_mb: Peak memory of the process so far.
    """

    solver: str
    objective: str
    budget_ms: float
    values: tuple[float, ...]
    cpu_ms: tuple[float, ...]
    nodes: int
    memory_mb: float

    @property
    def mean(self) -> float:
        """Mean cost."""
        return statistics.fmean(self.values)

    @property
    def median(self) -> float:
        """Median cost."""
        return statistics.median(self.values)

    @property
    def most(self) -> float:
        """The highest cost."""
        return max(self.values)

    @property
    def histogram(self) -> dict[float, int]:
        """How often each cost occurred, in ascending order."""
        return dict(sorted(Counter(self.values).items()))

    @property
    def kept(self) -> float:
        """Share of the answers that kept the budget within 10 % and 1 ms; 1 without a budget."""
        if not self.budget_ms:
            return 1.0
        most = self.budget_ms * (1 + _GRACE_SHARE) + _GRACE_MS
        return sum(cpu_ms <= most for cpu_ms in self.cpu_ms) / len(self.cpu_ms)


@dataclass(frozen=True, slots=True)
class PeerRatio:
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


def ratios(results: Sequence[BenchResult], threads: int = 1) -> list[PeerRatio]:
    """Compare our answers with those of each peer."""
    peers = [result for result in results if result.solver in PEERS]
    ours = [result for result in results if result.budget_ms]
    return [
        PeerRatio(
            one.solver,
            peer.solver,
            one.budget_ms,
            one.mean / peer.mean,
            threads * statistics.fmean(one.cpu_ms) / statistics.fmean(peer.cpu_ms),
        )
        for one in ours
        for peer in peers
    ]


def benchmark_solver(
    tables: SearchTables,
    *,
    states: int = 1000,
    seed: int = 1,
    budgets_ms: Sequence[float] = (1, 10, 100),
    objective: Objective = HTM,
    forbidden: str = "",
    threads: int = 1,
    replays: Mapping[str, SearchTables] | None = None,
    progress: Progress | None = None,
) -> Iterator[BenchResult]:
    """Solve the same random states with each budget, then with the peers; yield each result.

    Every answer is replayed. Peers that are not installed are left out.

    Args:
        tables: Those of the objective.
        states: Number of states.
        seed: Seed of the states.
        budgets_ms: Processor time for each state and thread.
        objective: The objective to minimise and to count; peers minimise their own.
        forbidden: A face that must not turn; peers do not support this and are left out then.
        threads: How many threads search.
        replays: Other objectives with their tables, whose answers are counted by this one.
        progress: Called with the solver's name, the number of states done and the total.

    Raises:
        SolverError: An answer does not solve its state, or there are no states.
    """
    if states < 1:
        raise SolverError(f"a benchmark needs at least one state, not {states}")
    rng = np.random.default_rng(seed)
    drawn = [random_state(rng) for _ in range(states)]
    told = progress or (lambda _name, _done, _all: None)
    search = partial(solve, forbidden=forbidden, threads=threads)
    searches = {OURS: partial(search, tables=tables, objective=objective)}
    for name, others in (replays or {}).items():
        searches[f"{OURS}, {name}"] = partial(search, tables=others, objective=Objective(name))
    searches[OURS](drawn[0], budget_ms=50)  # the first call loads code
    if not forbidden:
        for name, answer in _chains(tables, drawn[0]):
            yield _measured(name, answer, drawn, objective, told)
    for budget_ms in budgets_ms:
        for name, one in searches.items():
            answers = []
            for state in drawn:
                answers.append(one(state, budget_ms=budget_ms))
                told(f"{name} {budget_ms:g} ms", len(answers), len(drawn))
            yield _ours(name, answers, objective, budget_ms, threads)
    for peer in () if forbidden else PEERS:
        solver = _peer(peer)
        if solver is not None:
            solver(drawn[0])
            yield _measured(peer, solver, drawn, objective, told)


def _chains(tables: SearchTables, state: CubeState) -> Iterator[tuple[str, Answer]]:
    """Return the solvers that use the four stages; the state warms them up."""
    greedy, strict, one = ThistlethwaiteSolver(tables.stages), StrictSolver(tables.stages), Chain()
    greedy.solve(state, one)
    yield GREEDY, lambda state: greedy.solve(state, one).moves
    yield BEST_OF_SIX, lambda state: greedy.solve(state).moves
    yield STRICT, lambda state: strict.solve(state, _STRICT_MS).moves


def _ours(
    name: str,
    answers: Sequence[Solution],
    objective: Objective,
    budget_ms: float,
    threads: int,
) -> BenchResult:
    """Summarise answers of the search, each replayed once more.

    Raises:
        SolverError: One does not solve its state.
    """
    for answer in answers:
        if answer.state.apply(answer.moves) != SOLVED:
            raise SolverError(f"{answer.moves} does not solve {answer.state.to_facelets().text}")
    return BenchResult(
        name,
        objective.name,
        budget_ms,
        tuple(objective.value(answer.moves) for answer in answers),
        tuple(answer.cpu_ms / threads for answer in answers),
        sum(answer.nodes for answer in answers),
        peak_memory_mb(),
    )


def _measured(
    name: str, answer: Answer, states: Sequence[CubeState], objective: Objective, told: Progress
) -> BenchResult:
    """Measure a solver without a budget."""
    values, cpu_ms = [], []
    for number, state in enumerate(states):
        started = thread_clock_ns()
        moves = answer(state)
        cpu_ms.append((thread_clock_ns() - started) / 1e6)
        if state.apply(moves) != SOLVED:
            raise SolverError(f"{name} does not solve {state.to_facelets().text}: {moves}")
        values.append(objective.value(moves))
        told(name, number + 1, len(states))
    return BenchResult(name, objective.name, 0.0, tuple(values), tuple(cpu_ms), 0, peak_memory_mb())


def _peer(name: str) -> Answer | None:
    """Return the peer's solve function, or None if it is not installed."""
    top = _PEER_MODULES[name].partition(".")[0]
    if importlib.util.find_spec(top) is None:
        return None
    module = importlib.import_module(_PEER_MODULES[name])
    if name == "kociemba":
        return lambda state: MoveSequence.parse(module.solve(state.to_facelets().text))
    return lambda state: _two_phase_moves(module.solve(state.to_facelets().text, 0, 0.1))


def _two_phase_moves(text: str) -> MoveSequence:
    """Convert the output of RubikTwoPhase, which writes U1 U2 U3 and adds the length."""
    return MoveSequence.parse(text.partition("(")[0])


def peak_memory_mb() -> float:
    """Return the peak memory of the process, in MB; 0 if it is unknown."""
    if importlib.util.find_spec("resource") is None:
        return 0.0
    resource = importlib.import_module("resource")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(peak / (1 << 20) if sys.platform == "darwin" else peak / 1024)


def plot_svg(results: Sequence[BenchResult]) -> str:
    """Draw the histograms of the results, one below the other, as an SVG picture."""
    width, height, left, row = 760, 60 + 110 * len(results), 190, 110
    least = min(min(result.values) for result in results)
    most = max(result.most for result in results)
    bins = min(40, max(1, round(most - least) + 1))
    step = (most - least) / max(bins - 1, 1) or 1.0
    bar = (width - left - 20) / bins
    parts = [text(f"{results[0].objective}, {len(results[0].values)} states", left, 20)]
    for number, result in enumerate(results):
        base = 30 + row * (number + 1) - 25
        counts = Counter(round((value - least) / step) for value in result.values)
        title = result.solver + (f", {result.budget_ms:g} ms" if result.budget_ms else "")
        parts += [text(title, 10, base - 40), text(f"mean {result.mean:.2f}", 10, base - 22)]
        for place, count in sorted(counts.items()):
            tall = 75 * count / max(counts.values())
            box = {"x": left + place * bar, "width": bar * 0.9}
            parts.append(element("rect", y=base - tall, height=tall, fill="#4a7", **box))
        for place in range(0, bins, max(1, bins // 10)):
            x = left + (place + 0.45) * bar
            label = f"{least + place * step:g}" if bins < 40 else f"{least + place * step:.0f}"
            parts.append(text(label, x, base + 14, text_anchor="middle"))
    return chart((width, height), parts)
