"""The verb `rigs`: the kinds of machines that the program knows, with a picture of each."""

from pathlib import Path
from typing import Annotated

import typer

from documents.files import write_atomically
from robot.rigs.catalogue import NAMES, described
from robot.rigs.picture import draw_machine
from thistlebot.cli import options
from thistlebot.config import Folders, load_rig
from thistlebot.records import to_line
from thistlebot.shipped import shipped_root
from thistlebot.terminal.screen import Screen

_PICTURES = Path("docs", "pictures", "rigs")
_WIDTH = max(map(len, NAMES))


def register(app: typer.Typer) -> None:
    """Add the verb of this module."""
    app.command("rigs")(rigs)


def rigs(
    rig: Annotated[
        Path | None,
        typer.Option("--rig", metavar="RIG", help="Only this one: a name, or a rig file of yours."),
    ] = None,
    pictures: Annotated[
        Path | None,
        typer.Option("--pictures", metavar="DIR", help="Draw them anew into this folder."),
    ] = None,
    json: options.Json = False,
) -> None:
    """List the rigs that come with the program, for --rig, each with its picture.

    [bold]thistlebot solve --rig cubotino --scramble "R U F" --dry-run[/]

    A picture of your own machine shows how the program understood its rig file:

    [bold]thistlebot rigs --rig rig.toml --pictures .[/]
    """
    screen = Screen(quiet=json)
    for name in NAMES if rig is None else (str(rig),):
        known = name in NAMES
        machine = load_rig(Path(name), Folders.of_platform())
        text = described(name) if known else f"A rig of your own: {name}"
        picture = shipped_root() / _PICTURES / f"{name}.svg" if known else None
        if pictures is not None:
            picture = pictures / f"{name if known else Path(name).stem}.svg"
            write_atomically(picture, draw_machine(machine.name, machine.parts))
        screen.line(f"{machine.name:<{_WIDTH}}  {text}")
        for part in () if rig is None else machine.parts:
            places = ": " + ", ".join(part.places) if part.places else ""
            screen.line(f"{'':<{_WIDTH}}  {part.name}, {part.drive} {part.channel}{places}")
        if picture is not None:
            screen.line(f"{'':<{_WIDTH}}  {picture}")
        if json:
            parts = [
                {"name": part.name, part.drive: part.channel, "places": part.places}
                for part in machine.parts
            ]
            record = {"name": machine.name, "description": text, "faces": machine.faces}
            shown = None if picture is None else str(picture)
            typer.echo(to_line(record | {"parts": parts, "picture": shown}))
