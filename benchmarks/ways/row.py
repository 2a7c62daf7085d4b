"""One puzzle's row of the benchmark of ways."""

import argparse
import resource
import statistics
import sys
import time

import numpy as np

from benchmarks.ways.space import played
from puzzles.groups.analysis import Analysis
from puzzles.kinds.catalogue import AnyPuzzle, puzzle_named
from puzzles.kinds.puzzle import scrambled
from puzzles.paths.finder import MEMORY, PathFinder
from solver.tables import TableStore
from thistlebot.config import Folders


def row_of(name: str, chosen: argparse.Namespace) -> str:
    """Measure one puzzle, in a process of its own."""
    puzzle: AnyPuzzle = puzzle_named(name)
    store = TableStore(Folders.of_platform().cache / "tables")
    rng = np.random.default_rng(chosen.seed)
    memory = MEMORY if chosen.memory is None else chosen.memory * 1_000_000
    ways = PathFinder(Analysis(puzzle), store, np.random.default_rng(0), memory)
    ways.between(scrambled(puzzle, chosen.turns, np.random.default_rng(0))[0], puzzle.solved)
    lengths, times, proven = [], [], 0
    for number in range(chosen.states):
        one, made = scrambled(puzzle, chosen.turns, rng)
        other, goal = scrambled(puzzle, chosen.turns if chosen.pairs else 0, rng)
        started = time.process_time()
        way = ways.between(one, other)
        times.append(time.process_time() - started)
        if way is None:
            sys.exit(f"{name}: no way was found for state {number} of seed {chosen.seed}")
        turns = [turn.name for turn in (*made, *way.turns)]
        if not played(name, turns).shows(played(name, [turn.name for turn in goal])):
            sys.exit(f"{name}: the way of state {number} of seed {chosen.seed} leads elsewhere")
        lengths.append(len(way.turns))
        proven += way.shortest
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return (
        f"| `{name}` | {chosen.states} | {statistics.fmean(lengths):.2f} | {max(lengths)} | "
        f"{proven} | {statistics.fmean(times):.1f} s | {max(times):.1f} s | {peak} MB |"
    )
