"""The verb `word`: the effect of a word of moves, in the language of group theory.

It prints the effect of a word, and of two words combined.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from cube.pieces import CORNERS, EDGES
from cube.state import CubeState
from documents.files import write_atomically
from puzzles.algebra.cycles import KindCycles, Names
from puzzles.algebra.picture import draw_word
from puzzles.algebra.positions import S1Position, S3Position, swaps, three_cycles
from puzzles.kinds.catalogue import puzzle_named
from puzzles.kinds.pieces import PieceKind
from teaching.cli.puzzle import Faces, polyhedron
from teaching.puzzles_as_typed import Combined, Word, WordReader, combined
from thistlebot.cli import options
from thistlebot.records import to_line
from thistlebot.terminal.screen import Screen

Both = Sequence[tuple[Combined, Word]]
_SIGNS = {1: "even", -1: "odd"}
_WIDE = 5


def say_word(screen: Screen, reader: WordReader, word: Word) -> None:
    """Show the effect of a word."""
    short, inverse = reader.shortened(word), reader.inverse(word)
    screen.line(f"moves     {_moves(short)}")
    screen.line(f"inverse   {_moves(inverse)}")
    if word.foreign:
        few = "is not a turn" if len(word.foreign) == 1 else "are not turns"
        screen.note(f"{' '.join(word.foreign)} {few} of {reader.puzzle.name}")
    if not word.holds:
        screen.note(
            "the word also rotates the whole cube: it is shown relative to the centres, and "
            "when repeated it turns other faces (--puzzle 3x3x3-slices moves the centres)"
        )
    for kind in word.element.kinds:
        if kind.cycles:
            cycles = "".join(map(str, kind.cycles))
            screen.line(f"{kind.name:<9} {cycles}  {_SIGNS[kind.sign]}, order {kind.order}")
    element = word.element
    seen = element.order_seen
    looks = "" if seen == element.order else f"; the colours repeat after {seen}"
    screen.line(f"sign      {'+' if element.sign > 0 else '-'}  ({_signs(element.kinds)})")
    screen.line(f"order     {element.order}{looks}")
    for kind, names in _permuted(reader, word):
        _say_factors(screen, kind, names)
    if word.cube is not None:
        _say_s1(screen, word.cube)
        _say_s3(screen, word.cube)


def say_combined(screen: Screen, reader: WordReader, words: tuple[Word, Word], both: Both) -> None:
    """Show the results of combining two words."""
    screen.line()
    one, other = words
    for letter, word in zip("AB", words, strict=True):
        screen.line(f"{letter:<19} {_moves(reader.shortened(word))}")
        screen.line(f"{'':<19} {_type_text(word)}")
    for each, word in both:
        screen.line(f"{each.formula:<19} {_moves(reader.shortened(word))}")
        screen.line(f"{'':<19} {_type_text(word)}")
    same = _commute(both)
    screen.line(f"A and B {'commute' if same else 'do not commute'}; * comes back twisted")
    if one.holds and other.holds:
        return
    screen.note("the words rotate the whole cube: these are not products of their separate effects")


def word_record(reader: WordReader, word: Word, other: Word | None, both: Both) -> dict[str, Any]:
    """The JSON record of `word`."""
    record = _told(reader, word) | {
        "puzzle": reader.puzzle.name,
        "holds": word.holds,
        "foreign": list(word.foreign),
    }
    if word.cube is not None:
        s1, s3 = S1Position.of(word.cube), S3Position.of(word.cube)
        record["s1"] = {
            "corners": [CORNERS[i] for i in s1.corners],
            "edges": [EDGES[i] for i in s1.edges],
            "edge_indices": list(s1.edge_indices),
            "corner_indices": list(s1.corner_indices),
        }
        record["s3"] = {
            "corner_places": [CORNERS[i] for i in s3.corner_places],
            "corner_angles": list(s3.corner_angles),
            "edge_places": [EDGES[i] for i in s3.edge_places],
            "edge_angles": list(s3.edge_angles),
        }
    if other is not None:
        record["with"] = _told(reader, other)
        record["combined"] = [
            {"name": each.name, "formula": each.formula, **_told(reader, made)}
            for each, made in both
        ]
        record["commute"] = _commute(both)
    return record


def _told(reader: WordReader, word: Word) -> dict[str, Any]:
    named = {kind.name: names for kind, names in _permuted(reader, word)}
    kinds = []
    for kind in word.element.kinds:
        entry: dict[str, Any] = {
            "name": kind.name,
            "count": kind.count,
            "sign": kind.sign,
            "order": kind.order,
            "cycles": [
                {
                    "pieces": list(cycle.names),
                    "back": cycle.back,
                    "twist_order": cycle.twist_order,
                }
                for cycle in kind.cycles
            ],
        }
        if kind.name in named:
            places, made = named[kind.name], three_cycles([c.places for c in kind.cycles])
            entry["swaps"] = _named(swaps([c.places for c in kind.cycles]), places)
            entry["three_cycles"] = _named(made.cycles, places)
            entry["swap_left"] = None if made.swap is None else _named([made.swap], places)[0]
        kinds.append(entry)
    return {
        "word": word.text,
        "moves": " ".join(reader.shortened(word)),
        "inverse": " ".join(reader.inverse(word)),
        "sign": word.element.sign,
        "order": word.element.order,
        "order_seen": word.element.order_seen,
        "kinds": kinds,
    }


def _permuted(reader: WordReader, word: Word) -> list[tuple[KindCycles, Names]]:
    """The kinds whose pieces go to other places, with the names of the pieces."""
    by_name: dict[str, PieceKind] = {kind.name: kind for kind in reader.puzzle.pieces.kinds}
    return [
        (kind, Names(reader.puzzle.pieces, by_name[kind.name]))
        for kind in word.element.kinds
        if any(len(cycle.places) > 1 for cycle in kind.cycles)
    ]


def _named(factors: Sequence[Sequence[int]], names: Names) -> list[list[str]]:
    return [[names.place(place) for place in factor] for factor in factors]


def _say_factors(screen: Screen, kind: KindCycles, names: Names) -> None:
    """Show a permutation as swaps and as three-cycles, to be made from left to right."""
    places = [cycle.places for cycle in kind.cycles]
    found = three_cycles(places)
    left = [found.swap] if found.swap else []
    by_swaps = _factors(_named(swaps(places), names))
    by_threes = _factors(_named([*found.cycles, *left], names))
    screen.line(f"{kind.name:<9} = {by_swaps}  (swaps)")
    rest = "three-cycles, one swap" if left else "three-cycles"
    if found.cycles:
        screen.line(f"{'':<9} = {by_threes}  ({rest})")


def _factors(named: Sequence[Sequence[str]]) -> str:
    return "".join(f"({' '.join(factor)})" for factor in named)


def _say_s1(screen: Screen, state: CubeState) -> None:
    """Show [σ, M_A, M_S]: where each piece goes, and the index of the piece then in each place."""
    s1 = S1Position.of(state)
    screen.line()
    screen.line("S1        [σ, M_A, M_S], marks on F and B, on R and L between them")
    _table(screen, "σ", CORNERS, [CORNERS[i] for i in s1.corners])
    _table(screen, "M_S", None, [f"{i:+d}" if i else "0" for i in s1.corner_indices])
    _table(screen, "σ", EDGES, [EDGES[i] for i in s1.edges])
    _table(screen, "M_A", None, [f"{i:+d}" for i in s1.edge_indices])


def _say_s3(screen: Screen, state: CubeState) -> None:
    """Show places and angles of the pieces."""
    s3 = S3Position.of(state)
    screen.line(
        "S3        places and angles of the pieces; only R and L change the angles of edges"
    )
    _table(screen, "place", CORNERS, [CORNERS[i] for i in s3.corner_places])
    _table(screen, "angle", None, [f"{angle}°" for angle in s3.corner_angles])
    _table(screen, "place", EDGES, [EDGES[i] for i in s3.edge_places])
    _table(screen, "angle", None, [f"{angle}°" for angle in s3.edge_angles])


def _table(screen: Screen, title: str, heads: Sequence[str] | None, cells: Sequence[str]) -> None:
    if heads is not None:
        screen.line(f"{'':<10}" + "".join(f"{head:<{_WIDE}}" for head in heads).rstrip())
    screen.line(f"  {title:<8}" + "".join(f"{cell:<{_WIDE}}" for cell in cells).rstrip())


def _moves(moves: Sequence[str]) -> str:
    return f"{' '.join(moves)}  ({len(moves)})" if moves else "none: nothing moves"


def _signs(kinds: Sequence[KindCycles]) -> str:
    """Return which kinds are permuted oddly."""
    odd = [kind.name for kind in kinds if kind.sign < 0]
    return f"odd: {', '.join(odd)}" if odd else "all even"


def _type_text(word: Word) -> str:
    """Order and lengths of the cycles, a star where pieces come back twisted."""
    told = [f"order {word.element.order}"]
    for kind in word.element.kinds:
        if kind.cycles:
            lengths = (f"{size}{'*' * (twist > 1)}" for size, twist in kind.cycle_type)
            told.append(f"{kind.name} {' '.join(lengths)}")
    return ", ".join(told)


def _commute(both: Both) -> bool:
    """Return whether both products of two words are the same."""
    ab, ba = (made.element.arrangement for each, made in both if each.name == "product")
    return bool((ab == ba).all())


def register(app: typer.Typer) -> None:
    """Add the verb of this module."""
    app.command("word")(word)


def word(
    text: Annotated[
        str, typer.Argument(metavar="WORD", help='Moves, such as "[R, U]2" or "(R U)6 F\'".')
    ],
    other: Annotated[
        str | None,
        typer.Option("--with", metavar="WORD", help="A second word to combine with the first."),
    ] = None,
    name: Annotated[
        str, typer.Option("--puzzle", metavar="NAME", help="The puzzle, as listed by `puzzle`.")
    ] = "3x3x3",
    faces: Faces = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the pieces that move, as an SVG file.")
    ] = None,
    json: options.Json = False,
) -> None:
    """Analyse a word of moves: cycles and twists of the pieces, sign, order, position.

    (A B)3 is a power, (A B)' or (A B)^-1 an inverse, [A, B] the commutator A B A' B', [A: B]
    the conjugate A B A'. For the 3x3x3 it also prints the position in the notations of S1 and S3.

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
