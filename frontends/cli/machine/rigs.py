"""The verbs `rigs` and `init`: the built-in rigs, with a picture of each.

The verb `init`: writes a rig file to start from.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from cube.errors import ThistlebotError
from documents.files import there_is, write_atomically
from robot.rigs.catalogue import NAMES, RIGS, described, named_rig, rig_text
from robot.rigs.picture import draw_machine
from thistlebot.cli import options
from thistlebot.config import Folders, load_rig
from thistlebot.errors import UsageError
from thistlebot.records import to_line
from thistlebot.shipped import shipped_root
from thistlebot.terminal.screen import Screen


def init(
    rig: Annotated[
        str,
        typer.Option(
            "--rig", metavar="NAME", help="Built-in rig to start from: a name listed by `rigs`."
        ),
    ] = "six",
    output: Annotated[Path, typer.Option("--output", metavar="FILE", help="File to write.")] = Path(
        "rig.toml"
    ),
    json: options.Json = False,
) -> None:
    """Write a commented rig file, based on the built-in rig closest to your machine.

    [bold]thistlebot init --rig cubotino[/]

    An existing file is not overwritten.
    """
    if rig not in RIGS:
        raise UsageError(f"there is no rig {rig!r}; choose one of {', '.join(RIGS)}")
    if there_is(output):
        raise UsageError(
            f"{output} already exists and is not overwritten: name another file with --output"
        )
    write_atomically(output, rig_text(rig))
    Screen(quiet=json).line(
        f"wrote     {output}\nnext      edit what differs on your machine, then: thistlebot doctor"
    )
    if json:
        typer.echo(to_line({"rig": rig, "file": str(output)}))


_PICTURES = Path("docs", "pictures", "rigs")
_WIDTH = max(map(len, NAMES))


def rigs(
    rig: Annotated[
        Path | None,
        typer.Option(
            "--rig", metavar="RIG", help="List only this rig: a name, or your own rig file."
        ),
    ] = None,
    pictures: Annotated[
        Path | None,
        typer.Option("--pictures", metavar="DIR", help="Draw new pictures into this folder."),
    ] = None,
    json: options.Json = False,
) -> None:
    """List the rigs for --rig, each with its picture.

    [bold]thistlebot solve --rig cubotino --scramble "R U F" --dry-run[/]

    A picture of your own machine shows how the program understands its rig file:

    [bold]thistlebot rigs --rig rig.toml --pictures .[/]
    """
    screen = Screen(quiet=json)
    for name in _listed(screen) if rig is None else (str(rig),):
        known = name in RIGS
        machine = load_rig(Path(name), Folders.of_platform())
        text = described(name) if known else f"Your own rig: {name}"
        picture = shipped_root() / _PICTURES / f"{name}.svg" if name in NAMES else None
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


def _listed(screen: Screen) -> Iterator[str]:
    """Yield the names for --rig, without kinds; for a broken plugin, print a note."""
    yield from NAMES
    for plugin in RIGS.added():
        try:
            if not isinstance(RIGS[plugin.name], type):
                named_rig(plugin.name)
                yield plugin.name
        except ThistlebotError as error:
            screen.note(str(error))
