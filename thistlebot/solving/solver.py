"""The solver of the application: tables on demand, choices made once.

It also finds the quickest solution on a machine: many are found, and each is planned.

Finally, it computes random scrambles, as for a competition.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from dataclasses import replace
from pathlib import Path

import numpy as np

from cube.moves import FACES, MoveSequence
from cube.partial import FittingStates, PartialFacelets
from cube.random_states import random_state
from cube.state import SOLVED, CubeState, move_states
from robot.rigs.mechanism import Mechanism
from robot.rigs.program import Pose
from solver.goal import Goal
from solver.search.anytime import solve
from solver.search.anytime import solve as search
from solver.search.fitting import FittingSearch
from solver.search.objectives import (
    HTM,
    QUICKEST,
    Objective,
    SearchTables,
    load_tables,
    search_for,
    tables_stored,
)
from solver.stages.solution import Solution
from solver.stages.strict import StrictSolver
from solver.stages.thistlethwaite import ThistlethwaiteSolver
from solver.tables import TableStore
from thistlebot.solving.approach import Approach, Method
from thistlebot.solving.fitting import FEW, nearest_fitting
from thistlebot.solving.rig_times import time_model
from thistlebot.solving.table_builder import build_later


def quickest(
    state: CubeState,
    tables: SearchTables,
    rig: Mechanism,
    budget_ms: float,
    *,
    pose: Pose | None = None,
    objective: Objective = HTM,
) -> Solution:
    """Return the solution with the quickest plan, of those found within the budget.

    The time of a turn on a machine that handles the cube depends on everything before it, so a
    search cannot add it up turn by turn. The first solution is always planned.

    Args:
        state: The state to solve.
        tables: The tables of the search.
        rig: Plans each solution.
        budget_ms: Processor time for searching and planning.
        pose: The pose of machine and cube; by default the one after `ready`.
        objective: The objective of the search; its tables must be loaded.

    Raises:
        NotPossibleError: The machine cannot make a move.
        InvalidCubeError: Face turns cannot solve the state.
    """
    # Data shared by all plans are computed now, outside the cube's budget.
    rig.plan(MoveSequence(), start=pose)

    def planned_ms(moves: MoveSequence) -> float:
        return 1000 * rig.plan(moves, start=pose).time_s

    found = solve(state, tables=tables, objective=objective, budget_ms=budget_ms, price=planned_ms)
    return replace(found, objective=Goal.TIME.value)


Solve = Callable[[CubeState], Solution]


class _NotNowError(Exception):
    """Stored tables are damaged, and the caller does not wait for new ones."""


class Solving:
    """Solves states; loads or builds tables in the background from its creation on.

    Until the full tables are loaded, it returns the four-stage answer, whose tables need no time to
    build. If time is minimised only by default, because a rig turns, turns are minimised until the
    tables for time are stored: a process that outlives this one builds them.

    Args:
        cache: The program's cache folder.
        approach: How to solve.
        rig: The rig whose times count when time is minimised.
        note: Called with messages about the tables.
        build: Whether to build missing full tables.
        lanes: Returns the number of motors that the board turns at once; by default the rig's
            `lanes`.
        pose: Returns the pose of machine and cube before they turn, as far as known.

    Attributes:
        objective: The present objective of the search; for machines that handle the cube only a
            plan tells the time, so the quickest of many short solutions is taken.
        better: The objective once its tables are stored; None for no other.
        forbidden: The faces that do not turn: without a motor, or forbidden by the user.
        share: Progress of building, 0 to 1.
    """

    def __init__(
        self,
        cache: Path,
        approach: Approach,
        rig: Mechanism,
        note: Callable[[str], None] = lambda _: None,
        *,
        build: bool = False,
        lanes: Callable[[], int] | None = None,
        pose: Callable[[], Pose | None] = lambda: None,
    ) -> None:
        self._cache, self._store = cache, TableStore(cache / "tables")
        self._approach = approach
        self._rig = rig
        self._planned = rig.handles_cube and approach.goal in (None, Goal.TIME)
        goal = approach.goal or approach.default_goal
        turns = Objective(lean=approach.lean)
        self.objective = (
            turns if self._planned else Objective(goal, time_model(rig, lanes), approach.lean)
        )
        self.better: Objective | None = None
        self._pose = pose
        self._note = note
        self._full: Future[SearchTables] = Future()
        missing = (face for face in FACES if face not in rig.faces or face in approach.forbidden)
        self.forbidden = "".join(missing) if approach.method is Method.ANYTIME else ""
        self._stored = tables_stored(self._store, self.objective, self.forbidden)
        self._by_default = self.objective.timed and approach.goal is None
        if self._by_default and not self._stored:
            self._make_do()
        self._small: SearchTables | None = None
        self._strict: StrictSolver | None = None
        self._fitting: tuple[PartialFacelets, FittingSearch] | None = None
        self._asked = False
        self._noted: set[str] = set()
        self.share = 0.0
        self._begun = threading.Event()  # set when building began, or when everything is loaded
        self._full.add_done_callback(lambda _: self._begun.set())
        self._may_build = build or bool(self.forbidden)
        self._loading = approach.method is Method.ANYTIME and (self._may_build or self._stored)
        self._thread = threading.Thread(target=self._load_full, daemon=True, name="tables")
        if self._loading:
            self._thread.start()

    @property
    def building(self) -> bool:
        """Whether full tables are being built."""
        return self._loading and not self._full.done()

    @property
    def lacking(self) -> bool:
        """Whether full tables would give shorter solutions, and nothing loads or builds them."""
        return self._approach.method is Method.ANYTIME and not self._loading

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait for the full tables; return whether they are loaded.

        Raises:
            TableError: They cannot be built.
        """
        if self._loading:
            wait((self._full,), timeout_s)
        return not self.building

    def close(self) -> None:
        """Stop building; the next caller starts again."""
        self._may_build = False
        if self._loading:
            self._thread.join()

    def staged(self, state: CubeState) -> Solution:
        """Solve a state by Thistlethwaite's four stages, which do not need the full tables.

        Raises:
            SolverError: Face turns cannot solve the state.
            TableError: The small tables cannot be built.
        """
        return ThistlethwaiteSolver(self.tables().stages).solve(state)

    def __call__(
        self,
        state: CubeState,
        target: CubeState = SOLVED,
        on_better: Callable[[Solution], None] | None = None,
        budget_ms: float | None = None,
    ) -> Solution:
        """Solve a state with the tables loaded now.

        Args:
            state: The start.
            target: The end.
            on_better: Called with each better solution of the anytime search.
            budget_ms: Processor time of each thread; by default that of the approach.

        Raises:
            SolverError: Face turns cannot lead from the state to the target.
            TableError: Tables cannot be built.
        """
        budget_ms = budget_ms or self._approach.budget_ms
        self.tables()  # this decides the objective
        objective, tables = self.objective, self.tables()
        self._tell(tables)
        if objective.timed:
            objective.model.costs()  # computed now, outside the cube's budget
        if self._approach.strict:
            return self._strict_solver(tables).solve(state, budget_ms)
        if self._approach.method is Method.THISTLETHWAITE:
            return self.staged(state)
        if self._planned and target == SOLVED and not self.forbidden:
            pose = self._pose()
            return quickest(state, tables, self._rig, budget_ms, pose=pose, objective=objective)
        found = search(
            state,
            tables=tables,
            objective=objective,
            budget_ms=budget_ms,
            threads=self._approach.searchers,
            target=target,
            forbidden=self.forbidden,
            on_better=on_better,
        )
        self._improve()
        return found

    def fitting(self, state: CubeState, partial: PartialFacelets) -> Solution:
        """Bring a state to any one that fits a partial one, with the fewest turns.

        Args:
            state: The start.
            partial: The target.

        Returns:
            The moves; the state that they lead to is the solution's target.

        Raises:
            UsageError: Something other than turns is to be minimised.
            InvalidCubeError: Face turns cannot solve the state, or no state fits.
            SolverError: A search failed.
        """
        self._approach.require_partial()
        fitting, search = FittingStates(partial), None
        if fitting.count > FEW:
            if self._fitting is None or self._fitting[0] != partial:
                faces = "".join(face for face in FACES if face not in self.forbidden)
                self._fitting = partial, FittingSearch(partial, faces)
            search = self._fitting[1]
        return self._nearest(state, fitting, search)

    def _nearest(
        self, state: CubeState, fitting: FittingStates, search: FittingSearch | None
    ) -> Solution:
        def solve(start: CubeState, end: CubeState, budget_ms: float) -> Solution:
            return Solving.__call__(self, start, end, budget_ms=budget_ms)

        return nearest_fitting(state, fitting, search, solve, self._approach.budget_ms)

    def tables(self) -> SearchTables:
        """Return the best tables that are loaded now.

        Raises:
            TableError: Tables cannot be built.
        """
        if self._loading and self._stored:
            self._begun.wait()  # until it is known whether they are sound
        if self._loading and (self.forbidden or self._full.done()):
            return self._full.result()  # five faces have no small tables
        if self._small is None:
            self._small = load_tables(self._store, full=False)
        return self._small

    def _strict_solver(self, tables: SearchTables) -> StrictSolver:
        if self._strict is None:
            self._strict = StrictSolver(tables.stages)
        return self._strict

    def _make_do(self) -> None:
        """Minimise turns, because the tables for the least time are missing."""
        self.better, self.objective = self.objective, HTM
        self._stored = tables_stored(self._store, HTM, self.forbidden)

    def _improve(self) -> None:
        """Load the tables for the least time; start building them if nothing else does."""
        if self.better is None or not self._loading or not self._full.done():
            return
        if tables_stored(self._store, self.better, self.forbidden):
            if not self._thread.is_alive():
                self._thread = threading.Thread(target=self._load_better, daemon=True)
                self._thread.start()
        elif not self._asked:
            self._asked = True
            if build_later(self._cache, self.better, self.forbidden):
                self._note(
                    "building tables for faster solutions in the background; this happens once"
                )

    def _load_better(self) -> None:
        better, have = self.better, self._full.result()
        assert better is not None
        wanted = search_for(better, self.forbidden)
        base = have.engine(QUICKEST)
        try:
            engine = wanted.load(self._store, _not_now, base)
        except _NotNowError:
            return
        self._full = Future()
        self._full.set_result(replace(have, engines={**have.engines, wanted.tables.name: engine}))
        self.objective, self.better = better, None

    def _load_full(self) -> None:
        try:
            tables = load_tables(
                self._store,
                objective=self.objective,
                forbidden=self.forbidden,
                progress=self._report,
            )
        except _NotNowError:
            if self._by_default and self.better is None:
                self._make_do()
                if self._stored:
                    self._load_full()
                    return
            self._loading = False
            self._begun.set()
        except BaseException as error:  # noqa: BLE001 - raised again where somebody waits
            self._full.set_exception(error)
        else:
            self._full.set_result(tables)

    def _report(self, share: float) -> None:
        if not self._may_build:
            raise _NotNowError
        self.share = share
        self._begun.set()

    def _tell(self, tables: SearchTables) -> None:
        for note in tables.notes():
            if note not in self._noted:
                self._noted.add(note)
                self._note(note)


def _not_now(_share: float) -> None:
    raise _NotNowError


def random_scramble(solver: Solve, rng: np.random.Generator) -> MoveSequence:
    """Return moves that lead from the solved cube to a random state.

    All states are equally likely, except those that less than two turns solve, which the rules of
    competitions exclude (WCA 4b3).
    """
    near = (SOLVED, *move_states())
    while (state := random_state(rng)) in near:
        pass
    return solver(state).moves.inverse()
