"""Measures how long the optimal search takes to prove random states, and the superflip.

    thistlebot tables build --optimal --memory 2GB
    python -m benchmarks.solver.optimal --memory-mb 2000 --states 100 --threads 2

Each state is solved as by `solve --optimal`: 100 ms of the anytime search, then the proof. The time
of a machine with other work is longer: the processor time of each thread is printed, too.
"""

import statistics
import time

import numpy as np

from benchmarks.report import Figure, Given, Report, Row, Rows, parser_of, run
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from solver.errors import TableError
from solver.search.anytime import solve
from solver.search.objectives import SearchTables, load_tables
from solver.search.optimal import OptimalSearch, OptimalTables, prove
from solver.stages.solution import Solution
from solver.tables import TableStore
from thistlebot.config import Folders

SUPERFLIP = CubeState(tuple(range(8)), (0,) * 8, tuple(range(12)), (1,) * 12)
SUPERFLIP_TURNS, SUPERFLIP_S = 20, 600.0
_GOALS_S = {2000.0: (15.0, 30.0), 512.0: (300.0, 600.0), 128.0: (300.0, 600.0)}
"""Median and mean by the table's size, for a machine where `kociemba` takes 39 ms for a cube."""


class Proof(Row):
    """The proof of one state."""

    state: int
    turns: int
    first: int
    seconds: float
    cpu_s: float
    positions: int


def proven(
    number: int, state: CubeState, tables: SearchTables, optimal: OptimalTables, threads: int
) -> Proof:
    """Prove one state."""

    def improve(budget_ms: float) -> Solution:
        return solve(state, tables=tables, budget_ms=budget_ms, threads=threads)

    begun, cpu_begun = time.monotonic(), time.process_time()
    first = improve(100.0)
    best, _ = prove(OptimalSearch(state, optimal, threads=threads), first, improve=improve)
    assert best.proven_optimal
    assert state.apply(best.moves) == SOLVED
    seconds, cpu_s = time.monotonic() - begun, (time.process_time() - cpu_begun) / threads
    turns = len(best.moves), len(first.moves)
    return Proof(number, *turns, round(seconds, 2), round(cpu_s, 2), best.nodes)


def load_solver(memory_mb: float) -> tuple[SearchTables, OptimalTables]:
    """Load the tables of the anytime search and of the proof; `TableError` if there are none."""
    store = TableStore(Folders.of_platform().cache / "tables")
    optimal = OptimalTables.load(store, memory_mb)
    if optimal is None:
        raise TableError("there is no table: `thistlebot tables build --optimal` builds one")
    return load_tables(store), optimal


def measure(given: Given, _report: Report) -> Rows:
    """Prove the states one after another."""
    tables, optimal = load_solver(given.memory_mb)
    rng = np.random.default_rng(given.seed)
    proofs: list[Proof] = []
    for number in range(given.states):
        proofs.append(proven(number, random_state(rng), tables, optimal, given.threads))
        yield proofs[-1]
    median_s, mean_s = _GOALS_S[given.memory_mb]
    for name, found in (
        ("time", [proof.seconds for proof in proofs]),
        ("processor time of a thread", [proof.cpu_s for proof in proofs]),
    ):
        yield Figure.at_most(f"median {name}", statistics.median(found), median_s, "s")
        yield Figure.at_most(f"mean {name}", statistics.fmean(found), mean_s, "s")
        yield Figure(f"longest {name}", max(found), "s")
    yield Figure("mean length", statistics.fmean(proof.turns for proof in proofs), "turns")
    if given.superflip:
        proof = proven(given.states, SUPERFLIP, tables, optimal, given.threads)
        yield proof
        yield Figure.at_most("superflip", proof.seconds, SUPERFLIP_S, "s")
        yield Figure.at_least("turns of the superflip", proof.turns, SUPERFLIP_TURNS, "")


if __name__ == "__main__":
    run(
        parser_of(__doc__, memory_mb=2000.0, states=100, threads=2, seed=43, superflip=1),
        measure,
    )
