"""Paths from random states to the solved one: run `python -m benchmarks.ways [NAME …]`.

Each path is executed in space after the scramble, by `tests/shared/spaces.py`, which shares no
permutation with the program, and must bring every sticker home. Prints a row for each puzzle of the
catalogue, or for the named ones: the mean and the longest path, the number of proven shortest ones,
the processor time of the first path (which builds or loads what it needs) and of the others, and
the peak memory of the process.
"""

import multiprocessing
import resource
import statistics
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

from benchmarks.report import Given, Report, Row, Rows, Tenths, parser_of, run
from puzzles.groups.analysis import Analysis
from puzzles.kinds.catalogue import CATALOGUE, AnyPuzzle, puzzle_named
from puzzles.kinds.puzzle import scrambled
from puzzles.paths.finder import PathFinder
from solver.tables import TableStore
from thistlebot.config import Folders

sys.path.append(str(Path(__file__).parents[1] / "tests" / "shared"))
from spaces import played

TURNS = 100
NAMES = (*(listed.name for listed in CATALOGUE if listed.make), "4x4x4", "5x5x5", "7x7x7")


class PuzzleRow(Row):
    """The paths of one puzzle: their turns, how many are proven shortest, and their costs."""

    puzzle: str
    states: int
    mean: float
    longest: int
    proven: int
    cpu_first_s: Tenths
    cpu_mean_s: Tenths
    cpu_most_s: Tenths
    memory_mb: int


def row_of(name: str, states: int, seed: int) -> PuzzleRow:
    """Measure one puzzle, in a separate process."""
    puzzle: AnyPuzzle = puzzle_named(name)
    store = TableStore(Folders.of_platform().cache / "tables")
    rng = np.random.default_rng(seed)
    ways = PathFinder(Analysis(puzzle), store, np.random.default_rng(0))
    lengths, times, proven = [], [], 0
    for number in range(states):
        state, made = scrambled(puzzle, TURNS, rng)
        started = time.process_time()
        way = ways.between(state, puzzle.solved)
        times.append(time.process_time() - started)
        if way is None:
            sys.exit(f"{name}: no way was found for state {number} of seed {seed}")
        turns = [turn.name for turn in (*made, *way.turns)]
        if not played(name, turns).shows(played(name, [])):
            sys.exit(f"{name}: the way of state {number} of seed {seed} leads elsewhere")
        lengths.append(len(way.turns))
        proven += way.shortest
    first_s, *later_s = times
    mean_s, most_s = (statistics.fmean(later_s), max(later_s)) if later_s else (0.0, 0.0)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    lengths_row = statistics.fmean(lengths), max(lengths), proven
    return PuzzleRow(name, states, *lengths_row, first_s, mean_s, most_s, peak)


def measure(given: Given, _: Report) -> Rows:
    """Measure the puzzles one after the other."""
    for name in given.names:
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(1, mp_context=context) as alone:
            yield alone.submit(row_of, name, given.states, given.seed).result()


if __name__ == "__main__":
    parser = parser_of(__doc__, states=50, seed=1)
    parser.add_argument("names", nargs="*", default=NAMES)
    run(parser, measure)
