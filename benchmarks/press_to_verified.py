"""How long a warm machine takes from the press to the cube seen solved, and what each part took.

Run `python -m benchmarks.press_to_verified --cubes 100`. Random cubes are solved one after the
other on the virtual machine, in real time: its motors turn as slowly as the rig file says, its
cameras take the time of their pictures, and reading and solving take what they take here. The
exit code is 1 when a median misses its goal.
"""

import argparse
import json
import sys
import time
from dataclasses import astuple
from pathlib import Path

import numpy as np

from cube.random_states import random_state
from cube.state import SOLVED
from thistlebot.config import Folders
from thistlebot.session.choices import Choices
from thistlebot.session.composing import solve_session
from thistlebot.session.machine import Machine, open_machine
from thistlebot.session.run_clock import RunClock, RunTimes
from thistlebot.solving.approach import Approach
from thistlebot.solving.solver import Solving
from thistlebot.terminal.clock_bar import print_times
from thistlebot.terminal.screen import Screen

TOTAL_GOAL_S = 1.5
IDLE_GOAL_S = 0.2
"""Of the total, neither turning nor exposing."""


def timed_runs(machine: Machine, approach: Approach, cubes: int, seed: int) -> list[RunTimes]:
    """Solve random cubes, and return what each took.

    Args:
        machine: A virtual one.
        approach: How to solve.
        cubes: How many, besides one that warms the machine up.
        seed: Of the cubes.
    """
    solving = Solving(
        machine.folders.cache, approach, machine.rig, build=True, lanes=machine.known_lanes
    )
    solving.wait()
    machine.driver()
    clock = RunClock(time.monotonic)
    rng = np.random.default_rng(seed)
    taken = []
    for _ in range(cubes + 1):
        machine.scramble_virtual_cube(random_state(rng), rng)
        clock.press()
        solve_session(machine, solving, (clock,)).run()
        if machine.world.rig.state != SOLVED:
            raise AssertionError("seen solved, and is not")
        taken.append(clock.times)
    return taken[1:]


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rig", type=Path, default=Path("six"))
    parser.add_argument("--cubes", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--budget-ms", type=float, default=Approach().budget_ms)
    parser.add_argument("--json", type=Path, help="write the clock of every run, one a line")
    chosen = parser.parse_args()
    approach = Approach(budget_ms=chosen.budget_ms)
    choices = Choices(rig=chosen.rig, virtual=True)
    with open_machine(choices, Folders.of_platform()) as machine:
        taken = timed_runs(machine, approach, chosen.cubes, chosen.seed)
    if chosen.json:
        lines = [json.dumps(times.to_record()) + "\n" for times in taken]
        chosen.json.write_text("".join(lines), encoding="utf-8")
    total, idle = ([getattr(times, name) for times in taken] for name in ("total_s", "idle_s"))
    missed = 0
    for what, seconds, goal_s in (
        ("from press to verified", total, TOTAL_GOAL_S),
        ("neither turning nor exposing", idle, IDLE_GOAL_S),
    ):
        median, most = np.quantile(seconds, [0.5, 0.9])
        missed += bool(median > goal_s)
        print(f"{what:<29} median {median:.3f} s, p90 {most:.3f} s; goal {goal_s} s")
    print("the median of each part:")
    print_times(Screen(), RunTimes(*map(float, np.median([*map(astuple, taken)], axis=0))))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
