"""The verb `pattern`: show or make named arrangements."""

from pathlib import Path
from typing import Annotated

import typer

from cube.drawing import net_drawing
from cube.moves import htm
from cube.patterns import PATTERNS, Pattern
from cube.state import SOLVED
from documents.files import write_atomically
from robot.rigs.mechanism import Mechanism
from solver.stages.solution import Solution
from thistlebot.cli import options
from thistlebot.cli.option_rules import require_only, require_with
from thistlebot.cli.solve.one import SolveJob, solve_one
from thistlebot.config import Folders, load_rig
from thistlebot.records import full_solve_record, solve_record, to_line
from thistlebot.session.choices import Choices
from thistlebot.session.cube_source import CubeSource
from thistlebot.session.target import Target, pattern_named
from thistlebot.solving.approach import Approach
from thistlebot.terminal.by_hand import tell_by_hand
from thistlebot.terminal.screen import Screen


def pattern(
    context: typer.Context,
    name: Annotated[
        str | None,
        typer.Argument(
            help="Name of the pattern, such as superflip. Without it: list all patterns."
        ),
    ] = None,
    pictures: Annotated[
        Path | None,
        typer.Option(
            "--pictures", metavar="DIR", help="Write the nets as SVG files into this folder."
        ),
    ] = None,
    verify: options.Verify = True,
    rig: options.Rig = None,
    profile: options.Profile = None,
    scheme: options.Scheme = None,
    port: options.Port = None,
    camera: options.Camera = None,
    virtual: options.Virtual = False,
    aligned: options.Aligned = False,
    dry_run: options.DryRun = False,
    seed: options.Seed = None,
    json: options.Json = False,
) -> None:
    """Make a pattern on the cube, or list the patterns.

    Reads the cube first, as `solve` does; it need not be solved. With --dry-run and no camera, the
    moves start from a solved cube.

    [bold]thistlebot pattern[/]                                  list all patterns
    [bold]thistlebot pattern superflip[/]                        in the rig
    [bold]thistlebot pattern "cube in cube" --virtual[/]         on the virtual rig
    [bold]thistlebot pattern checkerboard --dry-run[/]           print the moves only
    """
    screen, colours = Screen(quiet=json), options.parse_scheme(scheme)
    if name is None or pictures is not None:
        way = ("the list", "scheme") if pictures is None else ("--pictures", "pictures")
        require_only(context, way[0], ("name", "json", way[1]))
        for each in PATTERNS if name is None else (pattern_named(name),):
            _show(each, pictures, colours, screen, as_json=json)
        return
    wanted = pattern_named(name)
    live = not dry_run or virtual or camera is not None
    require_with(
        context,
        ("profile", "a cube that a camera reads", live),
        ("verify", "moves that a rig turns", not dry_run),
        ("seed", "--virtual", virtual),
    )
    folders = Folders.of_platform()
    machine = load_rig(rig, folders)
    screen.line(f"pattern   {wanted.name}{'' if live else ', from a solved cube'}: {wanted.text}")
    if not live and all(move.face in machine.faces for move in wanted.moves):
        _tell(wanted, machine, screen, colours, as_json=json)
        return
    source = CubeSource() if live else CubeSource(scramble="")
    choices = Choices(rig, profile, port, tuple(camera or ()), virtual, seed or 0, colours, aligned)
    solve_one(
        SolveJob(
            source,
            choices,
            Approach(),
            folders,
            screen,
            Target(wanted.state),
            dry_run=dry_run,
            verify=verify,
            seed=seed,
            json=json,
        )
    )


def _show(
    each: Pattern,
    pictures: Path | None,
    colours: dict[str, str] | None,
    screen: Screen,
    *,
    as_json: bool,
) -> None:
    facelets = each.state.to_facelets()
    screen.line(f"{each.name}: {each.text}")
    screen.line(f"moves     {each.moves}")
    screen.net(facelets, colours)
    screen.line()
    record = {"name": each.name, "description": each.text, "facelets": facelets.text}
    record["moves"] = str(each.moves)
    if pictures is not None:
        picture = pictures / f"{each.slug}.svg"
        write_atomically(picture, net_drawing(facelets).svg())
        screen.note(f"wrote {picture}")
        record["picture"] = str(picture)
    if as_json:
        typer.echo(to_line(record))


def _tell(
    wanted: Pattern,
    rig: Mechanism,
    screen: Screen,
    colours: dict[str, str] | None,
    *,
    as_json: bool,
) -> None:
    """Print the known moves that make a pattern from a solved cube."""
    solution = Solution(SOLVED, wanted.moves, wanted.state, value=htm(wanted.moves))
    program = rig.plan(wanted.moves)
    before = SOLVED.to_facelets()
    screen.solution(full_solve_record(before, solution, program))
    screen.actions(program)
    tell_by_hand(screen, before, wanted.moves, colours)
    if as_json:
        record = solve_record(before, solution, program)
        typer.echo(to_line(record, verified=False, went_wrong=[]))
