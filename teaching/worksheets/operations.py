"""Operations on the pieces of a cube: face turns, and swaps and twists that no turn can make.

``URF-ULB`` swaps two corners or two edges, ``URF+`` and ``URF-`` twist a corner clockwise and
anticlockwise, and ``UR+`` flips an edge; they name places. Everything else is a word of moves. Each
operation is a re-assembly that follows on what was made before, as a turn does.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from cube.errors import NotationError
from cube.moves import MoveSequence
from cube.notation.cube_alphabet import FACE_ALIASES
from cube.pieces import CORNERS, EDGES
from cube.state import SOLVED, CubeState
from solver.stages.subgroup_chain import Chain
from teaching.films.film import Level
from teaching.films.lesson_film import cube_laws, cube_levels
from thistlebot.words.words import DEFAULT, Words, load_words

CHAIN = Chain("RFU")
"""S3's own orientation: Φ1 has no quarter turns of R and L, Φ2 none of F and B either."""
GAUGES = (
    *("law_a", "law_b", "law_signs"),
    *("flipped", "twisted", "outside_middle", "outside_tetrads", "delta", "outside_slices"),
    "unsolved",
)
"""The quantities that are watched, in order: those that every turn keeps come first."""
KEPT_BY_HALF_TURNS = GAUGES[:-1]
_NAME = "[URFDLBT]{2,3}"
_MINUS = "[-−–]"
_OPERATION = re.compile(rf"(?<![\w^])({_NAME})(?:{_MINUS}({_NAME})|(\+|{_MINUS}))(?=[\s,;]|$)")
_PLACES = {frozenset(name): name for name in (*CORNERS, *EDGES)}


@dataclass(frozen=True, slots=True)
class PieceOperation:
    """One operation.

    Attributes:
        name: Its name, such as ``R2``, ``URF-ULB`` or ``URF+``.
        change: What it makes of the solved cube.
    """

    name: str
    change: CubeState


def moves_pieces(text: str) -> bool:
    """Return whether a text has an operation that is not a turn."""
    return _OPERATION.search(text) is not None


def read_operations(
    text: str, read_moves: Callable[[str], Sequence[str]]
) -> tuple[PieceOperation, ...]:
    """Read operations.

    Args:
        text: As typed.
        read_moves: Returns the face turns of a word of moves.

    Raises:
        NotationError: A place does not exist, or a corner is to be swapped with an edge.
    """
    made, at = list[PieceOperation](), 0
    for match in (*_OPERATION.finditer(text), None):
        between = text[at : match.start() if match else len(text)].strip(" ,;\t\r\n")
        for move in read_moves(between) if between else ():
            made.append(PieceOperation(move, SOLVED.apply(MoveSequence.parse(move))))
        if match:
            at = match.end()
            one, other, turn = _place(match[1]), match[2], match[3]
            made.append(
                _swap(one, _place(other)) if other else _turn(one, -1 if turn != "+" else 1)
            )
    return tuple(made)


def _place(name: str) -> str:
    faces = frozenset(FACE_ALIASES.get(letter, letter) for letter in name)
    if len(faces) != len(name) or faces not in _PLACES:
        raise NotationError(
            f"{name!r} is not a place of a corner or an edge; write for example URF or UR"
        )
    return _PLACES[faces]


def _swap(one: str, other: str) -> PieceOperation:
    if len(one) != len(other) or one == other:
        raise NotationError(f"{one}-{other}: swap two different corners, or two different edges")
    corners, edges = list(range(8)), list(range(12))
    names, places = (CORNERS, corners) if len(one) == 3 else (EDGES, edges)
    i, j = names.index(one), names.index(other)
    places[i], places[j] = j, i
    change = CubeState(tuple(corners), (0,) * 8, tuple(edges), (0,) * 12)
    return PieceOperation(f"{one}-{other}", change)


def _turn(place: str, turns: int) -> PieceOperation:
    """Return a corner's twist by thirds of a turn clockwise, or an edge's flip."""
    twists, flips = [0] * 8, [0] * 12
    if place in CORNERS:
        twists[CORNERS.index(place)] = turns % 3
    else:
        flips[EDGES.index(place)] = 1
    change = CubeState(tuple(range(8)), tuple(twists), tuple(range(12)), tuple(flips))
    return PieceOperation(f"{place}{'-' if turns < 0 and place in CORNERS else '+'}", change)


def carried_out(operations: Sequence[PieceOperation]) -> list[CubeState]:
    """Return the solved cube, and the state after each operation."""
    states = [SOLVED]
    for each in operations:
        states.append(states[-1] * each.change)
    return states


def reassembled(text: str) -> CubeState:
    """Return the cube that swaps and twists, such as ``URF+ UR-UF``, make of the solved one."""
    return carried_out(read_operations(text, str.split))[-1]


def quantity_names(words: Words) -> tuple[str, ...]:
    """Return the names of the quantities `GAUGES`; of δ that of its value, which is shown."""
    return tuple(words("pieces.delta" if key == "delta" else f"film.{key}") for key in GAUGES)


def quantity_levels(state: CubeState, words: Words) -> tuple[Level, ...]:
    """Return the values of the quantities `GAUGES`; each is 0 for the solved cube."""
    return *cube_laws(state), *cube_levels(state, CHAIN, words)


@dataclass(frozen=True, slots=True)
class QuantityAt:
    """One quantity of a state, as a text.

    Attributes:
        number: Its place in `GAUGES`.
        state: The state.
    """

    number: int
    state: CubeState

    def text(self, words: Words) -> str:
        """Return its name and its value in a language."""
        value = quantity_levels(self.state, words)[self.number].said
        return words("lesson.labelled", label=quantity_names(words)[self.number], text=value)


def changes_said(before: CubeState, after: CubeState, name: str, words: Words) -> str:
    """Return which of the quantities an operation changes, and which it keeps."""
    pairs = zip(quantity_levels(before, words), quantity_levels(after, words), strict=True)
    moved = [one.said != other.said for one, other in pairs][:-1]
    changed, kept = (
        "; ".join(
            text
            for text, moves in zip(quantity_names(words), moved, strict=False)
            if moves is which
        )
        or words("pieces.nothing")
        for which in (True, False)
    )
    return f"{words('pieces.changes', name=name, list=changed)} {words('pieces.keeps', list=kept)}"


Wanted = Mapping[str, int]
"""The values that some of the quantities `GAUGES` must have."""


def missed(wanted: Wanted, state: CubeState) -> list[QuantityAt]:
    """Return the quantities of a state that have a value that is not wanted."""
    levels = quantity_levels(state, load_words(DEFAULT))
    return [
        QuantityAt(number, state)
        for number, (key, level) in enumerate(zip(GAUGES, levels, strict=True))
        if level.left != wanted.get(key, level.left)
    ]


def keeping(**but: int) -> Wanted:
    """Return wanted values: those of the solved cube for all that half turns keep, but some."""
    return dict.fromkeys(KEPT_BY_HALF_TURNS, 0) | but
