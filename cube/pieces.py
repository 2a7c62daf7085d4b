"""The pieces of the cube and the facelets that they show.

Names, order and facelet lists are Kociemba's: the first facelet of a corner is on U or D and the
others follow clockwise; the first facelet of an edge is on U or D, or on F or B in the middle
layer.

Pieces from stickers: 54 facelets in, the place and orientation of each piece out.

If the stickers break the first laws, these laws come out instead, because there is no state.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Literal, get_args

from cube.facelets import Facelets, facelet_index, facelet_name
from cube.moves import FACES

CORNERS = ("URF", "UFL", "ULB", "UBR", "DFR", "DLF", "DBL", "DRB")
EDGES = ("UR", "UF", "UL", "UB", "DR", "DF", "DL", "DB", "FR", "FL", "BL", "BR")

_CORNER_NAMES = (
    "U9 R1 F3",
    "U7 F1 L3",
    "U1 L1 B3",
    "U3 B1 R3",
    "D3 F9 R7",
    "D1 L9 F7",
    "D7 B9 L7",
    "D9 R9 B7",
)
_EDGE_NAMES = (
    "U6 R2",
    "U8 F2",
    "U4 L2",
    "U2 B2",
    "D6 R8",
    "D2 F8",
    "D4 L8",
    "D8 B8",
    "F6 R4",
    "F4 L6",
    "B6 L4",
    "B4 R6",
)

CORNER_FACELETS: tuple[tuple[int, ...], ...] = tuple(
    tuple(map(facelet_index, names.split())) for names in _CORNER_NAMES
)
"""The three facelet indices of each corner place, clockwise from the one on U or D."""

EDGE_FACELETS: tuple[tuple[int, ...], ...] = tuple(
    tuple(map(facelet_index, names.split())) for names in _EDGE_NAMES
)
"""The two facelet indices of each edge place, the reference one first."""

CENTRE_FACELETS: tuple[int, ...] = tuple(9 * face + 4 for face in range(6))


Places = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""Permutation and orientation of the corners, then of the edges, as `CubeState` takes them."""

Law = Literal["counts", "pieces", "corner-twist", "edge-flip", "parity"]
LAWS: tuple[Law, ...] = get_args(Law)


@dataclass(frozen=True, slots=True)
class Problem:
    """One broken law.

    Attributes:
        law: The law; the names are part of the machine formats.
        pieces: The places or facelets concerned, such as ``("URF",)`` or ``("U1", "F3")``; empty if
            the law concerns the whole cube.
        text: One sentence for a person.
    """

    law: Law
    pieces: tuple[str, ...]
    text: str


def recognise(facelets: Facelets) -> tuple[Places | None, tuple[Problem, ...]]:
    """Recognise every piece by its colours.

    Returns:
        The places of a state, which may be in any orbit, or None with the broken laws: wrong
        numbers of colours, else wrong centres, else pieces that no cube has.
    """
    problems = _count_problems(facelets) or _centre_problems(facelets)
    if problems:
        return None, problems
    corners, corner_problems = _recognise(facelets, CORNERS, CORNER_FACELETS, "corner")
    edges, edge_problems = _recognise(facelets, EDGES, EDGE_FACELETS, "edge")
    if corner_problems or edge_problems:
        return None, corner_problems + edge_problems
    return (
        tuple(piece for piece, _ in corners),
        tuple(turn for _, turn in corners),
        tuple(piece for piece, _ in edges),
        tuple(turn for _, turn in edges),
    ), ()


def missing_pieces(facelets: Facelets) -> int:
    """Count the places whose stickers show no piece, or a piece that another place shows, too."""
    found = (
        *_recognise(facelets, CORNERS, CORNER_FACELETS, "corner"),
        *_recognise(facelets, EDGES, EDGE_FACELETS, "edge"),
    )
    corners, _, edges, _ = found
    shown = ({piece for piece, _ in corners}, {piece for piece, _ in edges})
    return len(CORNERS) + len(EDGES) - sum(map(len, shown))


def _count_problems(facelets: Facelets) -> tuple[Problem, ...]:
    wrong = {face: count for face, count in facelets.counts().items() if count != 9}
    if not wrong:
        return ()
    parts = ", ".join(f"{count} of {face}" for face, count in wrong.items())
    return (
        Problem("counts", (), f"each colour must occur on nine stickers, but there are {parts}"),
    )


def _centre_problems(facelets: Facelets) -> tuple[Problem, ...]:
    wrong = tuple(
        i for face, i in zip(FACES, CENTRE_FACELETS, strict=True) if facelets.text[i] != face
    )
    if not wrong:
        return ()
    names = ", ".join(f"{facelet_name(i)} shows {facelets.text[i]}" for i in wrong)
    text = f"a centre must have the colour of its own face, but {names}"
    return (Problem("pieces", tuple(map(facelet_name, wrong)), text),)


def _recognise(
    facelets: Facelets, names: tuple[str, ...], places: tuple[tuple[int, ...], ...], kind: str
) -> tuple[list[tuple[int, int]], tuple[Problem, ...]]:
    """Return (piece, orientation) for each place, and the places with an unknown or repeated piece.

    A corner's colours must have the right cyclic order: a mirror image is not a piece.
    """
    known = {
        tuple(FACES[i // 9] for i in piece[-turn:] + piece[:-turn]): (number, turn)
        for number, piece in enumerate(places)
        for turn in range(len(piece))
    }
    found: list[tuple[int, int]] = []
    problems = []
    for name, place in zip(names, places, strict=True):
        shown = tuple(facelets.text[i] for i in place)
        if shown in known:
            found.append(known[shown])
        else:
            stickers = " ".join(map(facelet_name, place))
            text = f"the {kind} {name} ({stickers}) shows {'-'.join(shown)}, which no cube has"
            problems.append(Problem("pieces", (name,), text))
    if not problems:
        for piece, count in Counter(piece for piece, _ in found).items():
            if count > 1:
                places_of = zip(names, found, strict=True)
                doubled = tuple(name for name, (seen, _) in places_of if seen == piece)
                where = " and ".join(doubled)
                text = f"the {kind} piece {names[piece]} occurs {count} times, at {where}"
                problems.append(Problem("pieces", doubled, text))
    return found, tuple(problems)
