"""The verbs `rig …`: list the built-in rigs, write a rig file to start from, draw a machine."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from cube.errors import ThistlebotError
from documents.files import there_is, write_atomically
from robot.rigs.board_file import DIALECTS
from robot.rigs.catalogue import (
    NAMES,
    RIGS,
    cautious_rig_text,
    controlled_text,
    described,
    named_rig,
    rig_text,
)
from robot.rigs.mechanism import Mechanism
from robot.rigs.picture import draw_machine
from thistlebot.cli import options
from thistlebot.config import Folders, load_rig
from thistlebot.errors import UsageError
from thistlebot.records import to_line
from thistlebot.shipped import shipped_root
from thistlebot.terminal.screen import Screen

_PICTURES = Path("docs", "pictures", "rigs")
_WIDTH = max(map(len, NAMES))


def new(
    name: Annotated[
        str, typer.Argument(metavar="RIG", help="Built-in rig to start from: see `rig list`.")
    ] = "six",
    output: Annotated[Path, typer.Option("--output", metavar="FILE", help="File to write.")] = Path(
        "rig.toml"
    ),
    board: Annotated[
        str | None,
        typer.Option(
            metavar="DIALECT",
            help="For a controller that speaks G-code: grbl or marlin. Default: our firmware.",
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Write a commented rig file, to edit for your machine.

    Start from the built-in rig that is closest to your machine. An existing file is not
    overwritten.

    [bold]thistlebot rig new cubotino[/]

    [bold]thistlebot rig new --board grbl[/]
    """
    if board is not None and board not in DIALECTS:
        raise UsageError(f"there is no dialect {board!r}; choose one of {', '.join(DIALECTS)}")
    if name not in RIGS:
        raise UsageError(f"there is no rig {name!r}; choose one of {', '.join(RIGS)}")
    if there_is(output):
        raise UsageError(
            f"{output} already exists and is not overwritten: name another file with --output"
        )
    text = cautious_rig_text(name) if board is None else controlled_text(name, board)
    write_atomically(output, text)
    screen = Screen(quiet=json)
    screen.line(f"wrote     {output}")
    screen.line("next      edit what differs on your machine, then: thistlebot doctor")
    if cautious_rig_text(name) != rig_text(name):
        screen.note("the motors turn slowly; `thistlebot calibrate motors` finds faster speeds")
    if json:
        typer.echo(to_line({"rig": name, "file": str(output)}))


def list_(json: options.Json = False) -> None:
    """List the rigs for --rig, each with its picture.

    [bold]thistlebot solve --rig cubotino --scramble "R U F" --dry-run[/]
    """
    screen = Screen(quiet=json)
    for name in _listed(screen):
        picture = shipped_root() / _PICTURES / f"{name}.svg" if name in NAMES else None
        _tell(screen, named_rig(name), described(name), picture, json=json)


def draw(
    rigs: Annotated[
        list[Path] | None,
        typer.Argument(metavar="RIG…", help="A rig file, or a name. Default: your rig file."),
    ] = None,
    pictures: Annotated[
        Path, typer.Option("--pictures", metavar="DIR", help="Folder for the pictures.")
    ] = Path(),
    json: options.Json = False,
) -> None:
    """Draw the machine of a rig file, and list its parts.

    The picture shows how the program understands the file.

    [bold]thistlebot rig draw rig.toml[/]
    """
    screen = Screen(quiet=json)
    for rig in rigs or (None,):
        machine = load_rig(rig, Folders.of_platform())
        name = machine.name if rig is None else str(rig)
        text = described(name) if name in RIGS else f"Your own rig: {name}"
        picture = pictures / f"{name if name in RIGS else Path(name).stem}.svg"
        write_atomically(picture, draw_machine(machine.name, machine.parts))
        _tell(screen, machine, text, picture, json=json, parts=True)


def _tell(
    screen: Screen,
    machine: Mechanism,
    text: str,
    picture: Path | None,
    *,
    json: bool,
    parts: bool = False,
) -> None:
    screen.line(f"{machine.name:<{_WIDTH}}  {text}")
    for part in machine.parts if parts else ():
        places = ": " + ", ".join(part.places) if part.places else ""
        screen.line(f"{'':<{_WIDTH}}  {part.name}, {part.drive} {part.channel}{places}")
    if picture is not None:
        screen.line(f"{'':<{_WIDTH}}  {picture}")
    if json:
        told = [
            {"name": part.name, part.drive: part.channel, "places": part.places}
            for part in machine.parts
        ]
        record = {"name": machine.name, "description": text, "faces": machine.faces}
        shown = None if picture is None else str(picture)
        typer.echo(to_line(record | {"parts": told, "picture": shown}))


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
