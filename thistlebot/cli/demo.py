"""The verb `demo`: a full cycle without hardware, with pictures.

It shows how an answer becomes shorter during the search.
"""

import time
from contextlib import closing
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from cube.state import SOLVED, CubeState
from solver.stages.solution import Solution
from thistlebot.cli import options
from thistlebot.cli.run import turn_program
from thistlebot.config import Folders
from thistlebot.reading.reader import Look
from thistlebot.records import solve_record, to_line
from thistlebot.session.choices import Choices
from thistlebot.session.composing import Recorder, solve_session
from thistlebot.session.machine import Machine, open_machine
from thistlebot.solving.approach import Approach
from thistlebot.solving.solver import Solving
from thistlebot.terminal.progress_listener import ProgressListener
from thistlebot.terminal.ready_solver import wait_for_tables
from thistlebot.terminal.screen import Screen


class Shortening:
    """Solves like `Solving`, and prints the four-stage answer and each shorter one."""

    def __init__(self, solving: Solving, screen: Screen) -> None:
        self._solving, self._screen = solving, screen

    def __call__(self, state: CubeState, target: CubeState = SOLVED) -> Solution:
        """Solve a state.

        Raises:
            SolverError: Face turns cannot lead from the state to the target.
            TableError: Tables cannot be built.
        """
        if target == SOLVED:
            self._tell("stages", self._solving.staged(state), "by four stages")
        began_s = time.monotonic()

        def tell(better: Solution) -> None:
            word = "quicker" if self._solving.objective.timed else "shorter"
            self._tell(word, better, f"after {1000 * (time.monotonic() - began_s):.0f} ms")

        return self._solving(state, target, tell)

    def _tell(self, word: str, found: Solution, how: str) -> None:
        objective = self._solving.objective
        took = f", {objective.value(found.moves) / 1000:.2f} s" if objective.timed else ""
        self._screen.line(f"{word:<9} {len(found.moves)} turns{took} {how}")


_BUDGET_MS = 300.0


def demo(
    pictures: Annotated[
        Path, typer.Option(metavar="DIR", help="Where to write the pictures of the scans.")
    ] = Path("demo-pictures"),
    rig: options.Rig = None,
    mistake: options.Mistake = None,
    seed: options.Seed = None,
    json: options.Json = False,
) -> None:
    """Solve a cube on the virtual machine, without any hardware.

    Scrambles a virtual cube, renders what the rig's cameras see, reads and checks it, solves it,
    turns it through the real protocol, and looks again. The first run also builds the solver's
    tables, which takes some 15 seconds.

    [bold]thistlebot demo[/]
    [bold]thistlebot demo --rig cubotino-fast[/]
    [bold]thistlebot demo --mistake "R 7 short"[/]   a turn goes wrong and is corrected
    """
    screen = Screen(quiet=json)
    folders = Folders.of_platform()
    rng = np.random.default_rng(seed)
    choices = Choices(rig, virtual=True, seed=int(rng.integers(2**31)), mistake=mistake)
    with (
        open_machine(choices, folders) as machine,
        closing(_solving(machine, folders, screen)) as solver,
    ):
        wait_for_tables(solver, screen)
        scramble = solver.scramble(rng)
        screen.line(f"scramble  {scramble}")
        turn_program(machine, machine.rig.plan(scramble), screen, "demo")
        looks: list[Look] = []
        recorder = Recorder(pictures, looks)
        with ProgressListener(screen) as listener:
            session = solve_session(
                machine,
                Shortening(solver, screen),
                (listener, recorder),
                looks=looks,
                verb="demo",
            )
            made = session.run()
    if json:
        facelets = made.state.to_facelets()
        line = to_line(
            solve_record(facelets, made.solution, made.program),
            scramble=str(scramble),
            verified=recorder.verified,
            went_wrong=recorder.went_wrong,
            pictures=[str(file) for file in recorder.files],
        )
        typer.echo(line)
    for file in recorder.files:
        screen.line(f"picture   {file}")


def _solving(machine: Machine, folders: Folders, screen: Screen) -> Solving:
    approach = Approach(budget_ms=_BUDGET_MS, rig_turns=True)
    pose = machine.known_pose
    return Solving(folders.cache, approach, machine.rig, screen.note, pose=pose)
