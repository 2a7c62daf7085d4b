"""The solver's claims besides mean lengths: run `python -m benchmarks.solver.solver_claims`.

Many random states solved and verified, S4's strings in at most 20 turns, and the time to build the
tables. `thistlebot bench solver` and `bench start` measure the rest.
"""

import sys
import tempfile
import time

import numpy as np

from benchmarks.report import Figure, Given, Report, Rows, parser_of, run
from cube.random_states import random_state
from cube.state import SOLVED, CubeState
from cube.written.written_cube import WrittenCube
from solver.search.anytime import solve
from solver.search.engine import Engine
from solver.search.objectives import load_tables
from solver.tables import TableStore

S4 = (
    "grbryoyborbbbbobbbryyyrgrrgggyygrogroyygoogoowwwwwwwww",
    "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB",
    "RBFLURBFLBUUFRBBDDRUURFLRDDBFLLDRRBFFUUBLFFDDLUULBRLDD",
)


def solve_many(tables: Engine, count: int, report: Report) -> Rows:
    """Solve random states with a budget of one millisecond each, and replay every answer."""
    rng = np.random.default_rng(100)
    longest = 0
    for number in report.track(range(count), "random states"):
        state = random_state(rng)
        moves = solve(state, tables=tables, budget_ms=1).moves
        if state.apply(moves) != SOLVED:
            sys.exit(f"state {number} is not solved by {moves}: {state.to_facelets().text}")
        longest = max(longest, len(moves))
    yield Figure("random states solved and verified", count, f"of {count}")
    yield Figure("the longest of these solutions", longest, "turns")


def solve_s4(tables: Engine, budget_ms: float) -> Rows:
    """Solve the strings of S4; the last one needs about half a minute for its 20 turns."""
    for text in S4:
        state = CubeState.from_facelets(WrittenCube.parse(text).facelets)
        solution = solve(state, tables=tables, budget_ms=budget_ms)
        yield Figure(text, len(solution.moves), "turns")


def measure(given: Given, report: Report) -> Rows:
    """Measure everything, cheapest first."""
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        load_tables(TableStore(folder))
    yield Figure("full tables built in", round(time.perf_counter() - begin, 1), "s")
    tables = load_tables(TableStore(given.tables or None))
    yield from solve_s4(tables, given.s4_ms)
    yield from solve_many(tables, given.states, report)


if __name__ == "__main__":
    run(parser_of(__doc__, states=100_000, s4_ms=1000.0, tables=""), measure)
