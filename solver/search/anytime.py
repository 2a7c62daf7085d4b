"""The anytime solver: an answer at once, a better one for as long as it may think.

The four-stage answer is always there; the search along G0>G2>G4 replaces it by ever shorter ones
until the budget ends, the caller cancels, or nothing shorter exists.
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from cube.moves import FACES, OPPOSITE_FACE, MoveSequence
from cube.state import SOLVED, CubeState
from solver.clock import thread_clock_ns
from solver.errors import SolverError
from solver.search.axial import FIVE_FACE_SUFFIX, load_axial, timed_by, without
from solver.search.axial_tables import AXIAL_TABLE_SETS
from solver.search.objectives import HTM, Objective
from solver.search.turn_tables import TURN_TABLE_SET
from solver.search.two_phase import (
    Engine,
    Outcome,
    TwoPhaseRun,
    load_five_faces,
    load_two_phase,
    run_in_threads,
)
from solver.search.two_phase_tables import FIVE_FACE_TABLE_SET, TWO_PHASE_TABLE_SET
from solver.stages.chain import ALL_CHAINS
from solver.stages.solution import Solution
from solver.stages.stage_tables import StageTables, load_stage_tables
from solver.stages.thistlethwaite import ThistlethwaiteSolver, require_solvable
from solver.tables import Progress, TableStore

POLL_S = 0.005
_PATIENT_MS = 250.0
_SPARE_MS, _SPARE_SHARE = 1.0, 0.1
_HALF_TURN_METRIC = "htm"
FIVE_FACES_METRIC = _HALF_TURN_METRIC + FIVE_FACE_SUFFIX


@dataclass(frozen=True, slots=True)
class SearchTables:
    """The tiers that are there.

    Attributes:
        stages: The four small stage tables.
        engines: The searches with their tables, by the metric they count in.
    """

    stages: StageTables
    engines: Mapping[str, Engine] = field(default_factory=dict)

    def notes(self) -> tuple[str, ...]:
        """What had to be rebuilt or could not be stored, one sentence each."""
        sources = [self.stages.source]
        for engine in self.engines.values():
            sources += engine.sources
        return tuple(dict.fromkeys(source.note for source in sources if source.note))


def load_tables(
    store: TableStore | None = None,
    *,
    full: bool = True,
    objective: Objective = HTM,
    forbidden: str = "",
    progress: Progress | None = None,
) -> SearchTables:
    """Load the tables, building what is missing.

    Args:
        store: Where they are kept; the user's cache folder by default.
        full: Whether the full tier is wanted, too.
        objective: What will be minimised; other ones than ``htm`` have tables of their own.
        forbidden: A face that must not turn, if any; five faces have tables of their own, too.
        progress: Is told the share, 0 to 1, of the building done.

    Raises:
        TableError: The tables could not be built.
    """
    metric = _metric(objective, forbidden)
    stages = load_stage_tables(store)
    if not full:
        return SearchTables(stages)
    report = progress or (lambda _share: None)
    if metric == _HALF_TURN_METRIC:
        return SearchTables(stages, {_HALF_TURN_METRIC: load_two_phase(store, report)})
    if metric == FIVE_FACES_METRIC:
        return SearchTables(stages, {metric: load_five_faces(store, report)})
    if forbidden:
        return SearchTables(stages, {metric: load_axial(metric, None, store, report)})
    base = load_two_phase(store, lambda share: report(share / 2))
    other = load_axial(metric, base, store, lambda share: report((1 + share) / 2))
    return SearchTables(stages, {_HALF_TURN_METRIC: base, metric: other})


def _metric(objective: Objective, forbidden: str) -> str:
    """The name of the search's metric.

    Raises:
        SolverError: The faces left do not suffice.
    """
    if not forbidden:
        return objective.metric
    unknown = set(forbidden) - set(FACES)
    if unknown:
        raise SolverError(f"{''.join(sorted(unknown))} is no face; faces are {' '.join(FACES)}")
    if len(set(forbidden)) > 1:
        left = "".join(face for face in FACES if face not in forbidden)
        raise SolverError(
            f"five of the six faces have to turn, and only {' '.join(left)} may: {_reach(left)}; "
            "free a face"
        )
    return objective.metric + FIVE_FACE_SUFFIX


def _reach(faces: str) -> str:
    """How much of the group faces reach; the orders follow from S3's invariants."""
    if len(faces) == 4:
        gone = [face for face in FACES if face not in faces]
        opposite = OPPOSITE_FACE[gone[0]] == gone[1]
        return f"these four reach one state in {2048 if opposite else 24}"
    return "these reach few states"


def tables_stored(store: TableStore, objective: Objective = HTM, forbidden: str = "") -> bool:
    """Whether files of the full tier are there; loading them checks whether they are sound.

    Raises:
        SolverError: The faces left do not suffice.
    """
    metric = _metric(objective, forbidden)
    wanted = [TURN_TABLE_SET]
    if not forbidden:
        wanted.append(TWO_PHASE_TABLE_SET)
    if metric == FIVE_FACES_METRIC:
        wanted.append(FIVE_FACE_TABLE_SET)
    elif metric != _HALF_TURN_METRIC:
        wanted.append(AXIAL_TABLE_SETS[metric])
    return all(store.path(tables).exists() for tables in wanted)


