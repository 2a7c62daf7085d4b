"""How people write the moves of each puzzle, and the puzzle's own turns that they make.

A cube of 3×3×3 is written as in `cube.notation.cube_alphabet`. Larger cubes and boxes have their
own names of layers, ``R``, ``2R`` …, and those of WCA's scrambles: ``Rw`` for two layers, ``3Rw``
for three, ``x`` or ``[r]`` for the whole cube. The Megaminx also has WCA's ``U``, ``R++`` and
``D--``. Every other puzzle only has its own names.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic

import numpy as np

from cube.held_moves import seen_from_centres
from cube.moves import OPPOSITE_FACE
from cube.notation.cube_alphabet import CUBE_MOVES, CubeMove, suffix_turns
from cube.notation.move_grammar import MoveAlphabet, Unit, UnreadError
from puzzles.kinds.box import ENDS, SLICES, Box
from puzzles.kinds.catalogue import AnyPuzzle
from puzzles.kinds.cubes import CubePuzzle
from puzzles.kinds.oriented import OrientedSolid
from puzzles.kinds.supercubes import Supercube, ThreeColourCube

_SUFFIXES = ("", "", "2", "'")
_SPELT = re.compile(r"([0-9]*[A-Za-z]w?)(.*)")
_OTHER_PRIME = re.compile(r"(?:i|-1|-)$")
_COUPLED = re.compile(r"([URF])([sa])(2|'|)")
_WHOLE = {"x": "R", "y": "U", "z": "F"}
_MOST_NAMED = 24
_ONE, _SEVERAL = 1, 2
Spelling = Mapping[str, tuple[str, ...]]
"""The puzzle's own turns for each spelling of a move."""


@dataclass(frozen=True, slots=True)
class Notation(Generic[Unit]):
    """The notation of a puzzle.

    Attributes:
        alphabet: Its single moves, for `cube.notation.move_grammar.parse_moves`.
        turns: Returns the names of the turns that moves make. Those of a cube may be turns of faces
            that the puzzle does not allow.
    """

    alphabet: MoveAlphabet[Unit]
    turns: Callable[[Sequence[Unit]], tuple[str, ...]]


def notation_of(puzzle: AnyPuzzle) -> Notation[Any]:
    """Return the notation of a puzzle."""
    own = {turn.name: turn.inverse for turn in puzzle.turns}
    if isinstance(puzzle, (CubePuzzle, Supercube, ThreeColourCube)):
        return _cube_notation(puzzle.name, own)
    if isinstance(puzzle, Box):
        spelling = _box_spelling(puzzle, own)
        rotation = partial(_bracketed_rotation, spelling=spelling)
        alphabet = MoveAlphabet(partial(_split_box, puzzle.name, spelling, own), _undone, rotation)
        return Notation(alphabet, partial(_spelt, spelling))
    if isinstance(puzzle, OrientedSolid) and puzzle.solid.name == "dodecahedron":
        return _megaminx_notation(puzzle, own)
    alphabet = MoveAlphabet(partial(_split_names, puzzle.name, own), own.__getitem__)
    return Notation(alphabet, tuple)


def _cube_notation(puzzle: str, own: Mapping[str, str]) -> Notation[str | CubeMove]:
    """Return the notation of a 3×3×3 cube, where ``Rs`` may be a turn of opposite faces.

    Args:
        puzzle: Its name, for messages.
        own: The inverse of each of its turns.
    """
    coupled = {name for name in own if _COUPLED.fullmatch(name)}

    def split(chunk: str) -> Sequence[str | CubeMove]:
        if chunk in coupled:
            return [chunk]
        try:
            return CUBE_MOVES.split(chunk)
        except UnreadError as error:
            why = f"{error.why}; the turns of {puzzle} are {_shown(own)}"
            raise UnreadError(error.at, error.size, why) from error

    def undone(move: str | CubeMove) -> str | CubeMove:
        return own[move] if isinstance(move, str) else move.inverse()

    def turns(moves: Sequence[str | CubeMove]) -> tuple[str, ...]:
        names = tuple(move for move in moves if isinstance(move, str))
        if len(names) == len(moves):
            return names
        found = list[CubeMove]()
        for move in moves:
            found += _both_faces(move) if isinstance(move, str) else [move]
        return tuple(map(str, seen_from_centres(found)))

    return Notation(MoveAlphabet(split, undone, CUBE_MOVES.bracketed), turns)


def _both_faces(name: str) -> tuple[CubeMove, CubeMove]:
    match = _COUPLED.fullmatch(name)
    assert match is not None
    quarters = _SUFFIXES.index(match[3], 1)
    other = 4 - quarters if match[2] == "s" else quarters
    return CubeMove(match[1], quarters), CubeMove(OPPOSITE_FACE[match[1]], other)


def _spelt(spelling: Spelling, moves: Sequence[str]) -> tuple[str, ...]:
    return tuple(turn for move in moves for turn in spelling[move])


def _undone(move: str) -> str:
    match = _SPELT.fullmatch(move)
    assert match is not None
    return match[1] + _SUFFIXES[-_SUFFIXES.index(match[2], 1) % 4]


