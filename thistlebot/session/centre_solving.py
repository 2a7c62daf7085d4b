"""Solves picture cubes: in a session, one search solves the cube together with its centres."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from cube.held_moves import read_moves
from cube.state import CubeState
from solver.centre_turns import STRAIGHT, Centres, random_centres
from solver.goal import Goal
from solver.stages.solution import Solution
from solver.tables import TableStore
from thistlebot.errors import UsageError
from thistlebot.journal.machine_state import CentreLog
from thistlebot.session.machine import Machine
from thistlebot.solving.approach import Approach


def require_plain(approach: Approach) -> None:
    """Refuse options that cannot be combined with --centres.

    Raises:
        UsageError: The message names them.
    """
    goal = None if approach.goal is None else Goal.HTM
    plain = Approach(goal=goal, budget_ms=approach.budget_ms, threads=approach.threads)
    if replace(approach, rig_turns=False) != plain:
        raise UsageError(
            "--centres uses its own search over turns of six faces: leave --method, "
            "--optimal, --objective, --forbidden and --memory out"
        )


class PictureCube:
    """One picture cube in the machine.

    Args:
        machine: The machine; a virtual cube is already in its rig.
        told: The orientation of the centres as the user gave it, or None to count it from the
            motors' turns.
        scramble: The turns that made the cube from one with straight pictures, if given.
        seed: Seed of a virtual cube's centres.
        dry_run: Nothing is turned, so nothing is stored.

    Attributes:
        before: The orientation of the centres before the solve.

    Raises:
        SolverError: The given text does not describe centres.
        UsageError: The orientation of the centres is unknown.
    """

    def __init__(
        self,
        machine: Machine,
        told: str | None,
        scramble: str | None,
        seed: int | None,
        *,
        dry_run: bool,
    ) -> None:
        self._cache = machine.folders.cache
        self._log = CentreLog(None) if dry_run else machine.centres
        self._dry_run = dry_run
        if told is not None:
            self.before = Centres.parse(told)
        elif scramble is not None:
            self.before = STRAIGHT.apply(read_moves(scramble))
        elif machine.choices.virtual:
            self.before = random_centres(machine.world.rig.state, np.random.default_rng(seed))
        else:
            self.before = machine.centres.centres
        self._log.put(self.before)

    def solving(
        self, budget_ms: float, note: Callable[[str], None]
    ) -> Callable[[CubeState], Solution]:
        """Return a solver that leaves the centres straight; missing tables are built.

        Args:
            budget_ms: Processor time of a solve.
            note: Called if tables must be built.
        """

        def solve(state: CubeState) -> Solution:
            from solver.centre_search import load_centres

            def tell(share: float) -> None:
                if share == 0.0:
                    note("building tables for picture cubes; this happens once")

            solver = load_centres(TableStore(self._cache / "tables"), tell)
            return solver.solve(state, self.before, budget_ms)

        return solve

    def after(self, solution: Solution) -> Centres:
        """Return the orientation of the centres after the solve, counted from the motors' turns."""
        return self.before.apply(solution.moves) if self._dry_run else self._log.centres