def solve(
    state: CubeState,
    *,
    tables: SearchTables,
    objective: Objective = HTM,
    budget_ms: float = 100.0,
    threads: int = 1,
    target: CubeState = SOLVED,
    forbidden: str = "",
    cancel: threading.Event | None = None,
    on_better: Callable[[Solution], None] | None = None,
) -> Solution:
    """Find the cheapest moves from a state to a target that the budget allows.

    Args:
        state: Where to start.
        tables: The tiers to use; with the small one alone the answer is the four-stage one.
        objective: What is minimised; its tables have to be loaded.
        budget_ms: Processor time for each thread.
        threads: How many threads search.
        target: Where to end.
        forbidden: A face that must not turn, if any.
        cancel: Set it to have the best answer so far at once.
        on_better: Is called in the calling thread with each better solution.

    Raises:
        InvalidCubeError: Face turns cannot solve the state.
        SolverError: The budget is not above zero, the objective's tables are not loaded, or the
            faces that may turn do not suffice.
    """
    started = thread_clock_ns()
    if not budget_ms > 0:
        raise SolverError(f"the budget has to be above 0 ms, not {budget_ms:g}")
    if threads < 1:
        raise SolverError(f"at least one thread has to search, not {threads}")
    require_solvable(state)
    relative = state
    if target != SOLVED:
        require_solvable(target)
        relative = target.inverse() * state
    task = _Task(state, target, relative, objective, tables)
    if not tables.engines and not forbidden:
        return task.staged(started)
    engine = _engine(tables, objective, forbidden)
    run = TwoPhaseRun(engine, relative, budget_ms, threads)
    teller = _Teller(task, on_better)
    if threads == 1 and cancel is None and on_better is None and budget_ms < _PATIENT_MS:
        run.run(0, started)
    else:
        _watch(run, threads, cancel, teller)
    outcome = run.outcome()
    if outcome.moves is None:  # a budget too short for this metric: the quickest search instead
        spare_ms = max(_SPARE_MS, _SPARE_SHARE * budget_ms)
        quickest = engine if forbidden else tables.engines[_HALF_TURN_METRIC]
        while outcome.moves is None:
            run = TwoPhaseRun(quickest, relative, spare_ms)
            run.run()
            outcome = replace(run.outcome(), proven=False)
            spare_ms *= 4
            if not forbidden:
                break
    if outcome.moves is None:
        return task.staged(started)
    cpu_ms = max((thread_clock_ns() - started) / 1e6, outcome.cpu_ms)
    return task.solution(replace(outcome, cpu_ms=cpu_ms))


def _engine(tables: SearchTables, objective: Objective, forbidden: str) -> Engine:
    """The search that minimises the objective."""
    metric = _metric(objective, forbidden)
    engine = tables.engines.get(metric)
    if engine is None:
        raise SolverError(
            f"the tables for the objective {objective.name}"
            + (f" without the face {forbidden}" if forbidden else "")
            + " are not loaded: load them with load_tables(objective=…, forbidden=…)"
        )
    if forbidden:
        engine = without(engine, forbidden[0])
    return timed_by(engine, metric, objective.model) if objective.name == "time" else engine


@dataclass(frozen=True, slots=True)
class _Task:
    """One call of `solve`."""

    state: CubeState
    target: CubeState
    relative: CubeState
    objective: Objective
    tables: SearchTables

    def solution(self, outcome: Outcome) -> Solution:
        """The outcome of a search as a solution, replayed."""
        moves = outcome.moves or MoveSequence()
        if self.state.apply(moves) != self.target:
            raise SolverError("the search gave a wrong solution: remove and rebuild the tables")
        return Solution(
            self.state,
            moves,
            target=self.target,
            objective=self.objective.name,
            value=self.objective.value(moves),
            proven_optimal=(outcome.proven and self._measured_exactly) or len(moves) == 0,
            cpu_ms=outcome.cpu_ms,
            nodes=outcome.nodes,
        )

    @property
    def _measured_exactly(self) -> bool:
        """Whether the search's measure is the objective: of overlapping turns it is a bound."""
        return self.objective.name != "time" or not self.objective.model.overlaps

    def staged(self, started: int) -> Solution:
        """The four-stage answer, in the orientation that suits the objective best."""
        solver = ThistlethwaiteSolver(self.tables.stages)
        found = (solver.solve(self.relative, chain) for chain in ALL_CHAINS)
        best = min(found, key=lambda solution: self.objective.value(solution.moves))
        return replace(
            best,
            state=self.state,
            target=self.target,
            objective=self.objective.name,
            value=self.objective.value(best.moves),
            cpu_ms=(thread_clock_ns() - started) / 1e6,
        )


@dataclass(slots=True)
class _Teller:
    """Tells the caller about each better solution once."""

    task: _Task
    on_better: Callable[[Solution], None] | None
    seen: int = 0

    def look(self, run: TwoPhaseRun) -> None:
        if self.on_better is not None and run.found > self.seen:
            self.seen = run.found
            self.on_better(self.task.solution(run.outcome()))


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
