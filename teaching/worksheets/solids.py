"""Worksheets on balls on polyhedra and on the regular solids (S3's problems 15 and 16)."""

from teaching.puzzles_as_typed import Word
from teaching.worksheets import figures
from teaching.worksheets.figures import analysis
from teaching.worksheets.questions import choice, number, word
from teaching.worksheets.worksheet import Experiment, Wording, Worksheet

_PAGE = "lesson_solids"
_SOLIDS = ("tetrahedron", "cube", "octahedron", "dodecahedron", "icosahedron")
_BALLS, _TETRAHEDRON = "balls-cube", "tetrahedron"


def worksheets() -> tuple[Worksheet, ...]:
    """Return problems 15 and 16 of S3."""
    return (_balls(), _solids())


def _sign_of_a_turn(solid: str) -> int:
    """Return the sign of one turn of a face on the corner balls."""
    name = f"balls-{solid}"
    kinds = figures.word(figures.reader(name).puzzle.turns[0].name, name).element.kinds
    return next(kind.sign for kind in kinds if kind.name == "corners")


def _balls() -> Worksheet:
    key = f"{_PAGE}.balls"

    def size(option: int) -> int:
        name = f"balls-{_SOLIDS[option]}"
        turn = figures.word(figures.reader(name).puzzle.turns[0].name, name)
        return max(len(cycle.places) for kind in turn.element.kinds for cycle in kind.cycles)

    tries = (
        Experiment(f"{key}_try1", "A", f"puzzle {_BALLS}"),
        Experiment(f"{key}_try2", "", "puzzle balls-octahedron"),
    )
    tasks = (
        choice(
            f"{key}_q1",
            len(_SOLIDS),
            lambda option: _sign_of_a_turn(_SOLIDS[option]) > 0,
            lambda option: Wording(
                f"{key}_q1_no", {"size": size(option), "swaps": size(option) - 1}
            ),
        ),
        number(
            f"{key}_q2",
            lambda: analysis(_BALLS).orbits,
            traps=lambda: {12: f"{key}_q2_angles", 4: f"{key}_q2_both", 1: f"{key}_q2_sign"},
        ),
        number(
            f"{key}_q3",
            lambda: analysis("balls-octahedron").orbits,
            facts=lambda: {"states": analysis("balls-octahedron").states_per_orbit},
            traps=lambda: {2: f"{key}_q3_both", 1: f"{key}_q3_none"},
        ),
    )
    return Worksheet("balls", "S3.15", _PAGE, tries, tasks, _BALLS)


def _solids() -> Worksheet:
    key = f"{_PAGE}.solids"

    def judge(made: Word) -> Wording | None:
        moved = {kind.name: sum(len(c.places) for c in kind.cycles) for kind in made.element.kinds}
        if moved["edges"]:
            return Wording(f"{key}_q3_no", {"edges": moved["edges"], "corners": moved["corners"]})
        return None if moved["corners"] else Wording("lesson.nothing")

    tries = (
        Experiment(f"{key}_try1", "A B A' B'", f"puzzle {_TETRAHEDRON}"),
        Experiment(f"{key}_try2", "", "puzzle megaminx"),
    )
    tasks = (
        number(
            f"{key}_q1",
            lambda: analysis(_TETRAHEDRON).orbits,
            facts=lambda: {"mega": analysis("dodecahedron").orbits},
            traps=lambda: {12: f"{key}_q1_cube", 6: f"{key}_q1_signs"},
        ),
        number(
            f"{key}_q2",
            lambda: analysis(_TETRAHEDRON).states_per_orbit,
            facts=lambda: {
                "all": analysis(_TETRAHEDRON).reassemblies,
                "orbits": analysis(_TETRAHEDRON).orbits,
            },
            traps=lambda: {analysis(_TETRAHEDRON).reassemblies: f"{key}_q2_all"},
        ),
        word(f"{key}_q3", judge, "[A, B]3", puzzle=_TETRAHEDRON),
    )
    return Worksheet("solids", "S3.16", _PAGE, tries, tasks, _TETRAHEDRON)
