"""The program itself: its verbs, and what becomes of errors and Ctrl-C."""

import importlib
import logging
import sys
from importlib import metadata
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console
from rich.markup import escape
from typer.core import TyperGroup
from typer.exceptions import TyperException

from cube.errors import ThistlebotError
from thistlebot.cli.optional_values import completed
from thistlebot.errors import OutputError, ReaderGoneError, StoppedError, UsageError
from thistlebot.exit_codes import error_record, exit_code_of
from thistlebot.output import guard_output, require_printed

_AS_JSON = "thistlebot.json"
_ROOMS = {
    "demo": "demo",
    "solve": "solve",
    "scan": "scan",
    "explain": "explain",
    "run": "run",
    "scramble": "run",
    "puzzle": "puzzle",
    "compare": "compare",
    "learn": "learn",
    "calibrate": "calibrate",
    "ports": "devices",
    "cameras": "devices",
    "doctor": "devices",
    "flash": "board",
    "buzz": "board",
    "stop": "board",
    "tables": "tables",
    "bench": "bench",
}
"""Which module of this folder each verb lives in, in the order of the help."""


class Verbs(TyperGroup):
    """A group of verbs that turns our errors into one message and the right exit code."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Remember whether a program reads what we print."""
        ctx.meta[_AS_JSON] = "--json" in args
        return super().parse_args(ctx, list(completed(args)))

    def invoke(self, ctx: Any) -> None:
        """Run a verb; an error of ours ends the program without a traceback."""
        as_json = bool(ctx.meta[_AS_JSON])
        try:
            super().invoke(ctx)
            require_printed()
        except TyperException as error:  # typer itself tells people what is wrong with the options
            if as_json:
                _print_record(UsageError(error.format_message()))
            raise
        except ThistlebotError as error:
            raise typer.Exit(_report(error, as_json)) from error
        except (KeyboardInterrupt, typer.Abort) as error:
            if isinstance(error, typer.Abort):
                typer.echo(err=True)  # the line of the question is still open
            raise typer.Exit(_report(StoppedError("stopped"), as_json)) from error


def _report(error: ThistlebotError, as_json: bool) -> int:
    """Print one message for a person, or one JSON line for a program, and give the exit code."""
    if as_json:
        _print_record(error)
    if not isinstance(error, ReaderGoneError):
        Console(stderr=True, highlight=False).print(
            f"[bold red]thistlebot:[/] {escape(str(error))}", soft_wrap=True
        )
    return int(exit_code_of(error))


def _print_record(error: ThistlebotError) -> None:
    typer.echo(msgspec.json.encode(error_record(error)).decode())


def build(verb: str | None = None) -> typer.Typer:
    """Assemble the command line.

    Args:
        verb: The only verb that is wanted, so that the others need not be loaded; all by default.
    """
    app = typer.Typer(
        cls=Verbs,
        no_args_is_help=True,
        add_completion=True,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich",
        help=(
            "Read a scrambled cube with a camera, solve it, and turn it with motors.\n\n"
            "Start without any hardware: [bold]thistlebot demo[/]. With a webcam: "
            "[bold]thistlebot scan[/]. With a rig: [bold]thistlebot doctor[/], then "
            "[bold]thistlebot solve[/]."
        ),
        epilog=(
            "Exit codes: 0 done, 1 a bug, 2 usage or configuration, 3 misread, 4 the cube is not "
            "solvable, 5 no device, camera or file, 6 stopped by the user, 7 executed but not "
            "verified."
        ),
    )
    app.callback()(_options)
    for room in [_ROOMS[verb]] if verb else dict.fromkeys(_ROOMS.values()):
        importlib.import_module(f"thistlebot.cli.{room}").register(app)
    return app


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"thistlebot {metadata.version('thistlebot')}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            is_eager=True,
            callback=_print_version,
            help="Print the version and exit.",
        ),
    ] = False,
) -> None:
    pass


def run_program() -> None:
    """Run the program named ``thistlebot``."""
    guard_output()
    # What libraries of ours log reaches the user as notes; Python's last resort would repeat it.
    logging.getLogger().addHandler(logging.NullHandler())
    verb = next((word for word in sys.argv[1:2] if word in _ROOMS), None)
    try:
        build(verb)(prog_name="thistlebot")
    except OutputError as error:  # of the help, or of an error that was to be told
        sys.exit(_report(error, as_json=False))
