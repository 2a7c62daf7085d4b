"""The anytime solver: a first answer, and better ones until the budget ends.

The search along G0>G2>G4 finds ever shorter solutions until the budget ends, the caller cancels, or
nothing shorter exists.

One face may not turn: the tables are made for one such face, and for any other, the cube is
rotated. Callers with their own preferences get many solutions.
"""

import math
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

import numpy as np

from cube.moves import ALL_MOVES, FACES, MoveSequence
from cube.state import SOLVED, CubeState
from solver.clock import thread_clock_ns
from solver.cubies import conjugate_moves, symmetries
from solver.errors import SolverError
from solver.kernels import slots
from solver.search.engine import Engine, Run, SearchOutcome
from solver.search.metrics import timed_by
from solver.search.objectives import HTM, Objective, search_for
from solver.search.tables.axial_turns import turns_themselves
from solver.search.tables.symmetry_coordinates import DEAD_FACE
from solver.search.threads import run_threads
from solver.stages.solution import Solution
from solver.stages.thistlethwaite import require_solvable

_TWO_AXES = 0b011011  # the first two, for the cube and its inverse


def without(engine: Engine, face: str) -> Engine:
    """Return a five-face engine (made for a cube whose face B does not turn) for any dead face.

    The cube is rotated until the dead face is at the back. Of the three axes, phase one keeps the
    two with both faces.
    """
    turns, inside = conjugate_moves(), 3 * FACES.index(DEAD_FACE)
    faces = turns[::2, 3 * FACES.index(face)] // 3  # of the rotations; the others mirror
    symmetry = 2 * int(np.flatnonzero(faces == FACES.index(DEAD_FACE))[0])
    keeping = np.flatnonzero(turns[::2, inside] == inside)
    aside = 2 * int(keeping[turns[2 * keeping, 0] // 3 % 3 != 0][0])
    rotation = symmetries()[aside]
    rotations = engine.arrays["rotations"].copy()
    rotations[2:4] = rotation.row(), rotation.inverse().row()
    axis_turns = turns[[0, aside, 0]][:, turns[symmetry]].astype(np.uint8)
    context = engine.context.copy()
    arrays = {**engine.arrays, "axis_turns": axis_turns, "rotations": rotations}
    arrays["itself"] = turns_themselves(axis_turns)
    context[slots.ITSELF] = arrays["itself"].ctypes.data
    return replace(engine, arrays=arrays, context=context, symmetry=symmetry, directions=_TWO_AXES)


MOST = 2 * len(ALL_MOVES)
"""Each move as the first or as the last one."""
Search = Callable[[CubeState, float], MoveSequence]
"""Solves a state within a budget in milliseconds."""


def candidates(
    state: CubeState,
    search: Search,
    *,
    budget_ms: float = 100.0,
    each_ms: float = 5.0,
    most: int = MOST,
    faces: str = FACES,
) -> Iterator[MoveSequence]:
    """Yield different solutions; the first one is searched longest.

    Each further one begins with another move, then ends with another one. (In another orientation,
    the same state would mostly get the same solution: the search tries all of its axes anyway.)

    Args:
        state: The state to solve.
        search: Finds the solutions.
        budget_ms: Processor time for the first one.
        each_ms: Processor time for each further one.
        most: Maximum number of further ones.
        faces: The faces that may turn.

    Raises:
        InvalidCubeError: Face turns cannot solve the state.
    """
    first = search(state, budget_ms)
    yield first
    known = {first}
    moves = [move for move in ALL_MOVES if move.face in faces]
    for undone, move in list(product((False, True), moves))[:most]:
        rest = search((state.inverse() if undone else state).apply(move), each_ms)
        found = MoveSequence.of((move, *rest)).simplified()
        found = found.inverse() if undone else found
        if found not in known:
            known.add(found)
            yield found


PRICE = "price"
"""The objective of a solution that was chosen by the caller's price."""

POLL_S = 0.005
_FIRST_SHARE, _EACH_SHARE = 0.3, 0.05  # of the budget, for the first solution and each other one
_PATIENT_MS = 250.0
_FIRST_MS = 4.0


def solve(
    state: CubeState,
    *,
    tables: Engine,
    objective: Objective = HTM,
    budget_ms: float = 100.0,
    threads: int = 1,
    target: CubeState = SOLVED,
    forbidden: str = "",
    cancel: threading.Event | None = None,
    on_better: Callable[[Solution], None] | None = None,
    price: Callable[[MoveSequence], float] | None = None,
) -> Solution:
    """Find the cheapest moves from a state to a target that the budget allows.

    With a price function, many solutions are found, and the one with the lowest price is taken: the
    first one takes three tenths of the budget, each further one a twentieth and the time for its
    price, until the budget is spent: usually about a dozen, at most 37. They are short by the
    objective, and differ in their first or last moves. Nothing is proven.

    Args:
        state: The start.
        tables: The search with its tables, as `load_tables` returns it.
        objective: The value to minimise; its tables must be loaded. One that chooses among
            solutions (`Metric.among`) acts as a price.
        budget_ms: Processor time for each thread; some milliseconds more if it is too short for
            any solution.
        threads: Number of threads.
        target: The end.
        forbidden: A face that must not turn, if any.
        cancel: Set it to get the best answer so far at once.
        on_better: Called in the calling thread with each better solution.
        price: Cost of a solution in any unit, such as the time of your machine's plan.

    Raises:
        InvalidCubeError: Face turns cannot solve the state.
        SolverError: The budget is not above zero, the objective's tables are not loaded, or the
            remaining faces are not enough.
    """
    started = thread_clock_ns()
    if not budget_ms > 0:
        raise SolverError(f"the budget must be above 0 ms, not {budget_ms:g}")
    if threads < 1:
        raise SolverError(f"the number of threads must be at least 1, not {threads}")
    require_solvable(state)
    if target != SOLVED:
        require_solvable(target)
    relative = target.inverse() * state
    task = _Task(state, target, relative, objective)
    if price is None and objective.metric.among:
        price = objective.metric.measure
        objective = replace(objective, name=objective.metric.among)
    if price is not None:
        again = partial(solve, tables=tables, objective=objective, threads=threads, cancel=cancel)
        return task.priced(price, again, forbidden, budget_ms, started=started, cancel=cancel)
    engine = _engine(tables, objective, forbidden)
    run, alone = Run(engine, relative, budget_ms, threads), threads == 1 and cancel is None
    if alone and on_better is None and budget_ms < _PATIENT_MS:
        run.run(0, started)
    else:
        told: MoveSequence | None = None

        def look() -> None:
            nonlocal told
            if on_better is not None and (found := run.outcome()).moves != told:
                told = found.moves
                on_better(task.solution(found))
            if cancel is not None and cancel.is_set():
                run.stop()

        workers = [partial(run.run, number) for number in range(threads)]
        run_threads(workers, POLL_S, look, run.stop)
    outcome = run.outcome()
    if outcome.moves is None:
        outcome = _first_outcome(engine, relative)
    cpu_ms = max((thread_clock_ns() - started) / 1e6, outcome.cpu_ms)
    return task.solution(replace(outcome, cpu_ms=cpu_ms))


def _engine(engine: Engine, objective: Objective, forbidden: str) -> Engine:
    """Return the search that minimises the objective."""
    if engine.search.cut != search_for(objective, forbidden).cut:
        raise SolverError(
            f"the tables for the objective {objective.name}"
            + (f" without the face {forbidden}" if forbidden else "")
            + " are not loaded: load them with load_tables(objective=…, forbidden=…)"
        )
    if forbidden:
        engine = without(engine, forbidden[0])
    return timed_by(engine, objective.model) if objective.timed else engine


def _first_outcome(engine: Engine, state: CubeState) -> SearchOutcome:
    """Return the first solution of a search, for a budget that was too short for any."""
    budget_ms = _FIRST_MS
    while True:
        run = Run(engine, state, budget_ms)
        run.run()
        outcome = replace(run.outcome(), proven=False)
        if outcome.moves is not None:
            return outcome
        budget_ms *= 2


@dataclass(frozen=True, slots=True)
class _Task:
    """One call of `solve`."""

    state: CubeState
    target: CubeState
    relative: CubeState
    objective: Objective

    def solution(self, outcome: SearchOutcome) -> Solution:
        """Convert the result of a search to a solution, and check it."""
        moves = outcome.moves or MoveSequence()
        if self.state.apply(moves) != self.target:
            raise SolverError("the search gave a wrong solution: remove and rebuild the tables")
        return Solution(
            self.state,
            moves,
            target=self.target,
            objective=self.objective.name,
            value=self.objective.value(moves),
            proven_optimal=outcome.proven or len(moves) == 0,
            cpu_ms=outcome.cpu_ms,
            nodes=outcome.nodes,
        )

    def priced(
        self,
        price: Callable[[MoveSequence], float],
        search: Callable[..., Solution],
        forbidden: str,
        budget_ms: float,
        *,
        started: int,
        cancel: threading.Event | None,
    ) -> Solution:
        """Return the solution with the lowest price among many; of equals the first."""
        faces = "".join(face for face in FACES if face not in forbidden)
        first_ms, each_ms = _FIRST_SHARE * budget_ms, _EACH_SHARE * budget_ms
        best, nodes = (math.inf, MoveSequence()), 0

        def found(state: CubeState, budget_ms: float) -> MoveSequence:
            nonlocal nodes
            solution = search(state, forbidden=forbidden, budget_ms=budget_ms)
            nodes += solution.nodes
            return solution.moves

        for moves in candidates(
            self.relative, found, budget_ms=first_ms, each_ms=each_ms, faces=faces
        ):
            best = min(best, (price(moves), moves), key=lambda priced: priced[0])
            spent = thread_clock_ns() - started > budget_ms * 1e6
            if spent or (cancel is not None and cancel.is_set()):
                break
        cpu_ms = (thread_clock_ns() - started) / 1e6
        solution = self.solution(SearchOutcome(best[1], False, cpu_ms, nodes))
        name = self.objective.name if self.objective.metric.among else PRICE
        return replace(solution, objective=name, value=best[0])
