"""The verb `solve`: scan, solve, turn, verify; for one cube, or for one after another.

With `--states`, a file of them: one cube per input line, one solution per output line, in order.

Solving by hand is offered if no rig is described and no board answers.
"""

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from cube.state import CubeState
from robot.errors import NoAnswerError, PortMissingError
from robot.rigs.mechanism import Mechanism
from robot.running.find_port import find_port
from solver.stages.solution import Solution
from thistlebot.cli import options
from thistlebot.cli.option_rules import given_options, require_only, require_with
from thistlebot.cli.options import SolveMethod
from thistlebot.cli.solve.one import SolveJob, solve_one, solving_kind
from thistlebot.cli.solve.states import solve_states
from thistlebot.cli.verbs import EXHIBITION
from thistlebot.config import Folders, find_rig_file, load_rig, megabytes
from thistlebot.errors import UsageError
from thistlebot.session.choices import Choices
from thistlebot.session.cube_source import CubeSource, require_one
from thistlebot.session.target import Target
from thistlebot.solving.approach import Approach, Method
from thistlebot.terminal.keyboard import Keyboard
from thistlebot.terminal.ready_solver import wait_for_tables
from thistlebot.terminal.screen import Screen


def with_rig(
    choices: Choices, folders: Folders, screen: Screen, *, as_json: bool
) -> Choices | None:
    """Offer to solve by hand if there is no rig file and no board answers.

    Args:
        choices: What the user chose.
        folders: Where rig files are.
        screen: Only a user at a terminal is asked.
        as_json: Whether a program reads the output; nobody is asked.

    Returns:
        The choices, with the port that was searched for a board; None to solve by hand.

    Raises:
        LinkError: There is no board, and nobody agreed; the message says what to type.
    """
    if choices.rig or choices.port or choices.virtual or find_rig_file(None, folders):
        return choices
    try:
        return replace(choices, port=find_port())
    except (PortMissingError, NoAnswerError) as error:
        asks = Keyboard(wanted=screen.live.is_terminal and not as_json).available
        if asks and typer.confirm(
            "there is no rig file: solve by hand with the webcam?", default=True
        ):
            return None
        raise type(error)(
            f"{error}\n"
            "there is no rig file either: to solve by hand with a webcam, type thistlebot "
            "solve --hand; without a webcam, add --virtual"
        ) from error


Photos = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="Read photos named by face: U.jpg, R.jpg …; U2.jpg is a second photo of U.",
    ),
]
Facelets = Annotated[
    str | None,
    typer.Option(
        metavar="S",
        help="Start from this state, given as 54 letters of faces or colours, instead of a scan.",
    ),
]
Scramble = Annotated[
    str | None,
    typer.Option(
        metavar="MOVES", help="Start from the state that these moves make from the solved cube."
    ),
]
States = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Solve a file of facelet strings, one per line; - reads standard input.",
        rich_help_panel="The cube",
    ),
]
To = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|S|DIR|FILE|rig",
        help=(
            "Target instead of the solved cube: a name listed by `pattern`, 54 letters, a folder "
            "of photos or a file of colours of another cube, or rig to show it to the rig first."
        ),
    ),
]
AnyWay = Annotated[
    bool,
    typer.Option(
        "--any-order",
        "--any-orientation",
        help="The six faces may come in any order and any rotation.",
        rich_help_panel="The cube",
    ),
]
Hand = Annotated[
    bool,
    typer.Option(
        "--hand", help="Show the faces to a webcam, and turn the cube yourself; no rig is used."
    ),
]
Wait = Annotated[
    bool,
    typer.Option(
        "--wait", help="Solve one cube after another; start each with the button or the space bar."
    ),
]


_APPROACH = ("method", "objective", "budget_ms", "threads", "rig")
_MACHINE = ("profile", "port", "camera", "virtual", "mistake", "seed")
_PROOFS = (SolveMethod.OPTIMAL, SolveMethod.ALL)
_CUBE = ("cube", "photos", "facelets", "scramble")
# Ways to solve that are not one cube before the cameras, and what each of them can honour.
_WAYS = {
    "states": (*_APPROACH, "cube", "states", "order", "dry_run", "json"),
    "wait": (*_APPROACH, *_MACHINE, "scheme", "cube", "wait", "json"),
    "hand": (
        *_APPROACH[:-1],
        *("profile", "scheme", "camera", "cube", "hand", "any_order"),
        *("to", "order", "dry_run", "json"),
    ),
}


