"""What `solve` does with one cube: see it, solve it, turn it, look again, and tell."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import typer

from cube.state import CubeState
from robot.link.packets import describe_program
from solver.search.metrics import Goal
from thistlebot.cli.optional_values import TRACKED
from thistlebot.cli.resume import tell_unfinished
from thistlebot.cli.tables import wait_for_tables
from thistlebot.config import Folders
from thistlebot.records import solve_record, to_line
from thistlebot.session.centre_solving import PictureCube
from thistlebot.session.cube_source import CubeSource
from thistlebot.session.events import CubeRead, Event
from thistlebot.session.machine import Choices, Workshop, open_workshop
from thistlebot.session.recorder import Recorder
from thistlebot.session.session import Plan, Reader, Session
from thistlebot.solving.solver import Approach, Solving
from thistlebot.solving.table_builder import build_later
from thistlebot.terminal.light_watch import LightWatch
from thistlebot.terminal.progress_listener import Listener
from thistlebot.terminal.screen import Screen


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the user wants done with the cube, and told.

    Attributes:
        dry_run: Print the moves instead of turning them.
        verify: Look again after turning.
        learn: Let the profile follow the light.
        centres: How the centres of a picture cube stand; None for a plain cube.
        seed: Of what a virtual cube leaves to chance.
        save: Where to write pictures.
        five_stages: Report five stages, not four.
        packets: Print the packets, too.
        json: Print a record for programs.
    """

    dry_run: bool = False
    verify: bool = True
    learn: bool = False
    centres: str | None = None
    seed: int | None = None
    save: Path | None = None
    five_stages: bool = False
    packets: bool = False
    json: bool = False


def solve_one(
    source: CubeSource,
    wishes: Wishes,
    approach: Approach,
    choices: Choices,
    folders: Folders,
    screen: Screen,
) -> None:
    """Solve one cube, from wherever its state comes.

    Raises:
        ThistlebotError: A part of the machine failed, or the cube is not solved at the end.
    """
    given = source.state()
    with (
        open_workshop(choices, folders) as workshop,
        Listener(screen, five_stages=wishes.five_stages) as listener,
    ):
        solving = None  # a picture cube has a search and tables of its own
        if wishes.centres is None:
            solving = _solving(approach, workshop, folders, screen, wishes)
        recorder = Recorder(wishes.save)
        watch = LightWatch(workshop.profile, folders, screen, learn=wishes.learn)

        def publish(event: Event) -> None:
            listener(event)
            recorder(event)
            watch(event)
            if choices.virtual and source.stored and isinstance(event, CubeRead):
                workshop.put_cube(event.reading)

        if choices.virtual and not source.stored:
            workshop.scramble_virtual_cube(given, np.random.default_rng(wishes.seed))
            given = None
        if not wishes.dry_run:
            workshop.connected_driver()  # a missing board is said before cameras are opened
            tell_unfinished(workshop, screen)
        stored = source.reader(workshop.profile)
        verify = wishes.verify and not wishes.dry_run
        reader, checker = _readers(workshop, stored, given, verify=verify)
        picture = None
        if wishes.centres is not None:
            told = None if wishes.centres == TRACKED else wishes.centres
            picture = PictureCube(
                workshop, told, source.scramble, wishes.seed, dry_run=wishes.dry_run
            )
        solve = picture.solving(approach.budget_ms, screen.note) if picture else solving
        assert solve is not None
        session = Session(
            solve,
            workshop.rig,
            reader=reader,
            checker=checker,
            driver=None if wishes.dry_run else workshop.driver(),
            publish=publish,
        )
        plan = session.run(given)
    _tell(screen, plan, recorder, wishes, picture)
    if solving is not None:
        _care_for_tables(solving, folders, approach.goal, screen)


def _solving(
    approach: Approach, workshop: Workshop, folders: Folders, screen: Screen, wishes: Wishes
) -> Solving:
    """Begin to load the tables; wait only where there is no answer without them."""
    # Whoever looks on may wait for tables at the end; a script has them built behind its back.
    build = screen.live.is_terminal and not wishes.json
    solving = Solving(folders.cache, approach, workshop.rig, screen.note, build=build)
    if solving.forbidden:
        wait_for_tables(solving, screen)  # five faces have no small tables
    return solving


def _readers(
    workshop: Workshop, stored: Reader | None, given: CubeState | None, *, verify: bool
) -> tuple[Reader | None, Reader | None]:
    """Return who reads the cube before, and who after turning."""
    checker = workshop.view_reader() if verify else None
    if stored is not None:
        return stored, checker
    if given is not None:
        return None, checker
    return checker or workshop.view_reader(), checker


def _tell(
    screen: Screen, plan: Plan, recorder: Recorder, wishes: Wishes, picture: PictureCube | None
) -> None:
    if picture is not None:
        screen.line(f"centres   {picture.before} before, {picture.after(plan.solution)} after")
    if wishes.json:
        record = solve_record(
            plan.state.to_facelets(), plan.solution, plan.program, five_stages=wishes.five_stages
        )
        record["verified"] = recorder.verified
        if picture is not None:
            record["centres"] = str(picture.before)
            record["centres_after"] = str(picture.after(plan.solution))
        typer.echo(to_line(record))
    if wishes.packets:
        for line in describe_program(plan.program):
            screen.line(line)
    for file in recorder.files:
        screen.note(f"wrote {file}")


def _care_for_tables(solving: Solving, folders: Folders, goal: Goal, screen: Screen) -> None:
    """Have the tables that the answer lacked built; the whole answer stands already."""
    if solving.building:
        wait_for_tables(solving, screen)
    elif solving.lacking and build_later(folders.cache, goal):
        screen.note("tables for shorter answers are being built in the background, once")
