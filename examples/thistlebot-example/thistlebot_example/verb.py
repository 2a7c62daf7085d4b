"""A command: ``thistlebot undo "R U F2"`` prints the moves that undo others."""

from typing import Annotated

import typer

from cube.moves import MoveSequence
from thistlebot.cli import options
from thistlebot.records import to_line


def undo(
    moves: Annotated[str, typer.Argument(metavar="MOVES", help="Such as R U F2.")],
    json: options.Json = False,
) -> None:
    """Print the moves that undo others."""
    undone = MoveSequence.parse(moves).inverse()
    typer.echo(to_line({"moves": str(undone)}) if json else str(undone))
