"""The verb `word`: what a word of moves does, in the language of group theory."""

from pathlib import Path
from typing import Annotated

import typer

from documents.files import write_atomically
from puzzles.algebra.picture import draw_word
from puzzles.kinds.catalogue import puzzle_named
from teaching.cli.puzzle import Faces, polyhedron
from teaching.cli.word_text import say_combined, say_word, word_record
from teaching.puzzles.words import WordReader, combined
from thistlebot.cli.options import declared as options
from thistlebot.records import to_line
from thistlebot.terminal.screen import Screen


def register(app: typer.Typer) -> None:
    """Add the verb of this module."""
    app.command("word")(word)


def word(
    text: Annotated[
        str, typer.Argument(metavar="WORD", help='Moves, such as "[R, U]2" or "(R U)6 F\'".')
    ],
    other: Annotated[
        str | None,
        typer.Option("--with", metavar="WORD", help="Combine it with another word."),
    ] = None,
    name: Annotated[
        str, typer.Option("--puzzle", metavar="NAME", help="Of which puzzle; `puzzle` lists them.")
    ] = "3x3x3",
    faces: Faces = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw what moves into an SVG file.")
    ] = None,
    json: options.Json = False,
) -> None:
    """Say what a word of moves does: cycles and twists of the pieces, sign, order, position.

    (A B)3 is a power, (A B)' or (A B)^-1 an inverse, [A, B] the commutator A B A' B', [A: B]
    the conjugate A B A'. The 3x3x3 also tells the position as S1 and as S3 write it.

    [bold]thistlebot word "R U R' U'"[/]
    [bold]thistlebot word "[R: [F, U]]" --picture moves.svg[/]
    [bold]thistlebot word "R U" --with "F2"[/]                  products, conjugates, commutator
    [bold]thistlebot word "R 2U2" --puzzle 4x4x4[/]
    """
    screen = Screen(quiet=json)
    reader = WordReader(puzzle_named(name, polyhedron(faces)))
    one = reader.read(text)
    two = None if other is None else reader.read(other)
    both = []
    if other is not None:
        both = [(each, reader.read(each.word)) for each in combined(text, other)]
    if picture is not None:
        drawing = reader.puzzle.drawn(reader.puzzle.solved)
        write_atomically(picture, draw_word(text.strip() or "·", drawing, one.element))
    if json:
        typer.echo(to_line(word_record(reader, one, two, both)))
        return
    say_word(screen, reader, one)
    if two is not None:
        say_combined(screen, reader, (one, two), both)
