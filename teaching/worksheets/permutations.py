"""Worksheets on permutations: their graph, cycles and sign (S3's problems 8 to 10)."""

from functools import cache
from itertools import permutations as all_orders

from cube.laws import permutation_parity
from puzzles.algebra.positions import swaps, three_cycles
from teaching.puzzles_as_typed import Word
from teaching.worksheets import figures
from teaching.worksheets.figures import Effect, only
from teaching.worksheets.questions import choice, number, numbers, word
from teaching.worksheets.worksheet import Experiment, Wording, Worksheet

_PAGE = "lesson_permutations"
_PAIR = "R U"
_SEVEN = tuple(range(7))
_CYCLES = (
    ((0, 1, 2, 3),),
    ((0, 1, 2, 3, 4),),
    ((0, 1), (2, 3)),
    ((0, 1, 2, 3), (4, 5)),
    ((0, 1, 2, 3, 4, 5),),
    ((0, 1, 2), (3, 4), (5, 6, 7)),
)


def worksheets() -> tuple[Worksheet, ...]:
    """Return problems 8 to 10 of S3."""
    return (_graph(), _cycles(), _sign())


def _graph() -> Worksheet:
    key = f"{_PAGE}.graph"

    def lengths() -> list[int]:
        kinds = figures.word(_PAIR).element.kinds
        return [len(c.places) for kind in kinds for c in kind.cycles if len(c.places) > 1]

    def judge(made: Word) -> Wording | None:
        order = made.element.order
        return None if order == 3 else Wording(f"{key}_q3_no", {"order": order})

    tries = (
        Experiment(f"{key}_try1", _PAIR, f'word "{_PAIR}"'),
        Experiment(f"{key}_try2", "R U R' U'", "word \"R U R' U'\" --picture moves.svg"),
    )
    tasks = (
        numbers(f"{key}_q1", lengths),
        number(
            f"{key}_q2",
            lambda: figures.word(_PAIR).element.order,
            traps=lambda: {35: f"{key}_q2_places", 7: f"{key}_q2_edges", 15: f"{key}_q2_corners"},
        ),
        word(f"{key}_q3", judge, "R U R' U' R U R' U'"),
    )
    return Worksheet("graph", "S3.8", _PAGE, tries, tasks)


def _cycles() -> Worksheet:
    key = f"{_PAGE}.cycles"
    tries = (
        Experiment(f"{key}_try1", _PAIR, f'word "{_PAIR}"'),
        Experiment(f"{key}_try2", "R' F R' B2 R F' R' B2 R2"),
    )
    tasks = (
        number(f"{key}_q1", lambda: len(swaps([_SEVEN])), traps=lambda: {7: f"{key}_q1_one"}),
        number(
            f"{key}_q2",
            lambda: len(three_cycles([_SEVEN]).cycles),
            facts=lambda: {
                "factors": "".join(
                    f"({' '.join(str(i + 1) for i in each)})"
                    for each in three_cycles([_SEVEN]).cycles
                )
            },
        ),
        word(f"{key}_q3", only(Effect(edges=3)), "M2 U M U2 M' U M2"),
    )
    return Worksheet("cycles", "S3.9", _PAGE, tries, tasks)


def _sign() -> Worksheet:
    key = f"{_PAGE}.sign"

    def even(option: int) -> bool:
        """Return whether the permutation is even, by its inversions, not by its cycles."""
        places = list(range(8))
        for cycle in _CYCLES[option]:
            for here, there in zip(cycle, (*cycle[1:], cycle[0]), strict=True):
                places[there] = here
        return permutation_parity(tuple(places)) == 0

    def reason(option: int) -> Wording:
        return Wording(f"{key}_q2_no", {"swaps": len(swaps(_CYCLES[option]))})

    def swaps_of_a_turn() -> int:
        kinds = figures.word("R").element.kinds
        return sum(len(swaps(cycle.places for cycle in kind.cycles)) for kind in kinds)

    tries = (Experiment(f"{key}_try1", "R", 'word "R"'), Experiment(f"{key}_try2", "R U"))
    tasks = (
        number(f"{key}_q1", swaps_of_a_turn, traps=lambda: {3: f"{key}_q1_half"}),
        choice(
            f"{key}_q2",
            len(_CYCLES),
            even,
            reason,
            literal=tuple(f"`{_written(cycles)}`" for cycles in _CYCLES),
        ),
        number(f"{key}_q3", _even_orders, traps=lambda: {40_320: f"{key}_q3_all"}),
    )
    return Worksheet("sign", "S3.10", _PAGE, tries, tasks)


@cache
def _even_orders() -> int:
    """Return how many orders of eight corners are even, by trying them all."""
    return sum(permutation_parity(order) == 0 for order in all_orders(range(8)))


def _written(cycles: tuple[tuple[int, ...], ...]) -> str:
    return "".join(f"({' '.join(str(place + 1) for place in cycle)})" for cycle in cycles)
