"""The verb `solve`: scan, solve, turn, verify; for one cube, or for one after another.

It also solves a file of states: one cube per input line, one solution per output line, in order.

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
from robot.running.driver import find_port
from solver.stages.solution import Solution
from thistlebot.cli import options
from thistlebot.cli.options import given_options, require_only, require_with
from thistlebot.cli.solve.one import SolveOptions, solve_one, solving_kind
from thistlebot.cli.solve.states import solve_states
from thistlebot.cli.verbs import EXHIBITION
from thistlebot.config import Folders, find_rig_file, load_rig
from thistlebot.errors import UsageError
from thistlebot.session.choices import Choices
from thistlebot.session.cube_source import CubeSource, require_one
from thistlebot.session.target import Target
from thistlebot.solving.approach import Approach, Method
from thistlebot.terminal.keyboard import Keyboard
from thistlebot.terminal.ready_solver import wait_for_tables
from thistlebot.terminal.screen import Screen
from thistlebot.terminal.show import Show, Sound


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
Rgb = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Read the sampled colours of one cube.")
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
    Path | None, typer.Option(metavar="FILE", help="Solve a file of facelet strings, one per line.")
]
To = Annotated[
    str | None,
    typer.Option(
        metavar="TARGET",
        help=(
            "Target instead of the solved cube: a name listed by `pattern`, or 54 letters with ? "
            "for any sticker."
        ),
    ),
]
Like = Annotated[
    str | None,
    typer.Option(
        "--like",
        metavar="DIR|FILE|S|rig",
        help="Make the cube look like another one: photos of it, its colours or 54 letters, or rig "
        "to show it to the rig first.",
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
SoundOption = Annotated[
    Sound, typer.Option("--sound", help="With --wait: sound to play when a cube is solved.")
]
Attract = Annotated[
    float | None,
    typer.Option(
        "--attract",
        metavar="MINUTES",
        min=0.1,
        help="With --wait: scramble and solve automatically after this time without a press.",
    ),
]
FiveStages = Annotated[
    bool, typer.Option("--five-stages", help="Report the five stages of S2 instead of four.")
]
Learn = Annotated[
    bool, typer.Option("--learn", help="Adapt the profile to the light of verified solves.")
]


_APPROACH = ("method", "strict", "objective", "forbidden", "budget_ms", "threads", "memory", "rig")
_MACHINE = ("profile", "port", "camera", "virtual", "mistake", "seed", "aligned")
_CUBE = ("cube", "photos", "rgb", "facelets", "scramble")
# Ways to solve that are not one cube before the cameras, and what each of them can honour.
_WAYS = {
    "states": (*_APPROACH, "optimal", "cube", "states", "order", "five_stages", "dry_run", "json"),
    "wait": (*_APPROACH, *_MACHINE, "scheme", "cube", "wait", "sound", "attract", "learn", "json"),
    "hand": (
        *_APPROACH[:-1],
        "optimal",
        *("profile", "scheme", "camera", "cube", "hand", "any_order"),
        *("to", "like", "order", "save", "five_stages", "dry_run", "json"),
    ),
}


def solve(
    context: typer.Context,
    photos: Photos = None,
    rgb: Rgb = None,
    hand: Hand = False,
    any_orientation: options.AnyOrientation = False,
    any_order: options.AnyOrder = False,
    cube: options.CubeSize = 3,
    facelets: Facelets = None,
    scramble: Scramble = None,
    states: States = None,
    to: To = None,
    like: Like = None,
    wait: Wait = False,
    sound: SoundOption = Sound.OFF,
    attract: Attract = None,
    verify: options.Verify = True,
    save: options.Save = None,
    order: options.Order = None,
    five_stages: FiveStages = False,
    learn: Learn = False,
    method: options.Method = Method.ANYTIME,
    strict: options.Strict = False,
    optimal: options.Optimal = False,
    every: options.All = False,
    objective: options.SolveObjective = None,
    forbidden: options.Forbidden = "",
    budget_ms: options.Budget = 100.0,
    threads: options.SolveThreads = None,
    memory: options.Memory = None,
    rig: options.Rig = None,
    profile: options.Profile = None,
    scheme: options.Scheme = None,
    port: options.Port = None,
    camera: options.Camera = None,
    virtual: options.Virtual = False,
    mistake: options.Mistake = None,
    aligned: options.Aligned = False,
    dry_run: options.DryRun = False,
    seed: options.Seed = None,
    json: options.Json = False,
    verbose: options.Verbose = 0,
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
    [bold]thistlebot solve --optimal --dry-run[/]               with the fewest turns, proven
    [bold]thistlebot solve --to checkerboard[/]                 make a pattern instead
    [bold]thistlebot solve --like rig[/]                        copy another cube
    """
    screen, folders = Screen(quiet=json, guides=hand), Folders.of_platform()
    source = CubeSource(photos, rgb, facelets, scramble, order, any_orientation, any_order)
    job = SolveOptions(dry_run, verify, learn, seed, save, five_stages, verbose > 0, json)
    _require_together(context)
    colours = options.parse_scheme(scheme)
    cameras = tuple(camera or ())
    choices = Choices(rig, profile, port, cameras, virtual, seed or 0, colours, aligned, mistake)
    wanted = Approach(method, objective, budget_ms, threads, strict, forbidden, memory_mb=memory)
    approach = replace(wanted, optimal=optimal, every=every)
    if cube == 2:
        _solve_pocket(source, job, folders, screen, (camera or ["0"])[0] if hand else None)
    elif states is not None:
        raise typer.Exit(_solve_file(states, approach, load_rig(rig, folders), job, order))
    elif wait:
        show = Show(learn, json, sound, "budget_ms" in given_options(context), attract)
        import_module(EXHIBITION).serve_cubes(choices, folders, approach, screen, show=show)
    else:
        target = None if to is None else Target.of(to, source.order, screen.note)
        if like is not None:
            from thistlebot.cli.solve.like import like_target

            target = like_target(like, source, choices, folders, screen, job)
        _solve_cube(context, source, job, approach, choices, folders, screen, target)


