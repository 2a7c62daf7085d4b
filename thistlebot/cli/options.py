"""The options that several verbs share, declared once.

Which options go together: what a way of calling a verb cannot honour is said, not ignored.
"""

from collections.abc import Collection
from pathlib import Path
from typing import Annotated

import typer

from solver.goal import Goal
from thistlebot.errors import UsageError
from thistlebot.sizes import megabytes
from thistlebot.solving import approach
from vision.colours.palette import COLOUR_NAMES

Rig = Annotated[
    Path | None,
    typer.Option(
        "--rig",
        metavar="RIG",
        envvar="THISTLEBOT_RIG",
        help="Rig file, or a name of `rigs`. Default: ./rig.toml, the user's, then six.",
    ),
]
Profile = Annotated[
    str | None,
    typer.Option(
        "--profile",
        metavar="NAME",
        envvar="THISTLEBOT_PROFILE",
        help="Colour profile made by `calibrate colours`.",
    ),
]
Port = Annotated[
    str | None,
    typer.Option(
        "--port",
        metavar="PORT",
        envvar="THISTLEBOT_PORT",
        help="Serial port of the board. Default: the one that answers.",
    ),
]
Camera = Annotated[
    list[str] | None,
    typer.Option(
        "--camera",
        metavar="CAMERA",
        envvar="THISTLEBOT_CAMERA",
        help="Webcam number, device, URL or video file; repeat it for a rig with several.",
    ),
]
Virtual = Annotated[
    bool, typer.Option("--virtual", help="Use the virtual rig and the virtual cameras.")
]
Aligned = Annotated[
    bool,
    typer.Option(
        "--aligned", help="Confirm that all faces are aligned after a cut-off turn; see `align`."
    ),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Read real input, print the moves, send nothing.")
]
AnyOrientation = Annotated[
    bool, typer.Option("--any-orientation", help="Each face may be turned in its plane.")
]
AnyOrder = Annotated[
    bool,
    typer.Option("--any-order", help="The six faces come in any order, each turned in any way."),
]
CubeSize = Annotated[
    int,
    typer.Option("--cube", metavar="N", min=2, max=3, help="A cube of 3 or of 2 stickers a side."),
]
Hand = Annotated[
    bool, typer.Option("--hand", help="Hold the faces before one webcam, even with a rig.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs, one line a result.")]
Verbose = Annotated[
    int, typer.Option("--verbose", "-v", count=True, help="Say more: the packets, too.")
]
Verify = Annotated[bool, typer.Option("--verify/--no-verify", help="Look again after turning.")]
Picture = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Draw it turn by turn: .svg runs by itself, .html is played."
    ),
]
Seed = Annotated[
    int | None, typer.Option("--seed", metavar="N", min=0, help="Seed, to get the same again.")
]
Scheme = Annotated[
    str | None,
    typer.Option(
        "--scheme",
        metavar="COLOURS",
        help="Colours of the faces U,R,F,D,L,B of your cube, such as "
        "white,red,green,yellow,orange,blue.",
    ),
]
Save = Annotated[
    Path | None,
    typer.Option("--save", metavar="DIR", help="Write pictures with the reading drawn on."),
]
Method = Annotated[
    approach.Method,
    typer.Option("--method", help="The anytime search, or Thistlethwaite's four stages alone."),
]
Strict = Annotated[
    bool,
    typer.Option(
        "--strict",
        help="With --method thistlethwaite: the shortest of all stage-optimal chains of the cube "
        "and of its inverse.",
    ),
]
Forbidden = Annotated[
    str,
    typer.Option(
        "--forbidden",
        metavar="FACE",
        parser=str.upper,
        help="A face that must not turn: its motor is broken.",
    ),
]
_MINIMISED = (
    "What to minimise: turns, quarter turns, the same with opposite faces together, or the time of "
    "this rig."
)
Objective = Annotated[Goal, typer.Option("--objective", help=_MINIMISED)]
SolveObjective = Annotated[
    Goal | None,
    typer.Option(
        "--objective",
        help=f"{_MINIMISED} Default: time where a rig turns the answer or handles the cube; htm "
        "where you turn it.",
        envvar="THISTLEBOT_OBJECTIVE",
    ),
]
Memory = Annotated[
    float | None,
    typer.Option(
        "--memory",
        metavar="SIZE",
        parser=megabytes,
        envvar="THISTLEBOT_MEMORY",
        help="What the solver's tables may fill, from 60MB. Default: all they need, 120MB for "
        "turns and 190MB for the time.",
    ),
]
Budget = Annotated[
    float,
    typer.Option(
        "--budget-ms", metavar="MS", help="Processor time that a thread may spend on a cube."
    ),
]
Threads = Annotated[
    int, typer.Option("--threads", metavar="N", help="Threads that search at the same time.")
]
SolveThreads = Annotated[
    int | None,
    typer.Option(
        "--threads",
        metavar="N",
        help="Threads that search at the same time. Default: one for each core where a rig turns "
        "the answer, else one.",
        envvar="THISTLEBOT_THREADS",
    ),
]
Centres = Annotated[
    str | None,
    typer.Option(
        "--centres",
        metavar="[U0R1F2D0L3B0]",
        help="A cube with pictures: leave its centres straight, too. They stand as the motors have "
        "turned them, or as said: clockwise quarter turns of each.",
    ),
]


def parse_scheme(text: str | None) -> dict[str, str] | None:
    """Read six colour names for the faces U R F D L B; None when nothing was said.

    Raises:
        UsageError: A colour is missing, unknown or given twice.
    """
    if text is None:
        return None
    names = [name.strip().lower() for name in text.split(",")]
    if sorted(names) != sorted(COLOUR_NAMES):
        raise UsageError(
            f"--scheme {text!r}: name each of {', '.join(COLOUR_NAMES)} once, for the faces "
            "U,R,F,D,L,B"
        )
    return dict(zip("URFDLB", names, strict=True))


_TYPED = "COMMANDLINE"


def given_options(context: typer.Context) -> dict[str, str]:
    """Return what stands on the command line, such as ``any_order``: ``--any-order``.

    Values from the environment and defaults are not in it.
    """
    found = {}
    for parameter in context.command.params:
        name = parameter.name
        source = None if name is None else context.get_parameter_source(name)
        if name is not None and source is not None and source.name == _TYPED:
            long = [option for option in parameter.opts if option.startswith("--")]
            found[name] = (long or [*parameter.opts, name])[0]
    return found


def require_only(context: typer.Context, way: str, honoured: Collection[str]) -> None:
    """Refuse options that a way of calling the verb cannot honour.

    Args:
        context: What was typed.
        way: The option that chooses the way, for the message.
        honoured: Names of the parameters that may be given.

    Raises:
        UsageError: The message names the others.
    """
    others = [option for name, option in given_options(context).items() if name not in honoured]
    if others:
        which = "it" if len(others) == 1 else "them"
        raise UsageError(f"{way} does not go with {' and '.join(others)}: leave {which} away")


def require_with(context: typer.Context, *rules: tuple[str, str, bool]) -> None:
    """Refuse options whose conditions are not fulfilled.

    Args:
        context: What was typed.
        rules: Name of a parameter, what it needs, and whether that is so.

    Raises:
        UsageError: One was given all the same; the message says what it needs.
    """
    given = given_options(context)
    for name, needs, fulfilled in rules:
        if name in given and not fulfilled:
            raise UsageError(f"{given[name]} goes with {needs}")