def solve(
    context: typer.Context,
    photos: Photos = None,
    hand: Hand = False,
    any_order: AnyWay = False,
    cube: options.CubeSize = 3,
    facelets: Facelets = None,
    scramble: Scramble = None,
    states: States = None,
    to: To = None,
    wait: Wait = False,
    verify: options.Verify = True,
    order: options.Order = None,
    method: options.HowToSolve = SolveMethod.ANYTIME,
    objective: options.SolveObjective = None,
    budget_ms: options.Budget = 100.0,
    threads: options.SolveThreads = None,
    rig: options.Rig = None,
    profile: options.Profile = None,
    scheme: options.Scheme = None,
    port: options.Port = None,
    camera: options.Camera = None,
    virtual: options.Virtual = False,
    mistake: options.Mistake = None,
    dry_run: options.DryRun = False,
    seed: options.Seed = None,
    json: options.Json = False,
) -> None:
    """Scan the cube, solve it, turn it, and check that it is solved.

    If the reading is uncertain, no motor moves.

    [bold]thistlebot solve --wait[/]                            one cube after another
    [bold]thistlebot solve --virtual[/]                         without any hardware
    [bold]thistlebot solve --virtual --mistake "R 7 short"[/]   a turn that goes wrong
    [bold]thistlebot solve --hand[/]                            with a webcam, by hand
    [bold]thistlebot solve --photos DIR --dry-run[/]            from six photos to moves
    [bold]thistlebot solve --scramble "R U F2" --dry-run[/]     from a scramble
    [bold]thistlebot solve --cube 2 --photos DIR --dry-run[/]   a pocket cube
    [bold]thistlebot solve --to checkerboard[/]                 make a pattern instead
    [bold]thistlebot solve --to rig[/]                          copy another cube
    """
    screen, folders = Screen(quiet=json, guides=hand), Folders.of_platform()
    _require_together(context)
    job = SolveJob(
        CubeSource(photos, facelets, scramble, order, any_order),
        Choices(
            rig,
            profile,
            port,
            tuple(camera or ()),
            virtual,
            seed or 0,
            options.parse_scheme(scheme),
            mistake=mistake,
        ),
        _approach(method, objective, budget_ms, threads),
        folders,
        screen,
        dry_run=dry_run,
        verify=verify,
        learn=options.setting("THISTLEBOT_LEARN", bool) or False,
        seed=seed,
        json=json,
    )
    if cube == 2:
        _solve_pocket(job, (camera or ["0"])[0] if hand else None)
    elif states is not None:
        raise typer.Exit(_solve_file(states, job, load_rig(rig, folders)))
    elif wait:
        import_module(EXHIBITION).serve_cubes(
            job.choices,
            folders,
            job.approach,
            screen,
            learn=job.learn,
            as_json=json,
            budget_chosen="budget_ms" in given_options(context),
        )
    else:
        _solve_cube(context, job if to is None else replace(job, target=_target(to, job)))


def _approach(
    method: SolveMethod, objective: str | None, budget_ms: float, threads: int | None
) -> Approach:
    return Approach(
        Method.THISTLETHWAITE if method.startswith(Method.THISTLETHWAITE) else Method.ANYTIME,
        objective,
        budget_ms,
        threads,
        strict=method is SolveMethod.STRICT,
        memory_mb=options.setting("THISTLEBOT_MEMORY", megabytes),
        optimal=method in _PROOFS,
        every=method is SolveMethod.ALL,
    )


def _target(to: str, job: SolveJob) -> Target:
    """Return the target: a pattern or letters, or what another cube looks like."""
    if to != "rig" and not Path(to).exists():
        return Target.of(to, job.source.order, job.screen.note)
    from thistlebot.cli.solve.like import like_target

    return like_target(to, job)


def _solve_cube(context: typer.Context, job: SolveJob) -> None:
    """Solve one cube, with the machine or by hand."""
    chosen: Choices | None = job.choices
    if _plain(context):
        chosen = with_rig(job.choices, job.folders, job.screen, as_json=job.json)
    if context.params["hand"] or chosen is None:
        from thistlebot.cli.solve.hand import solve_by_hand

        solve_by_hand(job)
    else:
        solve_one(replace(job, choices=chosen))


def _require_together(context: typer.Context) -> None:
    """Refuse options that do not apply to the chosen way to solve.

    Raises:
        UsageError: The message names the options.
    """
    chosen = context.params
    require_one(**{name: chosen[name] for name in (*_CUBE[1:], "states")})
    if chosen["cube"] == 2:
        shown = ("hand", "camera") if chosen["hand"] else ()
        require_only(context, "--cube 2", (*_CUBE, *shown, "dry_run", "json"))
    for way, honoured in _WAYS.items():
        if chosen[way]:
            require_only(context, f"--{way}", honoured)
            break
    method = chosen["method"]
    searching = not method.startswith(Method.THISTLETHWAITE)
    given = any(chosen[name] is not None for name in ("photos", "facelets", "to"))
    written = any(chosen[name] is not None for name in ("facelets", "states", "to"))
    require_with(
        context,
        ("any_order", "--photos, --facelets, --to or --hand", given or chosen["hand"]),
        ("order", "--facelets, --states or --to", written),
        ("mistake", "--virtual", chosen["virtual"]),
        ("objective", "the anytime method", searching),
        ("threads", "the anytime method", searching),
        ("budget_ms", "a search, or -strict", searching or method is SolveMethod.STRICT),
    )
    if method in _PROOFS and chosen["wait"]:
        raise UsageError("--wait solves all day: use the anytime method, which answers at once")


def _plain(context: typer.Context) -> bool:
    """Return whether a machine solves its cube, without options that exclude a solve by hand."""
    return given_options(context).keys() <= {*_WAYS["hand"]} - {"hand", "dry_run"}


def _solve_pocket(job: SolveJob, webcam: str | None) -> None:
    if not job.dry_run and webcam is None:
        raise UsageError("rigs turn 3×3×3 cubes only: use --cube 2 with --dry-run or --hand")
    from thistlebot.terminal.pocket_solve import solve_pocket

    solve_pocket(
        job.folders.cache,
        job.screen,
        photos=job.source.photos,
        facelets=job.source.facelets,
        scramble=job.source.scramble,
        webcam=webcam,
        as_json=job.json,
    )


def _solve_file(file: Path, job: SolveJob, rig: Mechanism) -> int:
    """Solve a file of states with the full tables, and return the exit code."""
    kind = solving_kind(job.approach)
    solving = kind(job.folders.cache, job.approach, rig, Screen(quiet=job.json).note)

    def solve(state: CubeState) -> Solution:  # a file without states needs no tables
        wait_for_tables(solving, Screen())  # on standard error, whatever a program reads
        return solving(state)

    return solve_states(file, solve, rig, job.source.order, as_json=job.json)
