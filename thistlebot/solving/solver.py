"""The solver of the application: its tables, and the choices of the user."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from pathlib import Path

import numpy as np

from cube.moves import FACES, MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED, CubeState, move_states
from robot.rigs.mechanism import Mechanism
from robot.rigs.program import Pose
from solver.goal import Goal
from solver.search.anytime import solve as search
from solver.search.engine import Engine
from solver.search.objectives import HTM, Objective, load_tables
from solver.stages.solution import Solution
from solver.stages.stage_tables import StageTables, load_stage_tables
from solver.stages.strict import StrictSolver
from solver.stages.thistlethwaite import ThistlethwaiteSolver
from solver.tables import TableStore
from thistlebot.solving.approach import Approach, Method
from thistlebot.solving.rig_times import quickest, time_model

Solve = Callable[[CubeState], Solution]
_LOOK_S = 0.1


class _ClosedError(Exception):
    """Nobody waits for the tables any more."""


class Solving:
    """Solves states; loads its tables, or builds them the first time, in a thread from the start.

    Args:
        cache: The program's cache folder.
        approach: How to solve.
        rig: The rig whose times count when time is minimised.
        note: Called with messages about the tables.
        lanes: Returns the number of motors that the board turns at once; by default the rig's
            `lanes`.
        pose: Returns the pose of machine and cube before they turn, as far as known.
        waiting: Called often while the tables are not ready; it may raise to give up.

    Attributes:
        objective: The objective of the search; for machines that handle the cube only a plan tells
            the time, so the quickest of many short solutions is taken.
        forbidden: The faces that do not turn: without a motor, or forbidden by the user.
        share: Progress of building, 0 to 1; 0 while the search is compiled, None while stored
            tables are loaded.
    """

    def __init__(
        self,
        cache: Path,
        approach: Approach,
        rig: Mechanism,
        note: Callable[[str], None] = lambda _: None,
        *,
        lanes: Callable[[], int] | None = None,
        pose: Callable[[], Pose | None] = lambda: None,
        waiting: Callable[[], None] = lambda: None,
    ) -> None:
        self._store = TableStore(cache / "tables")
        self._approach = approach
        self._rig = rig
        self._planned = rig.handles_cube and approach.goal in (None, Goal.TIME)
        goal = approach.goal or approach.default_goal
        self.objective = HTM if self._planned else Objective(goal, time_model(rig, lanes))
        self._pose = pose
        self._note = note
        self._waiting = waiting
        missing = (face for face in FACES if face not in rig.faces or face in approach.forbidden)
        self.forbidden = "".join(missing) if approach.method is Method.ANYTIME else ""
        self._stages: ThistlethwaiteSolver | None = None
        self._strict: StrictSolver | None = None
        self._noted: set[str] = set()
        self.share: float | None = None
        self._closed = False
        self._full: Future[Engine] = Future()
        self._thread = threading.Thread(target=self._load_full, daemon=True, name="tables")
        if approach.method is Method.ANYTIME:
            self._thread.start()

    @property
    def building(self) -> bool:
        """Whether full tables are being loaded or built."""
        return self._approach.method is Method.ANYTIME and not self._full.done()

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait for the full tables; return whether they are loaded.

        Raises:
            TableError: They cannot be built.
        """
        if self.building:
            wait((self._full,), timeout_s)
        return not self.building

    def close(self) -> None:
        """Stop building; the next caller starts again."""
        self._closed = True
        if self._thread.is_alive():
            self._thread.join()

    def staged(self, state: CubeState) -> Solution:
        """Solve a state by Thistlethwaite's four stages, which do not need the full tables.

        Raises:
            SolverError: Face turns cannot solve the state.
            TableError: The small tables cannot be built.
        """
        return self._staged_solver().solve(state)

    def __call__(
        self,
        state: CubeState,
        target: CubeState = SOLVED,
        on_better: Callable[[Solution], None] | None = None,
        budget_ms: float | None = None,
    ) -> Solution:
        """Solve a state, as soon as the tables are ready.

        Raises:
            SolverError: Face turns cannot lead from the state to the target.
            TableError: Tables cannot be built.
        """
        budget_ms = budget_ms or self._approach.budget_ms
        if self._approach.strict:
            return self._strict_solver().solve(state, budget_ms)
        if self._approach.method is Method.THISTLETHWAITE:
            return self.staged(state)
        tables, objective = self.tables(), self.objective
        self._tell(tables.notes())
        if objective.timed:
            objective.model.costs()  # computed now, outside the cube's budget
        if self._planned and target == SOLVED and not self.forbidden:
            pose = self._pose()
            return quickest(state, tables, self._rig, budget_ms, pose=pose, objective=objective)
        return search(
            state,
            tables=tables,
            objective=objective,
            budget_ms=budget_ms,
            threads=self._approach.searchers,
            target=target,
            forbidden=self.forbidden,
            on_better=on_better,
        )

    def scramble(self, rng: np.random.Generator) -> MoveSequence:
        """Return moves that lead from the solved cube to a random state.

        All states are equally likely, except those that less than two turns solve, which the rules
        of competitions exclude (WCA 4b3).

        Raises:
            TableError: Tables cannot be built.
        """
        near = (SOLVED, *move_states())
        while (state := random_state(rng)) in near:
            pass
        return self(state).moves.inverse()

    def tables(self) -> Engine:
        """Return the search with its tables, as soon as they are ready.

        Raises:
            TableError: Tables cannot be built.
        """
        while not self.wait(_LOOK_S):
            self._waiting()
        return self._full.result()

    def _staged_solver(self) -> ThistlethwaiteSolver:
        if self._stages is None:
            self._stages = ThistlethwaiteSolver(self._stage_tables())
        return self._stages

    def _strict_solver(self) -> StrictSolver:
        if self._strict is None:
            self._strict = StrictSolver(self._stage_tables())
        return self._strict

    def _stage_tables(self) -> StageTables:
        tables = load_stage_tables(self._store)
        self._tell((tables.source.note,))
        return tables

    def _load_full(self) -> None:
        try:
            tables = load_tables(
                self._store,
                objective=self.objective,
                forbidden=self.forbidden,
                progress=self._report,
            )
        except BaseException as error:  # noqa: BLE001 - raised again where somebody waits
            self._full.set_exception(error)
        else:
            self._full.set_result(tables)

    def _report(self, share: float) -> None:
        if self._closed:
            raise _ClosedError
        self.share = share

    def _tell(self, notes: tuple[str, ...]) -> None:
        for note in notes:
            if note and note not in self._noted:
                self._noted.add(note)
                self._note(note)
