"""Worksheets on the "15", balls on polyhedra and the regular solids (S3's problems 15 and 16)."""

from functools import cache, partial
from itertools import permutations
from math import factorial

from cube.laws import permutation_parity
from puzzles.algebra.cycles import KindCycles
from teaching.puzzles_as_typed import Word
from teaching.wording import Wording
from teaching.worksheets import figures
from teaching.worksheets.figures import analysis, sizes_of_orbits
from teaching.worksheets.questions import choice, number, word
from teaching.worksheets.worksheet import Questions

_PAGE = "lesson_solids"
_SOLIDS = ("tetrahedron", "cube", "octahedron", "dodecahedron", "icosahedron")
_TILES = (
    (*range(13), 14, 13, 15),
    (1, 2, 0, *range(3, 16)),
    (1, 0, 3, 2, *range(4, 16)),
    (*range(14, -1, -1), 15),
)
"""Orders of the fifteen tiles, and the gap at its home in the last place."""
_BALLS, _TETRAHEDRON = "balls-cube", "tetrahedron"


def _turned(solid: str) -> tuple[KindCycles, ...]:
    """Return what one turn of a face does to the balls on a solid."""
    name = f"balls-{solid}"
    return figures.word(figures.reader(name).puzzle.turns[0].name, name).element.kinds


@cache
def sliding_orbits(rows: int, columns: int) -> tuple[int, ...]:
    """Return the sizes of the orbits of a small sliding puzzle: tiles and a gap in a frame."""

    def slid(here: tuple[int, ...], step: int) -> tuple[int, ...]:
        gap, made = here.index(0), list(here)
        there = gap + step
        same_row = abs(step) > 1 or there // columns == gap // columns
        if 0 <= there < len(here) and same_row:
            made[gap], made[there] = made[there], made[gap]
        return tuple(made)

    steps = [partial(slid, step=step) for step in (-columns, columns, -1, 1)]
    return sizes_of_orbits(permutations(range(rows * columns)), steps)


def _fifteen() -> Questions:

    return (
        number(
            lambda: len(sliding_orbits(2, 3)),
            facts=lambda: {"all": sum(sliding_orbits(2, 3)), "each": sliding_orbits(2, 3)[0]},
            traps=lambda: {1: "one"},
        ),
        choice(_TILES, lambda tiles: permutation_parity(tiles) == 0),  # the gap is at home
        number(
            lambda: factorial(16) // len(sliding_orbits(2, 3)),
            traps=lambda: {factorial(16): "all", factorial(15) // 2: "gap"},
        ),
    )


def _balls() -> Questions:
    key = f"{_PAGE}.balls"

    def even(solid: str) -> bool:
        return next(kind.sign for kind in _turned(solid) if kind.name == "corners") > 0

    def size(solid: str) -> int:
        return max(len(cycle.places) for kind in _turned(solid) for cycle in kind.cycles)

    return (
        choice(
            _SOLIDS,
            even,
            lambda solid: Wording(f"{key}_q1_no", {"size": size(solid), "swaps": size(solid) - 1}),
        ),
        number(lambda: analysis(_BALLS).orbits, traps=lambda: {12: "angles", 4: "both", 1: "sign"}),
        number(
            lambda: analysis("balls-octahedron").orbits,
            facts=lambda: {"states": analysis("balls-octahedron").states_per_orbit},
            traps=lambda: {2: "both", 1: "none"},
        ),
    )


def _solids() -> Questions:
    key = f"{_PAGE}.solids"

    def judge(made: Word) -> Wording | None:
        moved = {kind.name: sum(len(c.places) for c in kind.cycles) for kind in made.element.kinds}
        if moved["edges"]:
            return Wording(f"{key}_q3_no", {"edges": moved["edges"], "corners": moved["corners"]})
        return None if moved["corners"] else Wording("lesson.nothing")

    return (
        number(
            lambda: analysis(_TETRAHEDRON).orbits,
            facts=lambda: {"mega": analysis("dodecahedron").orbits},
            traps=lambda: {12: "cube", 6: "signs"},
        ),
        number(
            lambda: analysis(_TETRAHEDRON).states_per_orbit,
            facts=lambda: {
                "all": analysis(_TETRAHEDRON).reassemblies,
                "orbits": analysis(_TETRAHEDRON).orbits,
            },
            traps=lambda: {analysis(_TETRAHEDRON).reassemblies: "all"},
        ),
        word(judge, "[A, B]3", puzzle=_TETRAHEDRON),
    )


QUESTIONS = {
    "fifteen": _fifteen,
    "balls": _balls,
    "solids": _solids,
}
