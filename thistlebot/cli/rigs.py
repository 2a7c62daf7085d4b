"""The verb `rigs`: the kinds of machines that the program knows."""

import typer

from robot.rigs.catalogue import NAMES, described, named_rig
from thistlebot.cli import options
from thistlebot.records import to_line
from thistlebot.terminal.screen import Screen


def register(app: typer.Typer) -> None:
    """Add the verb of this module."""
    app.command("rigs")(rigs)


def rigs(json: options.Json = False) -> None:
    """List the rigs that come with the program, for --rig.

    [bold]thistlebot solve --rig cubotino --scramble "R U F" --dry-run[/]
    """
    screen = Screen(quiet=json)
    width = max(map(len, NAMES))
    for name in NAMES:
        if json:
            faces = named_rig(name).faces
            typer.echo(to_line({"name": name, "description": described(name), "faces": faces}))
        screen.line(f"{name:<{width}}  {described(name)}")
