"""Worksheets on permutations: composition, crossings, cycles, sign (S3's problems 2 and 3)."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from itertools import permutations as all_orders

from cube.laws import permutation_parity
from cube.moves import Move
from cube.pieces import CORNERS
from cube.state import SOLVED, move_state
from cube.svg import chart, element, text
from puzzles.algebra.cycles import swaps, three_cycles
from puzzles.algebra.positions import S3Position
from teaching.puzzles_as_typed import Word
from teaching.wording import Wording
from teaching.worksheets import figures
from teaching.worksheets.effects import Effect, only
from teaching.worksheets.questions import choice, number, numbers, word
from teaching.worksheets.worksheet import Questions

_PAGE = "lesson_permutations"
_PAIR = "R U"
Places = tuple[int, ...]
_SEVEN = tuple(range(7))
_GRAPHS = ((1, 2, 3, 0), (1, 0, 2, 3), (1, 2, 0, 3), (3, 2, 1, 0), (3, 1, 2, 0))
"""Where each point of the upper row is joined to in the lower one, from 0."""
Cycles = tuple[tuple[int, ...], ...]
_CYCLES: tuple[Cycles, ...] = (
    ((0, 1, 2, 3),),
    ((0, 1, 2, 3, 4),),
    ((0, 1), (2, 3)),
    ((0, 1, 2, 3), (4, 5)),
    ((0, 1, 2, 3, 4, 5),),
    ((0, 1, 2), (3, 4), (5, 6, 7)),
)


def _composition() -> Questions:
    key = f"{_PAGE}.composition"
    first, second = (move_state(Move(face, 1)) for face in "RU")
    one, two, both = (
        S3Position.of(state).corner_places for state in (first, second, first * second)
    )

    def lawful(formula: tuple[Places, Places]) -> bool:
        """Return whether one permutation after another gives every corner's place after R U."""
        outer, inner = formula
        return tuple(outer[inner[piece]] for piece in range(8)) == both

    def judge(made: Word) -> Wording | None:
        assert made.cube is not None
        if any(move.startswith("R") for move in made.moves):
            return Wording(f"{key}_q3_turns")
        if made.cube == SOLVED:
            return Wording("lesson.nothing")
        same = first * made.cube == made.cube * first
        return None if same else Wording(f"{key}_q3_no")

    return (
        choice(CORNERS[:4], lambda corner: corner == CORNERS[both[0]], said=str),
        choice(((two, one), (one, two)), lawful),
        word(judge, "L"),
    )


def crossings(order: tuple[int, ...]) -> int:
    """Return S3's N: the crossings of segments from each point to its image in a second row."""
    pairs = combinations(enumerate(order), 2)
    return sum((i - j) * (a - b) < 0 for (i, a), (j, b) in pairs)


def crossing_picture(*orders: Sequence[int]) -> str:
    """Draw S3's graphs of permutations, one under the other, as SVG."""
    wide, high, margin = 60, 90, 30
    body = []
    for row, order in enumerate(orders):
        top = margin + high * row
        for place, image in enumerate(order):
            x1, x2 = margin + wide * place, margin + wide * image
            body.append(element("line", x1=x1, y1=top, x2=x2, y2=top + high, stroke="#222"))
    for row in range(len(orders) + 1):
        for place in range(len(orders[0])):
            x, y = margin + wide * place, margin + high * row
            body += [
                element("circle", cx=x, cy=y, r=4, fill="#222"),
                text(str(place + 1), x + 8, y - 6),
            ]
    return chart((2 * margin + wide * len(orders[0]), 2 * margin + high * len(orders)), body)


def _crossings() -> Questions:
    key = f"{_PAGE}.crossings"
    one, two = (1, 2, 0), (1, 0, 2)
    both = tuple(two[image] for image in one)

    return (
        number(lambda: crossings(_GRAPHS[0]), traps=lambda: {4: "points"}),
        choice(
            _GRAPHS,
            lambda graph: crossings(graph) % 2 == 1,
            lambda graph: Wording(f"{key}_q2_no", {"crossings": crossings(graph)}),
            said=_row,
        ),
        number(
            lambda: crossings(one) + crossings(two) - crossings(both),
            given=lambda: {"one": f"`{_row(one)}`", "two": f"`{_row(two)}`"},
            facts=lambda: {"both": f"`{_row(both)}`", "left": crossings(both)},
            traps=lambda: {crossings(both): "left", crossings(one) + crossings(two): "all"},
        ),
    )


def _row(order: tuple[int, ...]) -> str:
    return " ".join(str(image + 1) for image in order)


def _graph() -> Questions:
    key = f"{_PAGE}.graph"

    def lengths() -> list[int]:
        kinds = figures.word(_PAIR).element.kinds
        return [len(c.places) for kind in kinds for c in kind.cycles if len(c.places) > 1]

    def judge(made: Word) -> Wording | None:
        order = made.element.order
        return None if order == 3 else Wording(f"{key}_q3_no", {"order": order})

    return (
        numbers(lengths),
        number(
            lambda: figures.word(_PAIR).element.order,
            traps=lambda: {35: "places", 7: "edges", 15: "corners"},
        ),
        word(judge, "R U R' U' R U R' U'"),
    )


def _cycles() -> Questions:
    return (
        number(lambda: len(swaps([_SEVEN])), traps=lambda: {7: "one"}),
        number(
            lambda: len(three_cycles([_SEVEN]).cycles),
            facts=lambda: {
                "factors": "".join(
                    f"({' '.join(str(i + 1) for i in each)})"
                    for each in three_cycles([_SEVEN]).cycles
                )
            },
        ),
        word(only(Effect(edges=3)), "M2 U M U2 M' U M2"),
    )


def _sign() -> Questions:
    key = f"{_PAGE}.sign"

    def even(cycles: Cycles) -> bool:
        """Return whether the permutation is even, by its inversions, not by its cycles."""
        places = list(range(8))
        for cycle in cycles:
            for here, there in zip(cycle, (*cycle[1:], cycle[0]), strict=True):
                places[there] = here
        return permutation_parity(tuple(places)) == 0

    def reason(cycles: Cycles) -> Wording:
        return Wording(f"{key}_q2_no", {"swaps": len(swaps(cycles))})

    def swaps_of_a_turn() -> int:
        kinds = figures.word("R").element.kinds
        return sum(len(swaps(cycle.places for cycle in kind.cycles)) for kind in kinds)

    return (
        number(swaps_of_a_turn, traps=lambda: {3: "half"}),
        choice(_CYCLES, even, reason, said=_written),
        number(_even_orders, traps=lambda: {40_320: "all"}),
    )


@cache
def _even_orders() -> int:
    """Return how many orders of eight corners are even, by trying them all."""
    return sum(permutation_parity(order) == 0 for order in all_orders(range(8)))


def _written(cycles: Cycles) -> str:
    return "".join(f"({' '.join(str(place + 1) for place in cycle)})" for cycle in cycles)


QUESTIONS = {
    "composition": _composition,
    "crossings": _crossings,
    "graph": _graph,
    "cycles": _cycles,
    "sign": _sign,
}
