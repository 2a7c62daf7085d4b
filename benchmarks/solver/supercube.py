"""Picture cubes on the virtual rig: run `python benchmarks/solver/supercube.py`.

Random states with random centres, solved by the joint search, turned by the virtual rig in
simulated time; the motors' own turns must leave every centre straight.
"""

import statistics
import sys
import time

import numpy as np

from benchmarks.report import Figure, Given, Report, Rows, parser_of, run
from cube.moves import MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED
from robot.ports.port import SimulatedClock
from robot.rigs.catalogue import default_rig
from robot.running.driver import RigDriver
from robot.virtual.virtual_rig import VirtualRig
from solver.centre_search import load_centres
from solver.centre_turns import STRAIGHT, random_centres
from solver.tables import TableStore
from thistlebot.config import Folders


def measure(given: Given, report: Report) -> Rows:
    """Solve and turn."""
    solver = load_centres(TableStore(Folders.of_platform().cache / "tables"))
    rig, clock = default_rig(), SimulatedClock()
    virtual = VirtualRig(rig, clock)
    driver = RigDriver(virtual, rig, clock)
    driver.connect()
    driver.prepare()
    rng, lengths, times = np.random.default_rng(16), [], []
    for number in report.track(range(given.states), "cubes"):
        state = random_state(rng)
        centres = random_centres(state, rng)
        started = time.thread_time()
        moves = solver.solve(state, centres, given.budget_ms).moves
        times.append(1000 * (time.thread_time() - started))
        virtual.state = state
        driver.run(rig.plan(moves))
        if virtual.state != SOLVED or centres.apply(MoveSequence(virtual.moves)) != STRAIGHT:
            sys.exit(f"cube {number} with {centres} is not solved with straight centres")
        lengths.append(len(moves))
    yield Figure("picture cubes solved, centres straight", len(lengths), f"of {given.states}")
    yield Figure("mean length", round(statistics.fmean(lengths), 2), "HTM")
    yield Figure("the longest", max(lengths), "HTM")
    yield Figure("processor time of a search, mean", round(statistics.fmean(times)), "ms")


if __name__ == "__main__":
    run(parser_of(__doc__, states=1000, budget_ms=100.0), measure)
