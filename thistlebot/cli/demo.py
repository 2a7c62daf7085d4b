"""The verb `demo`: the whole loop without hardware, and the pictures of it."""

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from thistlebot.cli import options
from thistlebot.cli.run import turn_program
from thistlebot.config import Folders
from thistlebot.looking.reader import Look
from thistlebot.records import solve_record, to_line
from thistlebot.session.choices import Choices
from thistlebot.session.composing import solve_session
from thistlebot.session.machine import open_machine
from thistlebot.session.recorder import Recorder
from thistlebot.solving.approach import Approach
from thistlebot.solving.scrambles import random_scramble
from thistlebot.solving.solver import Solving
from thistlebot.terminal.progress_listener import ProgressListener
from thistlebot.terminal.screen import Screen


def register(app: typer.Typer) -> None:
    """Add the verb of this module."""
    app.command("demo")(demo)


def demo(
    pictures: Annotated[
        Path, typer.Option(metavar="DIR", help="Where to write the pictures of the scans.")
    ] = Path("demo-pictures"),
    rig: options.Rig = None,
    seed: options.Seed = None,
    json: options.Json = False,
) -> None:
    """Show the whole machine at work on the virtual rig: no hardware, no questions.

    A virtual cube is scrambled, seen by the rig's rendered cameras, read, checked, solved, turned
    through the real protocol, and looked at again.

    [bold]thistlebot demo[/]
    [bold]thistlebot demo --rig cubotino-fast[/]
    """
    screen = Screen(quiet=json)
    folders = Folders.of_platform()
    rng = np.random.default_rng(seed)
    choices = Choices(rig, virtual=True, seed=int(rng.integers(2**31)))
    with open_machine(choices, folders) as machine:
        solver = Solving(
            folders.cache, Approach(), machine.rig, screen.note, pose=machine.known_pose
        )
        scramble = random_scramble(solver, rng)
        screen.line(f"scramble  {scramble}")
        turn_program(machine, machine.rig.plan(scramble), screen, "demo")
        looks: list[Look] = []
        recorder = Recorder(pictures, looks)
        with ProgressListener(screen) as listener:
            session = solve_session(machine, solver, (listener, recorder), looks=looks, verb="demo")
            made = session.run()
    if json:
        facelets = made.state.to_facelets()
        record = solve_record(facelets, made.solution, made.program)
        record |= {"scramble": str(scramble), "verified": recorder.verified}
        record["went_wrong"] = recorder.went_wrong
        record["pictures"] = [str(file) for file in recorder.files]
        typer.echo(to_line(record))
    for file in recorder.files:
        screen.line(f"picture   {file}")
