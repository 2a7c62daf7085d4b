"""The verb `solve`: scan, solve, turn, verify; once, or for every cube that comes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from cube.moves import MoveSequence
from cube.notations import parse_facelets
from cube.state import SOLVED, CubeState
from robot.packets import describe_program
from robot.rig import Rig
from thistlebot.centre_solving import PictureCube, picture_cube, require_plain
from thistlebot.cli import options
from thistlebot.cli.resume import resume_solve, tell_unfinished
from thistlebot.cli.tables import wait_for_tables
from thistlebot.config import Folders, load_rig
from thistlebot.errors import UsageError
from thistlebot.events import CubeRead, Event, Verified
from thistlebot.light_watch import LightWatch
from thistlebot.listener import Listener
from thistlebot.machine import Choices, Workshop, open_workshop
from thistlebot.records import solve_record, to_line
from thistlebot.session import Plan, Reader, Session
from thistlebot.show import Screen
from thistlebot.solving import Approach, Goal, Method, Solving, solvable_state
from thistlebot.table_builder import build_later
from vision.frame import Frame
from vision.reading import CubeReading


def register(app: typer.Typer) -> None:
    """Add the verb of this module."""
    app.command("solve")(solve)


def solve(
    photos: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Read six photos named by face: U.jpg, R.jpg …"),
    ] = None,
    rgb: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Read colours already sampled, one cube.")
    ] = None,
    any_orientation: options.AnyOrientation = False,
    any_order: options.AnyOrder = False,
    cube: Annotated[
        int, typer.Option(metavar="N", min=2, max=3, help="A cube of 3 or of 2 stickers a side.")
    ] = 3,
    facelets: Annotated[
        str | None, typer.Option(metavar="S", help="The state as 54 letters, instead of a scan.")
    ] = None,
    scramble: Annotated[
        str | None, typer.Option(metavar="MOVES", help="The state as the moves that made it.")
    ] = None,
    states: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Solve a file of facelet strings, one a line."),
    ] = None,
    wait: Annotated[
        bool, typer.Option("--wait", help="Wait for the button or the space bar, cube after cube.")
    ] = False,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume", help="Finish the moves of a solve that was cut off; nothing is scanned."
        ),
    ] = False,
    verify: Annotated[
        bool, typer.Option("--verify/--no-verify", help="Look again after turning.")
    ] = True,
    save: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write the pictures with the reading drawn on them."),
    ] = None,
    order: Annotated[
        str | None, typer.Option(metavar="FACES", help="Order of the faces in --facelets.")
    ] = None,
    five_stages: Annotated[
        bool, typer.Option("--five-stages", help="Report the five stages of S2, not four.")
    ] = False,
    learn: Annotated[
        bool, typer.Option("--learn", help="Let the profile follow the light of verified solves.")
    ] = False,
    method: options.Method = Method.ANYTIME,
    strict: options.Strict = False,
    objective: options.Objective = Goal.HTM,
    forbidden: options.Forbidden = "",
    centres: options.Centres = None,
    budget_ms: options.Budget = 100.0,
    threads: options.Threads = 1,
    rig: options.Rig = None,
    profile: options.Profile = None,
    port: options.Port = None,
    camera: options.Camera = None,
    virtual: options.Virtual = False,
    dry_run: options.DryRun = False,
    seed: options.Seed = None,
    json: options.Json = False,
    verbose: options.Verbose = 0,
) -> None:
    """Scan the cube, find a short solution, turn it, and look whether it is solved.

    No motor moves unless the reading is trusted.

    [bold]thistlebot solve --wait[/]                      the machine in use
    [bold]thistlebot solve --photos DIR --dry-run -v[/]   from six photos to packets, no rig
    [bold]thistlebot solve --virtual[/]                   the whole loop without hardware
    [bold]thistlebot solve --scramble "R U F2" --dry-run[/]
    [bold]thistlebot solve --cube 2 --photos DIR --dry-run[/]
    [bold]thistlebot solve --centres[/]                     a picture cube
    """
    screen = Screen(quiet=json)
    folders = Folders.of_platform()
    _one_source(photos=photos, rgb=rgb, facelets=facelets, scramble=scramble, states=states)
    if cube == 2:
        if not dry_run:
            raise UsageError("the rig turns 3×3×3 cubes: --cube 2 goes with --dry-run")
        from thistlebot.pocket_solve import solve_pocket  # noqa: PLC0415 - OpenCV loads when needed

        solve_pocket(
            folders.cache,
            screen,
            photos=photos,
            rgb=rgb,
            facelets=facelets,
            scramble=scramble,
            as_json=json,
        )
        return
    choices = Choices(rig, profile, port, tuple(camera or ()), virtual, seed or 0)
    approach = Approach(method, objective, budget_ms, threads, strict, forbidden.upper())
    if centres is not None:
        require_plain(approach, many=bool(states or wait or resume))
    if states is not None:
        raise typer.Exit(_solve_file(states, approach, load_rig(rig, folders), as_json=json))
    if wait:
        if dry_run or photos or facelets or scramble:
            raise UsageError("--wait scans every cube by itself: leave the other sources away")
        from thistlebot.waiting import serve_cubes  # noqa: PLC0415 - OpenCV loads when it is needed

        serve_cubes(choices, folders, approach, screen)
        return
    if resume:
        if dry_run or virtual or photos or facelets or scramble:
            raise UsageError("--resume takes the cube as it is: leave the other sources away")
        resume_solve(choices, folders, screen, verify=verify, as_json=json)
        return
    if (any_orientation or any_order) and photos is None and rgb is None:
        raise UsageError("--any-orientation and --any-order go with --photos or --rgb")
    given = _given(facelets, scramble, order)
    with (
        open_workshop(choices, folders) as workshop,
        Listener(screen, five_stages=five_stages) as listener,
    ):
        # Whoever looks on may wait for tables at the end; a script has them built behind its back.
        solving = Solving(
            folders.cache,
            approach,
            workshop.rig,
            screen.note,
            build=screen.live.is_terminal and not json,
        )
        recorder = Recorder(save)
        watch = LightWatch(workshop.profile, folders, screen, learn=learn)

        def publish(event: Event) -> None:
            listener(event)
            recorder(event)
            watch(event)
            if virtual and (photos or rgb) and isinstance(event, CubeRead):
                workshop.put_cube(event.reading)

        if virtual and photos is None and rgb is None:
            workshop.scramble_virtual_cube(given, np.random.default_rng(seed))
            given = None
        if not dry_run:
            workshop.connected_driver()  # a missing board is said before cameras are opened
            tell_unfinished(workshop, screen)
        stored = _stored_reader(
            workshop, photos, rgb, any_orientation=any_orientation, any_order=any_order
        )
        reader, checker = _readers(workshop, stored, given, verify=verify and not dry_run)
        picture = picture_cube(workshop, centres, scramble, seed, dry_run=dry_run)
        session = Session(
            picture.solving(budget_ms) if picture else solving,
            workshop.rig,
            reader=reader,
            checker=checker,
            driver=None if dry_run else workshop.driver(),
            publish=publish,
        )
        plan = session.run(given)
    _print(
        screen,
        plan,
        recorder,
        as_json=json,
        packets=dry_run and verbose > 0,
        five_stages=five_stages,
        picture=picture,
    )
    _care_for_tables(solving, folders, objective, screen)


def _care_for_tables(solving: Solving, folders: Folders, goal: Goal, screen: Screen) -> None:
    """Have the tables that the answer lacked built; the whole answer stands already."""
    if solving.building:
        wait_for_tables(solving, screen)
    elif solving.lacking and build_later(folders.cache, goal):
        screen.note("tables for shorter answers are being built in the background, once")


def _solve_file(file: Path, approach: Approach, rig: Rig, *, as_json: bool) -> int:
    """Solve a file of states with the full tables, and return the exit code."""
    from thistlebot.batch import solve_states  # noqa: PLC0415 - OpenCV loads when it is needed

    screen = Screen(quiet=as_json)
    solving = Solving(Folders.of_platform().cache, approach, rig, screen.note, build=True)
    wait_for_tables(solving, screen)
    return solve_states(file, solving, rig, as_json=as_json)


class Recorder:
    """Keeps what the session saw: for the JSON record, and as pictures when asked to."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self.verified = False
        self.files: list[Path] = []

    def __call__(self, event: Event) -> None:
        """Take note of one event."""
        match event:
            case CubeRead(frames, reading):
                self._save("scan", frames, reading)
            case Verified(frames, reading, solved):
                self.verified = solved
                self._save("verify", frames, reading)
            case _:
                pass

    def _save(self, name: str, frames: tuple[Frame, ...], reading: CubeReading) -> None:
        if self._folder is not None:
            from thistlebot.pictures import save_reading  # noqa: PLC0415 - OpenCV loads when it is needed

            self.files += save_reading(self._folder, name, frames, reading)


