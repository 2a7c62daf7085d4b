"""What the solver claims beside its mean lengths: run `python benchmarks/solver/solver_claims.py`.

Many random states solved and verified, S4's strings in at most 20 turns, what a second thread adds,
and how long a fresh process takes to its first answer. `thistlebot bench solver` has the rest.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from cube.facelets import Facelets
from cube.notations import parse_facelets
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from solver.search.anytime import solve
from solver.search.objectives import SearchTables, load_tables
from solver.tables import TableStore

S4 = (
    "grbryoyborbbbbobbbryyyrgrrgggyygrogroyygoogoowwwwwwwww",
    "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB",
    "RBFLURBFLBUUFRBBDDRUURFLRDDBFLLDRRBFFUUBLFFDDLUULBRLDD",
)
COMMAND = (
    *(sys.executable, "-m", "thistlebot", "solve", "--dry-run", "--json"),
    *("--method", "thistlethwaite", "--facelets", S4[2]),
)


def solve_many(tables: SearchTables, count: int) -> None:
    """Solve random states at a millisecond each, and replay every answer."""
    rng = np.random.default_rng(100)
    longest = 0
    for number in range(count):
        state = random_state(rng)
        moves = solve(state, tables=tables, budget_ms=1).moves
        if state.apply(moves) != SOLVED:
            sys.exit(f"state {number} is not solved by {moves}: {state.to_facelets().text}")
        longest = max(longest, len(moves))
    print(f"{count} of {count} random states solved and verified, the longest in {longest}")


def solve_s4(tables: SearchTables, budget_ms: float) -> None:
    """Solve the strings of S4; the last one needs half a minute or so for its 20 turns."""
    for text in S4:
        facelets: Facelets = parse_facelets(text)
        solution = solve(CubeState.from_facelets(facelets), tables=tables, budget_ms=budget_ms)
        print(f"{text}: {len(solution.moves)} turns")


def compare_threads(tables: SearchTables, states: int) -> None:
    """Count the positions that one thread and two look at in the same wall time."""
    rng = np.random.default_rng(7)
    ratios = []
    for _ in range(states):
        state = random_state(rng)
        nodes = []
        for threads in (1, 2):
            begin = time.perf_counter()
            solution = solve(state, tables=tables, budget_ms=500, threads=threads)
            nodes.append(solution.nodes / (time.perf_counter() - begin))
        ratios.append(nodes[1] / nodes[0])
    print(f"two threads: {statistics.median(ratios):.2f} times the nodes of one, per wall second")


def time_first_answers(runs: int) -> None:
    """Time fresh processes of the whole program to their first answer, warm and without tables."""
    for name, folder in (("warm", None), ("without tables", tempfile.mkdtemp())):
        times = []
        for _ in range(runs):
            environment = dict(os.environ)
            environment.pop("PYTHONDONTWRITEBYTECODE", None)  # users have byte code
            if folder is not None:
                for file in (Path(folder) / "tables").glob("*"):
                    file.unlink()
                environment["THISTLEBOT_CACHE_DIR"] = folder
            begin = time.perf_counter()
            subprocess.run(COMMAND, env=environment, check=True, capture_output=True)
            times.append(time.perf_counter() - begin)
        print(f"process start to first answer, {name}: median {statistics.median(times):.2f} s")


def main() -> None:
    """Measure everything, cheapest first."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--states", type=int, default=100_000)
    options.add_argument("--s4-ms", type=float, default=1000, help="budget for each S4 string")
    options.add_argument("--tables", type=Path, help="folder of the tables, if not the usual one")
    chosen = options.parse_args()
    time_first_answers(9)
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        load_tables(TableStore(folder))
    print(f"full tables built in {time.perf_counter() - begin:.1f} s")
    tables = load_tables(TableStore(chosen.tables))
    solve_s4(tables, chosen.s4_ms)
    compare_threads(tables, 20)
    solve_many(tables, chosen.states)


if __name__ == "__main__":
    main()
