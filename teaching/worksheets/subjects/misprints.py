"""Worksheets about misprints: S1's law, table and proof, and S5's code, taken literally."""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from math import prod

from cube.laws import permutation_parity
from cube.moves import FACES, Move, MoveSequence
from cube.pieces import CENTRE_FACELETS, CORNER_FACELETS, EDGE_FACELETS
from cube.state import SOLVED, move_state
from puzzles.algebra.positions import S1Position
from teaching.wording import Wording
from teaching.worksheets import figures
from teaching.worksheets.operations import reassembled
from teaching.worksheets.questions import choice, number
from teaching.worksheets.worksheet import Questions

_PAGE = "lesson_misprints"
Vector = tuple[int, ...]
Twisted = tuple[Vector, Vector]
"""The new place of each corner, and S1's index of each corner, both by piece."""
_TRIPLES = (("R", "R", "R"), ("U", "R", "U"), ("F", "B", "F"), ("D", "L", "U"))
_ROWS = ((1, 1, 0, 0, -1, -1, 0, 0), (-1, 1, 0, 0, -1, 1, 0, 0), (1, 1, 0, 0, 1, 1, 0, 0))
_ROUND_D = (0, 1, 4, 5)
"""The corners of D by their numbers in S1's table, from 0, in the order of the turn."""
_SIDE = 3


def _of(face: str) -> Twisted:
    """Return a quarter turn as S1 writes it, but with indices by piece."""
    position = S1Position.of(move_state(Move(face, 1)))
    return position.corners, tuple(position.corner_indices[to] for to in position.corners)


def printed_law(one: Twisted, two: Twisted) -> Twisted:
    """Compose by the law that S1 prints: x + A(r⁻¹, x')."""
    r = one[0]
    return _composed(one, two, tuple(sorted(range(len(r)), key=r.__getitem__)))


def right_law(one: Twisted, two: Twisted) -> Twisted:
    """Compose by the law that holds: x + A(r, x')."""
    return _composed(one, two, one[0])


def _composed(one: Twisted, two: Twisted, order: Vector) -> Twisted:
    """Compose places, and add the second indices in an order to the first."""
    (r, x), (s, y) = one, two
    indices = tuple((a + y[i] + 1) % 3 - 1 for a, i in zip(x, order, strict=True))
    return tuple(s[i] for i in r), indices


def _law() -> Questions:
    key = f"{_PAGE}.mistake-law"

    def holding(law: Callable[[Twisted, Twisted], Twisted]) -> int:
        """Return for how many of the 36 pairs of quarter turns a law gives what the cube shows."""
        found = 0
        for one, two in product(FACES, repeat=2):
            position = S1Position.of(SOLVED.apply(MoveSequence.parse(f"{one} {two}")))
            shown = tuple(position.corner_indices[to] for to in position.corners)
            found += law(_of(one), _of(two)) == (position.corners, shown)
        return found

    def associative(triple: Sequence[str]) -> bool:
        a, b, c = map(_of, triple)
        return printed_law(printed_law(a, b), c) == printed_law(a, printed_law(b, c))

    return (
        choice(
            (printed_law, right_law),
            lambda law: holding(law) == len(FACES) ** 2,
            lambda law: Wording(f"{key}_q1_no", {"pairs": holding(law)}),
            facts=lambda: {"printed": holding(printed_law), "right": holding(right_law)},
        ),
        choice(_TRIPLES, lambda triple: not associative(triple), said=" ".join),
    )


def _table() -> Questions:

    def alternates(row: Vector) -> bool:
        signs = [row[corner] for corner in _ROUND_D]
        return all(a == -b for a, b in zip(signs, (*signs[1:], signs[0]), strict=True))

    def states(holds: Callable[[Vector], bool]) -> int:
        """Return for how many numbers of flipped edges, 0 to 12, a condition on y holds."""
        return sum(holds((-1,) * flipped + (1,) * (12 - flipped)) for flipped in range(13))

    return (
        choice(_ROWS, alternates, said=str),
        number(lambda: states(lambda y: sum(y) % 2 == 0), traps=lambda: {7: "even"}),
        number(lambda: states(lambda y: prod(y) == 1)),
    )


