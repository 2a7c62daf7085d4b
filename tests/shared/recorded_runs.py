"""Runs of the virtual machine, as the journal keeps them."""

from pathlib import Path

import numpy as np

from cube.random_states import random_state
from robot.ports.clock import SimulatedClock
from robot.virtual.faults import Faults
from robot.virtual.virtual_rig import VirtualRig
from thistlebot.config import Folders
from thistlebot.journal.rows import Picture, RunRow, StoredRun
from thistlebot.journal.store import Store
from thistlebot.session.choices import Choices
from thistlebot.session.composing import solve_session
from thistlebot.session.machine import open_machine
from thistlebot.session.target import Target
from thistlebot.solving.approach import QUICK
from thistlebot.solving.solver import Solving

LIMIT = 1_000_000_000


def solve_virtually(
    cache: Path, data: Path, seed: int, rig: str = "six", *, target: str = "", **faults: int
) -> None:
    """Solve a random cube on the virtual machine, in simulated time; the journal hears it."""
    folders = Folders(cache / "config", cache, cache, cache / "state", data)
    with open_machine(Choices(Path(rig), virtual=True, seed=seed), folders) as machine:
        state = random_state(np.random.default_rng(seed))
        clock = SimulatedClock()
        machine.world.rig = VirtualRig(machine.rig, clock, state=state, faults=Faults(**faults))
        solving = Solving(cache, QUICK, machine.rig, lambda _: None, build=False)
        wanted = Target.of(target) if target else None
        solve_session(machine, solving, (), target=wanted).run()


def recorded(data: Path) -> list[tuple[RunRow, StoredRun, tuple[Picture, ...]]]:
    """Return all runs of a journal, the oldest first."""
    store = Store(data, LIMIT)
    try:
        found = []
        for _, row in store.rows():
            run = store.run(row.uid)
            assert run is not None
            found.append((row, run, store.pictures(row.uid)))
        return found
    finally:
        store.close()