def _solve_cube(
    context: typer.Context,
    source: CubeSource,
    job: SolveOptions,
    approach: Approach,
    choices: Choices,
    folders: Folders,
    screen: Screen,
    target: Target | None,
) -> None:
    """Solve one cube, with the machine or by hand."""
    plain, any_order = _plain(context), source.any_order
    chosen = with_rig(choices, folders, screen, as_json=job.json) if plain else choices
    if context.params["hand"] or chosen is None:
        from thistlebot.cli.solve.hand import solve_by_hand

        solve_by_hand(job, approach, choices, folders, screen, any_order=any_order, target=target)
    else:
        solve_one(source, job, approach, chosen, folders, screen, target)


def _require_together(context: typer.Context) -> None:
    """Refuse options that do not apply to the chosen way to solve.

    Raises:
        UsageError: The message names the options.
    """
    chosen = context.params
    require_one(**{name: chosen[name] for name in (*_CUBE[1:], "states")})
    require_one(to=chosen["to"], like=chosen["like"])
    if chosen["cube"] == 2:
        shown = ("hand", "camera") if chosen["hand"] else ()
        require_only(context, "--cube 2", (*_CUBE, *shown, "dry_run", "json"))
    for way, honoured in _WAYS.items():
        if chosen[way]:
            require_only(context, f"--{way}", honoured)
            break
    searching = chosen["method"] is Method.ANYTIME
    written = chosen["facelets"] is not None or chosen["scramble"] is not None
    stored = any(chosen[name] is not None for name in ("photos", "rgb", "like"))
    require_with(
        context,
        (
            "any_orientation",
            "--photos, --rgb, --facelets or --like",
            stored or chosen["facelets"] is not None,
        ),
        ("any_order", "--photos, --rgb, --like or --hand", stored or chosen["hand"]),
        (
            "order",
            "--facelets, --states, --to or --like",
            any(chosen[name] is not None for name in ("facelets", "states", "to", "like")),
        ),
        ("learn", "a solve that is turned and verified", not chosen["dry_run"]),
        ("save", "a cube that a camera reads", not (written and chosen["dry_run"])),
        ("mistake", "--virtual", chosen["virtual"]),
        ("sound", "--wait", chosen["wait"]),
        ("attract", "--wait", chosen["wait"]),
        ("every", "--optimal", chosen["optimal"]),
        ("objective", "the anytime method", searching),
        ("threads", "the anytime method", searching),
        ("memory", "the anytime method", searching),
        ("budget_ms", "the anytime method or --strict", searching or chosen["strict"]),
    )


def _plain(context: typer.Context) -> bool:
    """Return whether a machine solves its cube, without options that exclude a solve by hand."""
    return given_options(context).keys() <= {*_WAYS["hand"]} - {"hand", "dry_run"}


def _solve_pocket(
    source: CubeSource, job: SolveOptions, folders: Folders, screen: Screen, webcam: str | None
) -> None:
    if not job.dry_run and webcam is None:
        raise UsageError("rigs turn 3×3×3 cubes only: use --cube 2 with --dry-run or --hand")
    from thistlebot.terminal.pocket_solve import solve_pocket

    solve_pocket(
        folders.cache,
        screen,
        photos=source.photos,
        rgb=source.rgb,
        facelets=source.facelets,
        scramble=source.scramble,
        webcam=webcam,
        as_json=job.json,
    )


def _solve_file(
    file: Path, approach: Approach, rig: Mechanism, job: SolveOptions, order: str | None
) -> int:
    """Solve a file of states with the full tables, and return the exit code."""
    screen = Screen(quiet=job.json)
    kind = solving_kind(approach)
    solving = kind(Folders.of_platform().cache, approach, rig, screen.note)

    def solve(state: CubeState) -> Solution:  # a file without states needs no tables
        wait_for_tables(solving, Screen())  # on standard error, whatever a program reads
        return solving(state)

    return solve_states(file, solve, rig, order, five_stages=job.five_stages, as_json=job.json)