@cache
def _enlarged_index() -> int:
    """Return the index of G in H: how many pairs of signs keep the sums of orientations at 0."""
    products = {
        permutation_parity(each.corner_permutation) ^ permutation_parity(each.edge_permutation)
        for each in (SOLVED, move_state(Move("R", 1)), reassembled("URF-UFL"))
    }
    return len(products)


def _converse() -> Questions:
    key = f"{_PAGE}.mistake-converse"
    return (
        number(
            _enlarged_index,
            facts=lambda: {"order": _enlarged_index() * figures.analysis().group_order},
            traps=lambda: {12: "all", 6: "other"},
        ),
        number(lambda: figures.analysis().orbits // _enlarged_index(), traps=lambda: {12: "signs"}),
        choice(
            "abcd",
            lambda step: step == "b",  # the only step that makes states instead of laws
            lambda step: Wording(f"{key}_q3_no_{step}"),
        ),
    )


def literal_bottom(stickers: Vector) -> Vector:
    """Return the stickers after S5's turn of the bottom row, as its pseudo-code is printed.

    The ring of D turns, together with the stickers of the face B instead of those of D.
    """
    ring, face = _moved("D"), _moved("B")
    bottom, back = (9 * FACES.index(name) for name in "DB")
    turned = [stickers[s if bottom <= s < bottom + 9 else ring[s]] for s in range(54)]
    return tuple(turned[face[s] if s >= back else s] for s in range(54))


def literal_column(stickers: Vector, column: int) -> Vector:
    """Return the stickers after S5's turn of a column, as its pseudo-code is printed.

    The column runs over U, F and D; on B column c is read, but column n − 1 − c is written.
    """
    made = list(stickers)

    def slots(face: str, column: int) -> list[int]:
        return [9 * FACES.index(face) + _SIDE * row + column for row in range(_SIDE)]

    up, front, down = (slots(face, column) for face in "UFD")
    back_read, back_written = slots("B", column)[::-1], slots("B", _SIDE - 1 - column)[::-1]
    pairs = ((front, up), (down, front), (back_written, down), (up, back_read))
    for there, here in pairs:
        for to, start in zip(there, here, strict=True):
            made[to] = stickers[start]
    return tuple(made)


def _moved(face: str) -> Vector:
    """Return the origin of each sticker after a quarter turn."""
    return move_state(Move(face, 1)).facelet_places()


def _torn(stickers: Vector) -> int:
    """Return in how many places the stickers are not those of one piece."""
    places = (*CORNER_FACELETS, *EDGE_FACELETS, *((centre,) for centre in CENTRE_FACELETS))
    pieces = {frozenset(place) for place in places}
    return sum(frozenset(stickers[slot] for slot in place) not in pieces for place in places)


def _code() -> Questions:
    key = f"{_PAGE}.mistake-back"
    still = tuple(range(54))

    def twice(column: int) -> int:
        made = literal_column(still, column)
        return len(made) - len(set(made))

    def notices(test: str) -> bool:
        """Return whether a test notices the printed turn of a column."""
        scrambled = SOLVED.apply(MoveSequence.parse("R U F")).facelet_places()
        solved, turned = literal_column(still, 0), literal_column(scrambled, 0)
        counts = [[s // 9 for s in made].count(5) != 9 for made in (solved, turned)]
        middle = literal_column(still, 1)
        return (counts[0], len(set(middle)) < 54, counts[1], len(set(solved)) < 54)[
            "abcd".index(test)
        ]

    return (
        number(lambda: _torn(literal_bottom(still))),
        number(lambda: twice(0), traps=lambda: {6: "both"}),
        number(lambda: sum(not twice(column) for column in range(_SIDE))),
        choice("abcd", notices, lambda test: Wording(f"{key}_q4_no_{test}")),
    )


QUESTIONS = {
    "mistake-law": _law,
    "mistake-table": _table,
    "mistake-converse": _converse,
    "mistake-back": _code,
}
