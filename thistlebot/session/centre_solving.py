"""Solving picture cubes: the joint search for a cube and its centres, as a session uses it."""

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
    """Refuse options that do not go with --centres.

    Raises:
        UsageError: The message names what does not go.
    """
    goal = None if approach.goal is None else Goal.HTM
    plain = Approach(goal=goal, budget_ms=approach.budget_ms, threads=approach.threads)
    if replace(approach, rig_turns=False) != plain:
        raise UsageError(
            "--centres uses its own search over turns of six faces: leave --method, "
            "--objective, --forbidden and --memory out"
        )


class PictureCube:
    """One picture cube in the machine.

    Args:
        machine: The machine; a virtual cube is in its rig already.
        told: How the centres stand, or None when the motors' turns tell it.
        scramble: The turns that made the cube from one with straight pictures, if they are given.
        seed: Of a virtual cube's centres.
        dry_run: Nothing is turned, so nothing is written down.

    Attributes:
        before: How the centres stand before the solve.

    Raises:
        SolverError: What is told is no set of centres.
        UsageError: How the centres stand is not known.
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
        """A solver that leaves the centres straight; builds its tables when they are missing.

        Args:
            budget_ms: Processor time of a solve.
            note: Told when tables have to be built.
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
        """How the centres stand after the solve: as the motors' turns were counted."""
        return self.before.apply(solution.moves) if self._dry_run else self._log.centres
