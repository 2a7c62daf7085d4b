"""The verb `word`: the effect of a word of moves, in the language of group theory.

It prints the effect of a word, and of two words combined.
"""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from cube.pieces import CORNERS, EDGES
from cube.state import CubeState
from puzzles.algebra.cycles import KindCycles, Names
from puzzles.algebra.positions import S1Position, S3Position, swaps, three_cycles
from puzzles.kinds.catalogue import puzzle_named
from puzzles.kinds.pieces import PieceKind
from teaching.cli.language import Labels, Spoken, chosen_words
from teaching.cli.puzzle import Faces, polyhedron
from teaching.puzzles_as_typed import Combined, Word, WordReader
from teaching.wording import kind_said
from thistlebot.cli import options
from thistlebot.records import to_line
from thistlebot.terminal.screen import Screen
from thistlebot.words.words import Words

Both = Sequence[Combined]
_SIGNS = {1: "even", -1: "odd"}
_WIDE = 5


def say_word(screen: Screen, reader: WordReader, word: Word, words: Words) -> None:
    """Show the effect of a word."""
    kinds = [kind_said(kind.name, words) for kind in word.element.kinds if kind.cycles]
    rows = [words(f"word.{key}") for key in ("moves", "inverse", "sign", "order")]
    labels, puzzle = Labels(screen, [*rows, *kinds]), reader.puzzle.name
    labels.line(words("word.moves"), _moves(reader.shortened(word), words))
    labels.line(words("word.inverse"), _moves(reader.inverse(word), words))
    if word.foreign:
        key = "word.not_turn" if len(word.foreign) == 1 else "word.not_turns"
        screen.note(words(key, moves=" ".join(word.foreign), puzzle=puzzle))
    if not word.holds:
        screen.note(words("word.rotates"))
    for kind in word.element.kinds:
        if kind.cycles:
            told = {"cycles": "".join(map(str, kind.cycles)), "order": kind.order}
            sign = words(f"word.{_SIGNS[kind.sign]}")
            labels.line(kind_said(kind.name, words), words("word.effect", sign=sign, **told))
    element = word.element
    seen = element.order_seen
    alike = seen == element.order
    order = str(seen) if alike else words("word.order_seen", order=element.order, seen=seen)
    sign = "+" if element.sign > 0 else "-"
    labels.line(words("word.sign"), f"{sign}  ({_signs(element.kinds, words)})")
    labels.line(words("word.order"), order)
    for kind, names in _permuted(reader, word):
        _say_factors(labels, kind, names, words)
    if word.cube is not None:
        _say_s1(labels, word.cube, words)
        _say_s3(labels, word.cube, words)


def say_combined(
    screen: Screen, reader: WordReader, pair: tuple[Word, Word], both: Both, words: Words
) -> None:
    """Show the results of combining two words."""
    screen.line()
    one, other = pair
    named = [*zip("AB", pair, strict=True), *((each.formula, each.word) for each in both)]
    for name, word in named:
        screen.line(f"{name:<19} {_moves(reader.shortened(word), words)}")
        screen.line(f"{'':<19} {_type_text(word, words)}")
    screen.line(words("word.commute" if _commute(both) else "word.not_commute"))
    if not (one.holds and other.holds):
        screen.note(words("word.both_rotate"))


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
            {"name": each.name, "formula": each.formula, **_told(reader, each.word)}
            for each in both
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


def _say_factors(labels: Labels, kind: KindCycles, names: Names, words: Words) -> None:
    """Show a permutation as swaps and as three-cycles, to be made from left to right."""
    places = [cycle.places for cycle in kind.cycles]
    found = three_cycles(places)
    left = [found.swap] if found.swap else []
    by_swaps = _factors(_named(swaps(places), names))
    by_threes = _factors(_named([*found.cycles, *left], names))
    labels.line(kind_said(kind.name, words), f"= {by_swaps}  ({words('word.swaps')})")
    rest = words("word.three_cycles_swap" if left else "word.three_cycles")
    if found.cycles:
        labels.line("", f"= {by_threes}  ({rest})")


