"""The options that several verbs share, declared once."""

import os
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from solver.goal import Goal, objective_named
from thistlebot.config import megabytes
from thistlebot.errors import UsageError
from thistlebot.session.choices import StagedMistake
from thistlebot.solving import approach
from vision.colours.palette import COLOUR_NAMES

_CUBE, _MACHINE, _SOLVER = "The cube", "The machine", "The solver"
"""Headings of options in the help."""

Rig = Annotated[
    Path | None,
    typer.Option(
        "--rig",
        metavar="RIG",
        envvar="THISTLEBOT_RIG",
        help="Rig file, or a name listed by `rig list`. Default: ./rig.toml, then the user's rig "
        "file, then six.",
    ),
]
Profile = Annotated[
    str | None,
    typer.Option(
        "--profile",
        metavar="NAME",
        envvar="THISTLEBOT_PROFILE",
        help="Colour profile, as written by `calibrate colours`.",
        rich_help_panel=_MACHINE,
    ),
]
Port = Annotated[
    str | None,
    typer.Option(
        "--port",
        metavar="PORT",
        envvar="THISTLEBOT_PORT",
        help="Serial port of the board, or NAME:ADDRESS of a plugin. Default: the port that "
        "answers.",
        rich_help_panel=_MACHINE,
    ),
]
Camera = Annotated[
    list[str] | None,
    typer.Option(
        "--camera",
        metavar="CAMERA",
        envvar="THISTLEBOT_CAMERA",
        help="Webcam number, device, URL, video file, or NAME:ADDRESS of a plugin; repeat it for a "
        "rig with several cameras.",
        rich_help_panel=_MACHINE,
    ),
]
Virtual = Annotated[
    bool, typer.Option("--virtual", help="Use the virtual rig and virtual cameras.")
]
Mistake = Annotated[
    StagedMistake | None,
    typer.Option(
        "--mistake",
        metavar="MISTAKE",
        parser=StagedMistake.parse,
        help="With --virtual: let one thing go wrong, to see what happens then. 'R 7 short': turn "
        "7, or the next one by R, stops a quarter turn short. Others are slip, double and unplug, "
        "and glare and cover, which spoil the first pictures.",
        rich_help_panel=_MACHINE,
    ),
]
Aligned = Annotated[
    bool,
    typer.Option(
        "--aligned",
        help="Confirm that all faces are aligned after an interrupted turn; see `align`.",
        rich_help_panel=_MACHINE,
    ),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Read the cube and print the moves, but turn nothing.")
]
AnyOrientation = Annotated[
    bool,
    typer.Option(
        "--any-orientation", help="Each face may be rotated in its plane.", rich_help_panel=_CUBE
    ),
]
AnyOrder = Annotated[
    bool,
    typer.Option(
        "--any-order",
        help="The six faces may come in any order and any rotation.",
        rich_help_panel=_CUBE,
    ),
]
Order = Annotated[
    str | None,
    typer.Option(
        "--order",
        metavar="ORDER",
        help="Order of the stickers in the text: the six faces, such as ULFRBD, or net for the "
        "lines of the net. Default: found from the text.",
        rich_help_panel=_CUBE,
    ),
]
CubeSize = Annotated[
    int,
    typer.Option(
        "--cube",
        metavar="N",
        min=2,
        max=3,
        help="Stickers along one side of the cube: 3 or 2.",
        rich_help_panel=_CUBE,
    ),
]
Hand = Annotated[
    bool, typer.Option("--hand", help="Show the faces to a webcam by hand, even if there is a rig.")
]
Json = Annotated[
    bool, typer.Option("--json", help="Print machine-readable JSON, one line per result.")
]
Verbose = Annotated[
    int, typer.Option("--verbose", "-v", count=True, help="Print more detail, such as the packets.")
]
Verify = Annotated[
    bool,
    typer.Option(
        "--verify/--no-verify",
        help="Look at the cube again after turning it.",
        rich_help_panel=_MACHINE,
    ),
]
Picture = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Draw the moves: still .svg, or .html with a player."),
]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="N",
        min=0,
        help="Random seed, for repeatable results.",
        rich_help_panel=_MACHINE,
    ),
]
Scheme = Annotated[
    str | None,
    typer.Option(
        "--scheme",
        metavar="COLOURS",
        help="Colours of your cube's faces U,R,F,D,L,B, such as "
        "white,red,green,yellow,orange,blue.",
        rich_help_panel=_MACHINE,
    ),
]
Save = Annotated[
    Path | None,
    typer.Option(
        "--save", metavar="DIR", help="Write the pictures with the reading drawn on them."
    ),
]
Method = Annotated[
    approach.Method,
    typer.Option(
        "--method",
        help="Anytime search, or Thistlethwaite's four stages only.",
        rich_help_panel=_SOLVER,
    ),
]
Forbidden = Annotated[
    str,
    typer.Option(
        "--forbidden",
        metavar="FACE",
        parser=str.upper,
        help="A face that must not turn, such as one with a broken motor.",
        rich_help_panel=_SOLVER,
    ),
]
_MINIMISED = (
    "What to minimise: face turns (htm), quarter turns (qtm), the same with opposite faces "
    "counted together (axial, axial-qtm), or the time on this rig (time)."
)
_OBJECTIVES = f"[{'|'.join(Goal)}]"
Objective = Annotated[
    str,
    typer.Option(
        "--objective",
        metavar=_OBJECTIVES,
        parser=objective_named,
        help=_MINIMISED,
    ),
]
SolveObjective = Annotated[
    str | None,
    typer.Option(
        "--objective",
        metavar=_OBJECTIVES,
        parser=objective_named,
        help=f"{_MINIMISED} Default: time if a rig turns the cube, htm if you turn it.",
        envvar="THISTLEBOT_OBJECTIVE",
        rich_help_panel=_SOLVER,
    ),
]
Memory = Annotated[
    float | None,
    typer.Option(
        "--memory",
        metavar="SIZE",
        parser=megabytes,
        envvar="THISTLEBOT_MEMORY",
        help="Memory limit for the solver's tables, at least 90MB; 220MB with --forbidden or "
        "a rig without one of the motors. Default: no limit.",
        rich_help_panel=_SOLVER,
    ),
]