def _box_spelling(box: Box, own: Mapping[str, str]) -> Spelling:
    """Return the turns of layers for each move of one layer, several layers or the whole box."""
    bases: dict[str, list[tuple[str, int]]] = {}
    for side, (high, low) in zip(box.sides, ENDS, strict=True):
        ahead = [(high, 1), *((f"{depth}{high}", 1) for depth in range(2, side)), (low, -1)][:side]
        back = [(name, -sense) for name, sense in reversed(ahead)]
        for face, layers in ((high, ahead), (low, back)):
            bases |= {(f"{n}{face}" if n > 1 else face): [layers[n - 1]] for n in range(1, side)}
            bases |= {f"{n}{face}w": layers[:n] for n in range(2, side + 1)}
            bases |= {f"{face}w": layers[:2]} if side > 1 else {}
        bases[high] = ahead[:1]
        whole = next(name for name, face in _WHOLE.items() if face == high)
        bases |= {whole: ahead, whole.upper(): ahead}
    if set(box.sides) == {3}:
        bases |= {face.lower(): bases[f"{face}w"] for ends in ENDS for face in ends}
        for name, layer in SLICES.items():
            bases |= {name: [layer], name.lower(): [layer]}
    spelling: dict[str, tuple[str, ...]] = {name: (name,) for name in own}
    for base, layers in bases.items():
        for quarters in (1, 2, 3):
            made = tuple(name + _SUFFIXES[sense * quarters % 4] for name, sense in layers)
            if set(made) <= set(own):
                spelling.setdefault(base + _SUFFIXES[quarters], made)
    return spelling


def _split_box(
    puzzle: str, spelling: Spelling, own: Mapping[str, str], chunk: str
) -> Sequence[str]:
    """Return the moves of a text without spaces: one move, or several of the puzzle's own names."""
    match = _SPELT.fullmatch(chunk)
    turns = match and suffix_turns(match[2])
    thrice = match and match[1] in "xX" and "3" in match[2]  # may repeat what is before it
    if match and turns and not thrice and (move := match[1] + _SUFFIXES[turns]) in spelling:
        return [move]
    if chunk[0] in "urfdlb":
        face = chunk[0].upper()
        why = f"turns two layers in SiGN and the inner one elsewhere; write {face}w or 2{face}"
        raise UnreadError(0, len(chunk), why)
    return _split_names(puzzle, own, chunk)


def _bracketed_rotation(text: str, spelling: Spelling) -> str | None:
    move = CUBE_MOVES.bracketed(text)
    return str(move) if move is not None and str(move) in spelling else None


def _megaminx_notation(puzzle: OrientedSolid, own: Mapping[str, str]) -> Notation[str]:
    """Return the notation of the Megaminx: its own names of faces, and those of WCA's scrambles.

    U is A, F is B, R is C, L is F. ``R++`` turns everything except the layer of L by two fifths,
    ``D++`` everything except that of U. The names of the moves after it are those of the places.
    Source: WCA regulations, 12d.
    """
    letters = list(dict.fromkeys(str(turn.layer) for turn in puzzle.turns))
    named = {f"U{name[1:]}": name for name in own if name[0] == "A"}
    kept = {"R": "F", "D": "A"}
    signs = {"++": ("2", 1), "--": ("2'", -1)}
    whole = {f"{letter}{sign}": (kept[letter], *signs[sign]) for letter in kept for sign in signs}
    inverses = {
        **own,
        **{alias: f"U{own[name][1:]}" for alias, name in named.items()},
        **{move: move[0] + ("--" if move.endswith("++") else "++") for move in whole},
    }

    def turns(moves: Sequence[str]) -> tuple[str, ...]:
        held, made = dict(zip(letters, letters, strict=True)), list[str]()
        for move in moves:
            place, suffix, sense = whole.get(move, (move[0], move[1:], 0))
            place = "A" if move in named else place
            made.append(held[place] + suffix)
            if sense:
                axis = puzzle.solid.normals[letters.index(place)]
                _, towards = puzzle.solid.turned(axis, sense * 4 * np.pi / 5)
                held = {letters[there]: held[letters[here]] for here, there in enumerate(towards)}
        return tuple(made)

    return Notation(
        MoveAlphabet(partial(_split_names, puzzle.name, inverses), inverses.__getitem__), turns
    )


def _split_names(puzzle: str, names: Mapping[str, object], chunk: str) -> Sequence[str]:
    """Return the moves of a text without spaces, if it has one meaning only.

    Args:
        puzzle: Name of the puzzle, for messages.
        names: The moves.
        chunk: The text. From each of its characters, the rest has no, one or several meanings.
    """
    for one in (chunk, _OTHER_PRIME.sub("'", chunk)):
        if one in names:
            return [one]
    longest = max(map(len, names))
    ways, first = [0] * len(chunk) + [_ONE], [0] * len(chunk)
    for start in range(len(chunk) - 1, -1, -1):
        for end in range(start + 1, min(len(chunk), start + longest) + 1):
            if ways[end] and chunk[start:end] in names:
                ways[start] = min(_SEVERAL, ways[start] + ways[end])
                first[start] = end
    if not ways[0]:
        raise _unknown(puzzle, names, chunk, longest)
    if ways[0] == _SEVERAL:
        why = "can be read in several ways; put spaces between the moves"
        raise UnreadError(0, len(chunk), why)
    moves, start = list[str](), 0
    while start < len(chunk):
        moves.append(chunk[start : first[start]])
        start = first[start]
    return moves


def _unknown(puzzle: str, names: Mapping[str, object], chunk: str, longest: int) -> UnreadError:
    """Return an error that names the first part of a text with which no move begins."""
    read = {0}
    for end in range(1, len(chunk) + 1):
        starts = range(max(0, end - longest), end)
        if any(start in read and chunk[start:end] in names for start in starts):
            read.add(end)
    bad = max(read)
    why = f"is not a move of {puzzle}; its moves are {_shown(names)}, with spaces between them"
    return UnreadError(bad, len(chunk) - bad, why)


def _shown(names: Mapping[str, object]) -> str:
    return " ".join([*names][:_MOST_NAMED] + ["…"] * (len(names) > _MOST_NAMED))
