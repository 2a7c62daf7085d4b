"""The verb `school explain`: check a cube without a machine."""

from dataclasses import asdict
from typing import Annotated

import typer

from cube.laws import Verdict, examine
from cube.written.written_cube import WrittenCube
from thistlebot.cli import options
from thistlebot.exit_codes import ExitCode
from thistlebot.reading.typed_cube import mistakes_in, order_advice, reading_note
from thistlebot.records import to_line
from thistlebot.terminal.screen import Screen


def explain(
    facelets: Annotated[
        str,
        typer.Argument(
            help="The cube as 54 letters of its faces (URFDLB, or T for U) or of its colours."
        ),
    ],
    order: options.Order = None,
    any_orientation: options.AnyOrientation = False,
    scheme: options.Scheme = None,
    json: options.Json = False,
) -> None:
    """Check stickers against the laws of the cube.

    It suggests repairs. If the stickers are not a cube, it also looks for faces that were written
    rotated, exchanged or mirrored.

    [bold]thistlebot school explain UUUUUUUURURRFRRRRRFRFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB[/]
    """
    written = WrittenCube.parse(facelets, order, any_orientation=any_orientation)
    stickers, colours = written.facelets, options.parse_scheme(scheme) or written.scheme
    verdict = examine(stickers)
    mistakes = () if verdict.solvable else mistakes_in(written)
    if json:
        record = {
            "facelets": stickers.text,
            "order": written.order.name,
            "scheme": written.scheme,
            "solvable": verdict.solvable,
            "orbit": verdict.orbit.number if verdict.orbit else None,
            "problems": verdict.problems,
            "mistakes": [asdict(each) | {"facelets": each.facelets.text} for each in mistakes],
        }
        typer.echo(to_line(record))
    else:
        screen = Screen()
        if note := reading_note(written):
            screen.note(note)
        screen.net(stickers, colours)
        for line in verdict_lines(verdict):
            screen.line(line)
        for mistake in mistakes:
            screen.line(f"mistake   perhaps {mistake.text}")
        if not verdict.solvable and (advice := order_advice(written, facelets)):
            screen.line(f"order     {advice}")
    if not verdict.solvable:
        raise typer.Exit(ExitCode.UNSOLVABLE)


def verdict_lines(verdict: Verdict) -> list[str]:
    """Describe a verdict, one sentence for each law."""
    broken = {problem.law: problem for problem in verdict.problems}
    lines = []
    for law, holds in (
        ("counts", "each colour has nine stickers"),
        ("pieces", "every piece of the cube occurs once"),
        ("corner-twist", "the corner twists add up to whole turns"),
        ("edge-flip", "an even number of edges is flipped"),
        ("parity", "corners and edges are permuted with the same sign"),
    ):
        if law in broken:
            lines += [f"broken  {p.text}" for p in verdict.problems if p.law == law]
            if law in ("counts", "pieces"):
                lines.append(
                    "        (the other laws can only be checked once all pieces are right)"
                )
                return lines
        else:
            lines.append(f"holds   {holds}")
    assert verdict.orbit is not None
    orbit = verdict.orbit
    lines.append(
        f"orbit   {orbit.number} of 0 to 11 (twist {orbit.corner_twist}, flip "
        f"{orbit.edge_flip}, parity {orbit.parity}); only orbit 0 can be solved by face turns"
    )
    lines.append(_repair(verdict))
    return lines


def _repair(verdict: Verdict) -> str:
    steps = []
    for problem in verdict.problems:
        pieces = " and ".join(problem.pieces)
        if problem.law == "corner-twist" and verdict.orbit is not None:
            way = "anticlockwise" if verdict.orbit.corner_twist == 1 else "clockwise"
            steps.append(f"twist {pieces or 'any one corner'} by a third {way}")
        elif problem.law == "edge-flip":
            steps.append(f"take out {pieces or 'any one edge'} and flip it")
        elif problem.law == "parity":
            steps.append(f"swap {pieces or 'any two edges'}")
    return f"repair  {', '.join(steps)}" if steps else "solvable"