class SolveMethod(StrEnum):
    """The methods of `solve`: those of an `Approach`, and how far each goes."""

    ANYTIME = "anytime"
    THISTLETHWAITE = "thistlethwaite"
    STRICT = "thistlethwaite-strict"
    OPTIMAL = "optimal"
    ALL = "all-optimal"


HowToSolve = Annotated[
    SolveMethod,
    typer.Option(
        "--method",
        help="Anytime search; Thistlethwaite's four stages, or with -strict the shortest of all "
        "stage-optimal chains for the cube and its inverse; or a proof that no solution has fewer "
        "turns, which needs the table of `tables build --optimal`, and with all- lists every "
        "shortest one.",
        rich_help_panel=_SOLVER,
    ),
]
Budget = Annotated[
    float,
    typer.Option(
        "--budget-ms",
        metavar="MS",
        help="Processor time per thread and cube.",
        rich_help_panel=_SOLVER,
    ),
]
Threads = Annotated[int, typer.Option("--threads", metavar="N", help="Number of search threads.")]
SolveThreads = Annotated[
    int | None,
    typer.Option(
        "--threads",
        metavar="N",
        help="Number of search threads. Default: one per core if a rig turns the cube, otherwise "
        "one.",
        envvar="THISTLEBOT_THREADS",
        rich_help_panel=_SOLVER,
    ),
]


def parse_scheme(text: str | None) -> dict[str, str] | None:
    """Read six colour names for the faces U R F D L B; None if the option was not given.

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


T = TypeVar("T")


def setting(name: str, read: Callable[[str], T]) -> T | None:
    """Read a setting that has no option, such as ``THISTLEBOT_MEMORY``; None if it is not set.

    Raises:
        UsageError: It cannot be read.
    """
    text = os.environ.get(name, "")
    try:
        return read(text) if text else None
    except ValueError:
        raise UsageError(f"{name}={text}: give a number") from None
