"""The verb `school word`: the effect of a word of moves, in the language of group theory.

It prints the effect of a word, and of two words combined.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from cube.pieces import CORNERS, EDGES
from cube.state import CubeState
from puzzles.algebra.cycles import KindCycles, Names, swaps, three_cycles
from puzzles.algebra.positions import S1Position, S3Position
from puzzles.kinds.catalogue import puzzle_named
from teaching.cli.language import Labels, Spoken, chosen_words
from teaching.cli.puzzle import Faces, polyhedron
from teaching.puzzles_as_typed import Word, WordReader
from teaching.wording import kind_said
from thistlebot.cli import options
from thistlebot.records import to_line
from thistlebot.terminal.screen import Screen
from thistlebot.words.words import Words

_SIGNS = {1: "even", -1: "odd"}
_WIDE = 5
Record = Mapping[str, Any]
"""What is printed about a word: as JSON as it is, as text in a language."""


def word_record(reader: WordReader, word: Word) -> dict[str, Any]:
    """Return the effect of a word."""
    element, permuted = word.element, _permuted(reader, word)
    moves, inverse = reader.both_ways(word)
    return {
        "word": word.text,
        "moves": moves,
        "inverse": inverse,
        "holds": word.holds,
        "sign": element.sign,
        "order": element.order,
        "order_seen": element.order_seen,
        "kinds": [_kind_record(kind, permuted.get(kind.name)) for kind in element.kinds],
    }


def _permuted(reader: WordReader, word: Word) -> dict[str, Names]:
    """Return the names of the pieces, for the kinds whose pieces go to other places."""
    by_name = {kind.name: kind for kind in reader.puzzle.pieces.kinds}
    return {
        kind.name: Names(reader.puzzle.pieces, by_name[kind.name])
        for kind in word.element.kinds
        if any(len(cycle.places) > 1 for cycle in kind.cycles)
    }


def _kind_record(kind: KindCycles, names: Names | None) -> dict[str, Any]:
    """Return cycles, and if pieces go to other places a permutation as swaps and three-cycles."""
    record: dict[str, Any] = {
        "name": kind.name,
        "count": kind.count,
        "sign": kind.sign,
        "order": kind.order,
        "cycles": [
            {"pieces": list(cycle.names), "back": cycle.back, "twist_order": cycle.twist_order}
            for cycle in kind.cycles
        ],
    }
    if names is not None:
        places = [cycle.places for cycle in kind.cycles]
        made = three_cycles(places)
        record["swaps"] = _named(swaps(places), names)
        record["three_cycles"] = _named(made.cycles, names)
        record["swap_left"] = None if made.swap is None else _named([made.swap], names)[0]
    return record


def _named(factors: Sequence[Sequence[int]], names: Names) -> list[list[str]]:
    return [[names.place(place) for place in factor] for factor in factors]


def _position_record(cube: CubeState) -> dict[str, Any]:
    """Return the position of a cube in the notations of S1 and S3."""
    s1, s3 = S1Position.of(cube), S3Position.of(cube)
    return {
        "s1": {
            "corners": [CORNERS[i] for i in s1.corners],
            "edges": [EDGES[i] for i in s1.edges],
            "edge_indices": list(s1.edge_indices),
            "corner_indices": list(s1.corner_indices),
        },
        "s3": {
            "corner_places": [CORNERS[i] for i in s3.corner_places],
            "corner_angles": list(s3.corner_angles),
            "edge_places": [EDGES[i] for i in s3.edge_places],
            "edge_angles": list(s3.edge_angles),
        },
    }


def _combined_record(reader: WordReader, one: Word, other: Word) -> dict[str, Any]:
    """Return a second word, and the results of combining it with the first."""
    both = reader.combined(one, other)
    ab, ba = (each.word.element.arrangement for each in both if each.name == "product")
    return {
        "with": word_record(reader, other),
        "combined": [
            {"name": each.name, "formula": each.formula, **word_record(reader, each.word)}
            for each in both
        ],
        "commute": bool((ab == ba).all()),
    }


def say_word(screen: Screen, record: Record, words: Words) -> None:
    """Show the effect of a word."""
    moved = [kind for kind in record["kinds"] if kind["cycles"]]
    rows = [words(f"word.{key}") for key in ("moves", "inverse", "sign", "order")]
    labels = Labels(screen, [*rows, *(kind_said(kind["name"], words) for kind in moved)])
    labels.line(words("word.moves"), _moves(record["moves"], words))
    labels.line(words("word.inverse"), _moves(record["inverse"], words))
    if foreign := record["foreign"]:
        key = "word.not_turn" if len(foreign) == 1 else "word.not_turns"
        screen.note(words(key, moves=" ".join(foreign), puzzle=record["puzzle"]))
    if not record["holds"]:
        screen.note(words("word.rotates"))
    for kind in moved:
        told = {"cycles": "".join(map(_cycle, kind["cycles"])), "order": kind["order"]}
        sign = words(f"word.{_SIGNS[kind['sign']]}")
        labels.line(kind_said(kind["name"], words), words("word.effect", sign=sign, **told))
    order, seen = record["order"], record["order_seen"]
    sign = "+" if record["sign"] > 0 else "-"
    labels.line(words("word.sign"), f"{sign}  ({_signs(record['kinds'], words)})")
    repeats = str(seen) if seen == order else words("word.order_seen", order=order, seen=seen)
    labels.line(words("word.order"), repeats)
    for kind in moved:
        if "swaps" in kind:
            _say_factors(labels, kind, words)
    if "s1" in record:
        _say_s1(labels, record["s1"], words)
        _say_s3(labels, record["s3"], words)


def say_combined(screen: Screen, record: Record, words: Words) -> None:
    """Show the results of combining two words."""
    screen.line()
    both = [(each["formula"], each) for each in record["combined"]]
    for name, each in [("A", record), ("B", record["with"]), *both]:
        screen.line(f"{name:<19} {_moves(each['moves'], words)}")
        screen.line(f"{'':<19} {_type_text(each, words)}")
    screen.line(words("word.commute" if record["commute"] else "word.not_commute"))
    if not (record["holds"] and record["with"]["holds"]):
        screen.note(words("word.both_rotate"))


def _cycle(cycle: Record) -> str:
    turned = f" ↺ {cycle['back']}" if cycle["twist_order"] > 1 else ""
    return f"({' '.join(cycle['pieces'])}{turned})"


def _say_factors(labels: Labels, kind: Record, words: Words) -> None:
    """Show a permutation as swaps and as three-cycles, to be made from left to right."""
    left = [kind["swap_left"]] if kind["swap_left"] else []
    by_swaps, by_threes = _factors(kind["swaps"]), _factors([*kind["three_cycles"], *left])
    labels.line(kind_said(kind["name"], words), f"= {by_swaps}  ({words('word.swaps')})")
    if kind["three_cycles"]:
        rest = words("word.three_cycles_swap" if left else "word.three_cycles")
        labels.line("", f"= {by_threes}  ({rest})")


def _factors(named: Sequence[Sequence[str]]) -> str:
    return "".join(f"({' '.join(factor)})" for factor in named)


def _say_s1(labels: Labels, s1: Record, words: Words) -> None:
    """Show [σ, M_A, M_S]: where each piece goes, and the index of the piece then in each place."""
    labels.screen.line()
    labels.line("S1", words("word.s1"))
    top = words("word.s1_top")
    for kind, heads, title in (("corner", CORNERS, "M_S"), ("edge", EDGES, "M_A")):
        _table(labels, None, [name.replace("U", top) for name in heads])
        _table(labels, "σ", [name.replace("U", top) for name in s1[f"{kind}s"]])
        _table(labels, title, [f"{i:+d}" if i else "0" for i in s1[f"{kind}_indices"]])


def _say_s3(labels: Labels, s3: Record, words: Words) -> None:
    """Show places and angles of the pieces."""
    labels.line("S3", words("word.s3"))
    for kind, heads in (("corner", CORNERS), ("edge", EDGES)):
        _table(labels, None, heads)
        _table(labels, words("word.place"), s3[f"{kind}_places"])
        _table(labels, words("word.angle"), [f"{angle}°" for angle in s3[f"{kind}_angles"]])


def _table(labels: Labels, title: str | None, cells: Sequence[str]) -> None:
    """Print a row of values below their names."""
    row = "".join(f"{cell:<{_WIDE}}" for cell in cells).rstrip()
    labels.line("" if title is None else f"  {title}", row)


def _moves(moves: str, words: Words) -> str:
    return f"{moves}  ({len(moves.split())})" if moves else words("word.nothing")


def _signs(kinds: Sequence[Record], words: Words) -> str:
    """Return which kinds are permuted oddly."""
    odd = [kind_said(kind["name"], words) for kind in kinds if kind["sign"] < 0]
    return words("word.odd_kinds", kinds=", ".join(odd)) if odd else words("word.all_even")


def _type_text(record: Record, words: Words) -> str:
    """Order and lengths of the cycles, a star where pieces come back twisted."""
    told = [f"{words('word.order')} {record['order']}"]
    for kind in record["kinds"]:
        cycles = sorted((len(c["pieces"]), c["twist_order"]) for c in kind["cycles"])[::-1]
        if cycles:
            lengths = (f"{size}{'*' * (twist > 1)}" for size, twist in cycles)
            told.append(f"{kind_said(kind['name'], words)} {' '.join(lengths)}")
    return ", ".join(told)


def word(
    text: Annotated[
        str, typer.Argument(metavar="WORD", help='Moves, such as "[R, U]2" or "(R U)6 F\'".')
    ],
    other: Annotated[
        str | None,
        typer.Option("--with", metavar="WORD", help="A second word to combine with the first."),
    ] = None,
    name: Annotated[
        str,
        typer.Option("--puzzle", metavar="NAME", help="The puzzle, as listed by `school puzzle`."),
    ] = "3x3x3",
    faces: Faces = None,
    language: Spoken = None,
    json: options.Json = False,
) -> None:
    """Analyse a word of moves: cycles, sign, order.

    It also prints the twists of the pieces. (A B)3 is a power, (A B)' or (A B)^-1 an inverse, [A,
    B] the commutator A B A' B', [A: B] the conjugate A B A'. For the 3x3x3 it also prints the
    position in the notations of S1 and S3.

    [bold]thistlebot school word "R U R' U'"[/]
    [bold]thistlebot school word "[R: [F, U]]"[/]
    [bold]thistlebot school word "R U" --with "F2"[/]               products, conjugates, commutator
    [bold]thistlebot school word "R 2U2" --puzzle 4x4x4[/]
    """
    screen, words = Screen(quiet=json), chosen_words(language)
    reader = WordReader(puzzle_named(name, polyhedron(faces)))
    one = reader.read(text)
    record = word_record(reader, one)
    record |= {"puzzle": reader.puzzle.name, "foreign": list(one.foreign)}
    if one.cube is not None:
        record |= _position_record(one.cube)
    if other is not None:
        record |= _combined_record(reader, one, reader.read(other))
    if json:
        typer.echo(to_line(record))
        return
    say_word(screen, record, words)
    if other is not None:
        say_combined(screen, record, words)
