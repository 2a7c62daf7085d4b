"""Whole runs of every shipped rig on its virtual machine, with and without faults.

Run `python -m benchmarks.rig_runs --rig cubotino --runs 300 --faults 2`. Each run puts a random
cube into the virtual machine, looks with its own rendered cameras, solves, turns through the real
protocol and looks again, in simulated time. It has to end with a cube that was seen solved and is,
or with an error that leaves nothing claimed and says what to do; anything else is wrong.
"""

import argparse
import collections
import concurrent.futures
import contextlib
import dataclasses
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.rig_runs.trial import RigOutcome, play
from robot.rigs.catalogue import NAMES


def outcomes(names: list[str], seeds: range, count: int, jobs: int) -> Iterator[RigOutcome]:
    """Play all runs, several at once."""
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        waiting = [pool.submit(play, name, seed, count) for name in names for seed in seeds]
        for done in concurrent.futures.as_completed(waiting):
            yield done.result()


def main() -> int:
    """Run from the command line; 1 when anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rig", action="append", choices=NAMES, help="default: all")
    parser.add_argument("--runs", type=int, default=300, help="of each rig")
    parser.add_argument("--faults", type=int, default=0, help="of each run: 0, 1 or 2")
    parser.add_argument("--seed", type=int, default=0, help="of the first run")
    parser.add_argument("--jobs", type=int, default=2, help="runs at the same time")
    parser.add_argument("--json", type=Path, help="write every run, one a line")
    chosen = parser.parse_args()
    seeds = range(chosen.seed, chosen.seed + chosen.runs)
    ends: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    began_s, wrong = time.monotonic(), 0
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(chosen.json.open("w")) if chosen.json else None
        for done in outcomes(chosen.rig or list(NAMES), seeds, chosen.faults, chosen.jobs):
            ends[done.rig][done.end] += 1
            if done.wrong:
                wrong += 1
                print(f"{done.rig} {done.seed} {done.faults}: {done.wrong}\n  {done.text[-1500:]}")
            if file is not None:
                print(json.dumps(dataclasses.asdict(done)), file=file, flush=True)
    for name, counted in ends.items():
        told = ", ".join(f"{count} {end}" for end, count in counted.most_common())
        print(f"{name:<14} {told}")
    print(f"{wrong} wrong; {time.monotonic() - began_s:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