def _factors(named: Sequence[Sequence[str]]) -> str:
    return "".join(f"({' '.join(factor)})" for factor in named)


def _say_s1(labels: Labels, state: CubeState, words: Words) -> None:
    """Show [σ, M_A, M_S]: where each piece goes, and the index of the piece then in each place."""
    s1 = S1Position.of(state)
    labels.screen.line()
    labels.line("S1", words("word.s1"))
    top = words("word.s1_top")
    corners, edges = ([name.replace("U", top) for name in names] for names in (CORNERS, EDGES))
    _table(labels, "σ", corners, [corners[i] for i in s1.corners])
    _table(labels, "M_S", None, [f"{i:+d}" if i else "0" for i in s1.corner_indices])
    _table(labels, "σ", edges, [edges[i] for i in s1.edges])
    _table(labels, "M_A", None, [f"{i:+d}" for i in s1.edge_indices])


def _say_s3(labels: Labels, state: CubeState, words: Words) -> None:
    """Show places and angles of the pieces."""
    s3 = S3Position.of(state)
    place, angle = words("word.place"), words("word.angle")
    labels.line("S3", words("word.s3"))
    _table(labels, place, CORNERS, [CORNERS[i] for i in s3.corner_places])
    _table(labels, angle, None, [f"{angle}°" for angle in s3.corner_angles])
    _table(labels, place, EDGES, [EDGES[i] for i in s3.edge_places])
    _table(labels, angle, None, [f"{angle}°" for angle in s3.edge_angles])


def _table(labels: Labels, title: str, heads: Sequence[str] | None, cells: Sequence[str]) -> None:
    """Print values below their names."""
    if heads is not None:
        labels.line("", "".join(f"{head:<{_WIDE}}" for head in heads).rstrip())
    labels.line(f"  {title}", "".join(f"{cell:<{_WIDE}}" for cell in cells).rstrip())


def _moves(moves: Sequence[str], words: Words) -> str:
    return f"{' '.join(moves)}  ({len(moves)})" if moves else words("word.nothing")


def _signs(kinds: Sequence[KindCycles], words: Words) -> str:
    """Return which kinds are permuted oddly."""
    odd = [kind_said(kind.name, words) for kind in kinds if kind.sign < 0]
    return words("word.odd_kinds", kinds=", ".join(odd)) if odd else words("word.all_even")


def _type_text(word: Word, words: Words) -> str:
    """Order and lengths of the cycles, a star where pieces come back twisted."""
    told = [f"{words('word.order')} {word.element.order}"]
    for kind in word.element.kinds:
        if kind.cycles:
            lengths = (f"{size}{'*' * (twist > 1)}" for size, twist in kind.cycle_type)
            told.append(f"{kind_said(kind.name, words)} {' '.join(lengths)}")
    return ", ".join(told)


def _commute(both: Both) -> bool:
    """Return whether both products of two words are the same."""
    ab, ba = (each.word.element.arrangement for each in both if each.name == "product")
    return bool((ab == ba).all())


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
    language: Spoken = None,
    json: options.Json = False,
) -> None:
    """Analyse a word of moves: cycles and twists of the pieces, sign, order, position.

    (A B)3 is a power, (A B)' or (A B)^-1 an inverse, [A, B] the commutator A B A' B', [A: B]
    the conjugate A B A'. For the 3x3x3 it also prints the position in the notations of S1 and S3.

    [bold]thistlebot word "R U R' U'"[/]
    [bold]thistlebot word "[R: [F, U]]"[/]
    [bold]thistlebot word "R U" --with "F2"[/]                  products, conjugates, commutator
    [bold]thistlebot word "R 2U2" --puzzle 4x4x4[/]
    """
    screen, words = Screen(quiet=json), chosen_words(language)
    reader = WordReader(puzzle_named(name, polyhedron(faces)))
    one = reader.read(text)
    two = None if other is None else reader.read(other)
    both = () if two is None else reader.combined(one, two)
    if json:
        typer.echo(to_line(word_record(reader, one, two, both)))
        return
    say_word(screen, reader, one, words)
    if two is not None:
        say_combined(screen, reader, (one, two), both, words)
