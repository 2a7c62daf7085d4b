"""The verb `init`: a rig file of one's own, to begin with."""

from pathlib import Path
from typing import Annotated

import typer

from documents.files import there_is, write_atomically
from robot.rigs.catalogue import NAMES, rig_text
from thistlebot.cli import options
from thistlebot.errors import UsageError
from thistlebot.records import to_line
from thistlebot.terminal.screen import Screen


def register(app: typer.Typer) -> None:
    """Add the verb of this module."""
    app.command("init")(init)


def init(
    rig: Annotated[
        str, typer.Option("--rig", metavar="NAME", help="The rig to begin with: a name of `rigs`.")
    ] = "six",
    output: Annotated[
        Path, typer.Option("--output", metavar="FILE", help="The file to write.")
    ] = Path("rig.toml"),
    json: options.Json = False,
) -> None:
    """Write a commented rig file of the kind that comes nearest to your machine, ready to edit.

    [bold]thistlebot init --rig cubotino[/]

    A file that is there already is left as it is.
    """
    if rig not in NAMES:
        raise UsageError(f"there is no rig {rig!r}: choose of {', '.join(NAMES)}")
    if there_is(output):
        raise UsageError(
            f"{output} is there already, and is left as it is: name another file with --output"
        )
    write_atomically(output, rig_text(rig))
    Screen(quiet=json).line(
        f"wrote     {output}\n"
        "next      change what differs on your machine, then: thistlebot doctor"
    )
    if json:
        typer.echo(to_line({"rig": rig, "file": str(output)}))
