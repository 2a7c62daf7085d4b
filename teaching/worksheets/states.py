"""Worksheets on states and the paths between them: S3's problems 1 to 4."""

from itertools import chain
from math import factorial

from cube.moves import Move, MoveSequence
from cube.state import SOLVED, CubeState
from teaching.worksheets import figures
from teaching.worksheets.figures import making
from teaching.worksheets.questions import choice, number, word
from teaching.worksheets.worksheet import Experiment, Wording, Worksheet

_PAGE = "lesson_states"
_Y, _Z, _PAIR = "R U F2", "F' D", "R U"
_TWO_HALF_TURNS = tuple(MoveSequence.parse("R2 U2"))
_OTHER_START = "F R"
_BALLS = "balls-tetrahedron"
_POCKET = "2x2x2"


def worksheets() -> tuple[Worksheet, ...]:
    """Return problems 1 to 4 of S3."""
    return (_equivalence(), _orbits(), _product(), _count())


def _made(text: str) -> CubeState:
    return SOLVED.apply(MoveSequence.parse(text))


def _equivalence() -> Worksheet:
    key = f"{_PAGE}.equivalence"
    texts = {"y": _Y, "z": _Z, "pair": _PAIR}

    def clockwise() -> int:
        """Return the fewest clockwise quarter turns of two faces that undo both."""
        turns, here = (Move("U", 1), Move("R", 1)), {_made(_PAIR)}
        for length in range(1, 9):
            here = {state.apply(turn) for state in here for turn in turns}
            if SOLVED in here:
                return length
        raise AssertionError("three turns of each undo it")

    tries = (
        Experiment(f"{key}_try1", _Y),
        Experiment(f"{key}_try2", _PAIR, f'word "{_PAIR}"'),
    )
    tasks = (
        word(
            f"{key}_q1",
            making(_made(_Y).inverse(), f"{key}_q1_no"),
            "F2 U' R'",
            given=lambda: texts,
        ),
        word(
            f"{key}_q2",
            making(_made(_Y).inverse() * _made(_Z), f"{key}_q2_no"),
            "F2 U' R' F' D",
            given=lambda: texts,
        ),
        number(
            f"{key}_q3",
            clockwise,
            given=lambda: texts,
            traps=lambda: {2: f"{key}_q3_back"},
        ),
    )
    return Worksheet("equivalence", "S3.1", _PAGE, tries, tasks)


def _orbit(start: CubeState) -> list[CubeState]:
    """Return all states that two half turns lead to, including the start."""
    found = [start]
    known = {start}
    for here in found:
        for turn in _TWO_HALF_TURNS:
            if (there := here.apply(turn)) not in known:
                known.add(there)
                found.append(there)
    return found


def _orbits() -> Worksheet:
    key = f"{_PAGE}.orbits"

    def holds(option: int) -> bool:
        """Compare all states of two orbits, each with each."""
        starts = chain(_orbit(SOLVED), _orbit(_made(_OTHER_START)))
        found = [frozenset(_orbit(start)) for start in starts]
        pairs = [(one, two) for one in found for two in found if one & two]
        differ, longer = (
            any(one != two for one, two in pairs),
            any(len(one) > len(two) for one, two in pairs),
        )
        return (not differ, differ, longer)[option]

    tries = (
        Experiment(f"{key}_try1", "R2 U2", 'word "R2 U2"'),
        Experiment(f"{key}_try2", f"{_OTHER_START} R2 U2"),
    )
    tasks = (
        number(f"{key}_q1", lambda: len(_orbit(SOLVED)), traps=lambda: {6: f"{key}_q1_half"}),
        number(
            f"{key}_q2",
            lambda: len(_orbit(_made(_OTHER_START))),
            given=lambda: {"start": _OTHER_START},
        ),
        choice(f"{key}_q3", 3, holds, lambda _: Wording(f"{key}_q3_no")),
    )
    return Worksheet("orbits", "S3.2", _PAGE, tries, tasks)


def _product() -> Worksheet:
    key = f"{_PAGE}.product"

    def orbits() -> tuple[int, ...]:
        return figures.orbit_sizes(_BALLS)

    tries = (Experiment(f"{key}_try1", "A B", f"puzzle {_BALLS}"),)
    tasks = (
        number(
            f"{key}_q1",
            lambda: sum(orbits()),
            traps=lambda: {24: f"{key}_q1_corners", 720: f"{key}_q1_edges", 744: f"{key}_q1_sum"},
        ),
        number(f"{key}_q2", lambda: len(orbits()), traps=lambda: {2: f"{key}_q2_signs"}),
        number(
            f"{key}_q3",
            lambda: orbits()[0],
            facts=lambda: {"all": sum(orbits()), "orbits": len(orbits())},
        ),
    )
    return Worksheet("product", "S3.3", _PAGE, tries, tasks, _BALLS)


def _count() -> Worksheet:
    key = f"{_PAGE}.count"
    whole = figures.analysis

    def misprint() -> int:
        """Return the formula as S3 prints it."""
        return factorial(8) * 3**3 * factorial(11) * 2**12

    tries = (
        Experiment(f"{key}_try1", "R U", "puzzle 3x3x3"),
        Experiment(f"{key}_try2", "", f"puzzle {_POCKET}"),
    )
    tasks = (
        number(
            f"{key}_q1",
            lambda: whole().reassemblies,
            traps=lambda: {
                misprint(): f"{key}_q1_misprint",
                whole().states_per_orbit: f"{key}_q1_orbit",
                whole().reassemblies // 2**12 // 3**8: f"{key}_q1_places",
            },
        ),
        number(
            f"{key}_q2",
            lambda: whole().states_per_orbit,
            facts=lambda: {"orbits": whole().orbits},
            traps=lambda: {whole().reassemblies: f"{key}_q2_all"},
        ),
        number(
            f"{key}_q3",
            lambda: whole(_POCKET).states_per_orbit,
            facts=lambda: {
                "all": whole(_POCKET).reassemblies,
                "orbits": whole(_POCKET).orbits,
            },
            traps=lambda: {
                whole(_POCKET).reassemblies: f"{key}_q3_twists",
                8 * 3 * whole(_POCKET).reassemblies: f"{key}_q3_held",
                8 * 3 * whole(_POCKET).states_per_orbit: f"{key}_q3_held",
            },
        ),
    )
    return Worksheet("count", "S3.4", _PAGE, tries, tasks)
