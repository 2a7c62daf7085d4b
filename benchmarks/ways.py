"""Paths from random states to the solved one: run `python -m benchmarks.ways [NAME …]`.

Each path is executed in space after the scramble and must bring every sticker home. Prints a row
for each puzzle: the number of states, the mean and the longest path, the number of proven shortest
ones, the mean that others have published (– for none), the time and processor time of a path after
the first one (which builds or loads the tables), and the peak memory of the process. With --pairs
the path leads to another random state. Turns are those of single layers; with --wide, any layers
from one side on turn together, for one.
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
from puzzles.kinds.box import Box
from puzzles.kinds.catalogue import AnyPuzzle, puzzle_named
from puzzles.kinds.puzzle import scrambled
from puzzles.paths.finder import PathFinder
from puzzles.paths.large.cube_turns import wide_count
from puzzles.paths.large.frames import BUDGET_MS
from puzzles.paths.way import MEMORY
from solver.tables import TableStore
from thistlebot.config import Folders

sys.path.append(str(Path(__file__).parents[1] / "tests" / "shared"))
from spaces import played


class PuzzleRow(Row):
    """The paths of one puzzle: their turns, how many are proven shortest, and their costs."""

    puzzle: str
    states: int
    mean: float
    longest: int
    proven: int
    published: Tenths | None
    mean_s: Tenths
    cpu_mean_s: Tenths
    cpu_most_s: Tenths
    memory_mb: int


PUBLISHED = {
    ("4x4x4", False): 64.6,  # 4x4x4 to 7x7x7: the winners of Kaggle's contest Santa 2023
    ("4x4x4", True): 44.5,  # the three-phase solver of Chen Shuang
    ("5x5x5", False): 95.2,
    ("6x6x6", False): 156.7,
    ("7x7x7", False): 205.3,
    ("3x3x3x3", False): 227.0,  # the shortest solution by a person
}
"""The shortest means that others have published, or one solution: see docs/measurements/ways.md."""


def row_of(name: str, chosen: Given) -> PuzzleRow:
    """Measure one puzzle, in a separate process."""
    puzzle: AnyPuzzle = puzzle_named(name)
    store = TableStore(Folders.of_platform().cache / "tables")
    rng = np.random.default_rng(chosen.seed)
    memory = MEMORY if chosen.memory is None else chosen.memory * 1_000_000
    ways = PathFinder(
        Analysis(puzzle),
        store,
        np.random.default_rng(0),
        memory,
        budget_ms=chosen.budget_ms,
        wide=chosen.wide,
    )
    ways.between(scrambled(puzzle, chosen.turns, np.random.default_rng(0))[0], puzzle.solved)
    lengths, times, spent, proven = [], [], [], 0
    for number in range(chosen.states):
        one, made = scrambled(puzzle, chosen.turns, rng)
        other, goal = scrambled(puzzle, chosen.turns if chosen.pairs else 0, rng)
        begun, started = time.monotonic(), time.process_time()
        way = ways.between(one, other)
        times.append(time.process_time() - started)
        spent.append(time.monotonic() - begun)
        if way is None:
            sys.exit(f"{name}: no way was found for state {number} of seed {chosen.seed}")
        turns = [turn.name for turn in (*made, *way.turns)]
        if not played(name, turns).shows(played(name, [turn.name for turn in goal])):
            sys.exit(f"{name}: the way of state {number} of seed {chosen.seed} leads elsewhere")
        box = puzzle if chosen.wide and isinstance(puzzle, Box) else None
        lengths.append(len(way.turns) if box is None else wide_count(box, way.turns))
        proven += way.shortest
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    mean, mean_s = statistics.fmean(lengths), statistics.fmean(times)
    others = PUBLISHED.get((name, chosen.wide))
    return PuzzleRow(
        *(name, chosen.states, mean, max(lengths), proven, others),
        *(statistics.fmean(spent), mean_s, max(times), peak),
    )


NAMES = (
    *(
        "URFDL",
        "three-colour",
        "balls-cube",
        "supercube",
        "phi1",
        "phi2",
        "phi3",
        "4x4x4",
        "megaminx",
        "5x5x5",
        "7x7x7",
    ),
    "3x3x3x3",
)


def measure(given: Given, _: Report) -> Rows:
    """Measure the puzzles one after the other."""
    for name in given.names:
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(1, mp_context=context) as alone:
            yield alone.submit(row_of, name, given).result()


if __name__ == "__main__":
    parser = parser_of(__doc__, states=50, seed=1, turns=100, pairs=False)
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--memory", type=int, metavar="MB")
    parser.add_argument("--budget-ms", type=float, metavar="MS", default=BUDGET_MS)
    parser.add_argument("--wide", action="store_true")
    run(parser, measure)