def _one_source(**sources: object) -> None:
    chosen = [f"--{name}" for name, value in sources.items() if value is not None]
    if len(chosen) > 1:
        raise UsageError(f"{' and '.join(chosen)} both say what the cube is; give one of them")


def _given(facelets: str | None, scramble: str | None, order: str | None) -> CubeState | None:
    if facelets is not None:
        return solvable_state(parse_facelets(facelets, order))
    return SOLVED.apply(MoveSequence.parse(scramble)) if scramble is not None else None


def _stored_reader(
    workshop: Workshop,
    photos: Path | None,
    rgb: Path | None,
    *,
    any_orientation: bool,
    any_order: bool,
) -> Reader | None:
    """Return who reads files that the user named, or None."""
    if photos is None and rgb is None:
        return None
    from thistlebot.readers import ColourReader, PhotoReader  # noqa: PLC0415 - OpenCV loads when it is needed

    if photos is not None:
        return PhotoReader(
            photos, workshop.profile, any_orientation=any_orientation, any_order=any_order
        )
    assert rgb is not None
    return ColourReader(rgb, workshop.profile, any_orientation=any_orientation, any_order=any_order)


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


def _print(
    screen: Screen,
    plan: Plan,
    recorder: Recorder,
    *,
    as_json: bool,
    packets: bool,
    five_stages: bool,
    picture: PictureCube | None,
) -> None:
    if picture is not None:
        screen.line(f"centres   {picture.before} before, {picture.after(plan.solution)} after")
    if as_json:
        record = solve_record(
            plan.state.to_facelets(), plan.solution, plan.program, five_stages=five_stages
        )
        record["verified"] = recorder.verified
        if picture is not None:
            record["centres"] = str(picture.before)
            record["centres_after"] = str(picture.after(plan.solution))
        typer.echo(to_line(record))
    if packets:
        for line in describe_program(plan.program):
            screen.line(line)
    for file in recorder.files:
        screen.note(f"wrote {file}")
