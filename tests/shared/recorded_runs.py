"""Runs of the virtual machine, as the journal keeps them."""

from pathlib import Path

import pytest
from cubes import cube
from world import opened

from cube.state import CubeState
from solver.stages.solution import Solution
from thistlebot.config import Folders
from thistlebot.journal import journal
from thistlebot.journal.rows import EVERY_RUN, Picture, RunRow, StoredRun
from thistlebot.journal.store import Store
from thistlebot.session.composing import solve_session
from thistlebot.session.target import Target
from thistlebot.solving.approach import QUICK
from thistlebot.solving.solver import Solving

LIMIT = 1_000_000_000
Recorded = tuple[RunRow, StoredRun, tuple[Picture, ...]]


def solve_virtually(
    cache: Path, data: Path, seed: int, rig: str = "six", *, target: str = "", **how: int
) -> None:
    """Solve a random cube on the virtual machine, in simulated time; the journal hears it.

    The solver takes `thinks_s` of that time; everything else in `how` is a fault.

    Pictures come more quickly than from any camera: the journal waits where it would give them up.
    """
    thinks_s = how.pop("thinks_s", 0)
    folders = Folders(cache / "config", cache, cache, cache / "state", data)
    with (
        pytest.MonkeyPatch.context() as patch,
        opened(folders, rig, state=cube(seed), seed=seed, faults=how) as machine,
    ):
        patch.setattr(journal, "_MOST_PICTURES", 10_000)
        patch.setattr(journal, "_CLOSING_S", 120.0)
        solving = Solving(cache, QUICK, machine.rig)
        wanted = Target.of(target) if target else None

        def think(state: CubeState) -> Solution:
            machine._clock.sleep(thinks_s)
            return solving(state)

        solve_session(machine, think if thinks_s else solving, (), target=wanted).run()


def recorded(data: Path) -> list[Recorded]:
    """Return all runs of a journal, the oldest first."""
    store = Store(data, LIMIT)
    try:
        found = []
        for _, row in store.latest(EVERY_RUN):
            run = store.run(row.uid)
            assert run is not None
            found.append((row, run, store.pictures(row.uid)))
        return found
    finally:
        store.close()
