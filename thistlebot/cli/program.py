"""The program itself: its verbs, and what becomes of errors and Ctrl-C."""

from __future__ import annotations

import logging
import signal
from importlib import metadata
from types import FrameType
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console
from rich.markup import escape
from typer.core import TyperGroup

from cube.errors import ThistlebotError
from thistlebot.errors import StoppedError
from thistlebot.exit_codes import exit_code_of

_AS_JSON = "thistlebot.json"


class Verbs(TyperGroup):
    """A group of verbs that turns our errors into one message and the right exit code."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Remember whether a program reads what we print."""
        ctx.meta[_AS_JSON] = "--json" in args
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run a verb; an error of ours ends the program without a traceback."""
        as_json = bool(ctx.meta[_AS_JSON])
        try:
            return super().invoke(ctx)
        except ThistlebotError as error:
            raise typer.Exit(_report(error, as_json)) from error
        except KeyboardInterrupt as error:
            raise typer.Exit(_report(StoppedError("stopped"), as_json)) from error


def _report(error: ThistlebotError, as_json: bool) -> int:
    """Print one message for a person, or one JSON line for a program, and give the exit code."""
    code = exit_code_of(error)
    if as_json:
        record = {
            "error": {"type": type(error).__name__, "text": str(error), "exit_code": int(code)}
        }
        typer.echo(msgspec.json.encode(record).decode())
    Console(stderr=True, highlight=False).print(
        f"[bold red]thistlebot:[/] {escape(str(error))}", soft_wrap=True
    )
    return int(code)


def build() -> typer.Typer:
    """Assemble the command line."""
    from thistlebot.cli import (  # noqa: PLC0415 - all parts of the program load here
        bench,
        calibrate,
        cube_verbs,
        demo,
        devices,
        scan,
        solve,
        tables,
        turn,
    )

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
    for room in (demo, solve, scan, cube_verbs, turn, calibrate, devices, tables, bench):
        room.register(app)
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
    signal.signal(signal.SIGTERM, _interrupt)
    # What libraries of ours log reaches the user as notes; Python's last resort would repeat it.
    logging.getLogger().addHandler(logging.NullHandler())
    build()(prog_name="thistlebot")


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    """Treat a request to end like Ctrl-C, so that motors stop at a detent."""
    raise KeyboardInterrupt
