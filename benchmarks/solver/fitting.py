"""Measures the search for the fewest turns to any state that fits a partial one.

    python -m benchmarks.solver.fitting --states 10 --budget-ms 30000

Random states are brought to targets in which most stickers do not matter.
"""

import statistics
import time

import numpy as np

from benchmarks.report import Figure, Given, Report, Row, Rows, parser_of, run
from cube.partial import FittingStates, PartialFacelets
from cube.pieces import CENTRE_FACELETS, CORNER_FACELETS, CORNERS, EDGE_FACELETS, EDGES
from cube.random_states import random_state
from cube.state import SOLVED
from solver.search.fitting import FittingSearch

TARGETS = {
    "cross": EDGES[4:8],
    "2x2x2 block": ("DLF", "DL", "DF", "FL"),
    "2x2x3 block": ("DLF", "DL", "DF", "FL", "DBL", "DB", "BL"),
    "first layer": (*EDGES[4:8], *CORNERS[4:]),
    "two layers": (*EDGES[4:], *CORNERS[4:]),
    "corners": CORNERS,
    "edges": EDGES,
}


class FittedTarget(Row):
    """What one target takes.

    Attributes:
        target: Its name.
        fitting: Number of solvable states that fit.
        tables_s: Time to fill the tables.
        proven: Number of answers proven shortest within the budget.
        turns: Their mean number of turns.
        median_ms: Median processor time, also of those that were not proven.
        longest_ms: Longest processor time.
    """

    target: str
    fitting: int
    tables_s: float
    proven: int
    turns: float
    median_ms: float
    longest_ms: float


def target_of(pieces: tuple[str, ...]) -> PartialFacelets:
    """Return the target in which only some pieces are in their places."""
    places = dict(zip((*CORNERS, *EDGES), (*CORNER_FACELETS, *EDGE_FACELETS), strict=True))
    known = {*CENTRE_FACELETS, *(facelet for piece in pieces for facelet in places[piece])}
    letters = SOLVED.to_facelets().text
    return PartialFacelets("".join(letters[i] if i in known else "?" for i in range(54)))


def measure(given: Given, _report: Report) -> Rows:
    """Search one target after another, from the same states."""
    proven = 0
    for name, pieces in TARGETS.items():
        partial, rng, begun = target_of(pieces), np.random.default_rng(given.seed), time.monotonic()
        search = FittingSearch(partial)
        tables_s, turns, times_ms = time.monotonic() - begun, [], []
        for _ in range(given.states):
            moves = search.below(random_state(rng), budget_ms=given.budget_ms)
            times_ms.append(search.cpu_ms)
            turns += [] if moves is None else [len(moves)]
        proven += len(turns)
        mean, count = statistics.fmean(turns or [0]), FittingStates(partial).count
        spent = round(statistics.median(times_ms), 1), round(max(times_ms), 1)
        yield FittedTarget(name, count, round(tables_s, 2), len(turns), round(mean, 2), *spent)
    yield Figure.at_least("proven", proven, len(TARGETS) * given.states, "")


if __name__ == "__main__":
    run(parser_of(__doc__, states=10, budget_ms=30000.0, seed=43), measure)
