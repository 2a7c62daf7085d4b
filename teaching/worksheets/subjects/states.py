"""Worksheets on states and the paths between them: S3's problems 1, 4, 8, 9 and 10."""

from itertools import chain, combinations
from operator import methodcaller

from cube.laws import examine_state
from cube.moves import Move, MoveSequence
from cube.state import SOLVED, CubeState
from puzzles.kinds.orbits import orbit
from teaching.worksheets import figures
from teaching.worksheets.effects import making
from teaching.worksheets.figures import cube
from teaching.worksheets.operations import reassembled
from teaching.worksheets.questions import choice, number, numbers, word
from teaching.worksheets.subjects.mistakes import printed_count
from teaching.worksheets.worksheet import Questions

_PAGE = "lesson_states"
_Y, _Z, _PAIR = "R U F2", "F' D", "R U"
_TWO_HALF_TURNS = tuple(MoveSequence.parse("R2 U2"))
_OTHER_START = "F R"
_BALLS = "balls-tetrahedron"
_POCKET = "2x2x2"
_BEADS = ("BBWW", "BWBW", "BBBW", "BBBBWW", "BBWBBW")
_FLIP_TWO = "M' U M' U M' U2 M U M U M U2"


def _equivalence() -> Questions:
    key = f"{_PAGE}.equivalence"
    texts = {"y": _Y, "z": _Z, "pair": _PAIR}

    def clockwise() -> int:
        """Return the fewest clockwise quarter turns of two faces that undo both."""
        turns, here = (Move("U", 1), Move("R", 1)), {cube(_PAIR)}
        for length in range(1, 9):
            here = {state.apply(turn) for state in here for turn in turns}
            if SOLVED in here:
                return length
        raise AssertionError("three turns of each undo it")

    return (
        word(making(cube(_Y).inverse(), f"{key}_q1_no"), "F2 U' R'", given=lambda: texts),
        word(
            making(cube(_Y).inverse() * cube(_Z), f"{key}_q2_no"),
            "F2 U' R' F' D",
            given=lambda: texts,
        ),
        number(clockwise, given=lambda: texts, traps=lambda: {2: "back"}),
    )


def _orbit(start: CubeState) -> list[CubeState]:
    """Return all states that two half turns lead to, including the start."""
    return orbit(start, [methodcaller("apply", turn) for turn in _TWO_HALF_TURNS])


def _orbits() -> Questions:

    def holds(claim: str) -> bool:
        """Compare all states of two orbits, each with each."""
        starts = chain(_orbit(SOLVED), _orbit(cube(_OTHER_START)))
        found = [frozenset(_orbit(start)) for start in starts]
        pairs = [(one, two) for one in found for two in found if one & two]
        differ = any(one != two for one, two in pairs)
        longer = any(len(one) > len(two) for one, two in pairs)
        return {"equal": not differ, "different": differ, "longer": longer}[claim]

    return (
        number(lambda: len(_orbit(SOLVED)), traps=lambda: {6: "half"}),
        number(lambda: len(_orbit(cube(_OTHER_START))), given=lambda: {"start": _OTHER_START}),
        choice(("equal", "different", "longer"), holds),
    )


def _turned(ring: str) -> set[str]:
    """Return the states of a ring of beads when it turns."""
    return {ring[by:] + ring[:by] for by in range(len(ring))}


def bead_orbits(beads: int, black: int) -> list[int]:
    """Return the sizes of the orbits of a ring of beads, some of them black, when it turns."""
    places = combinations(range(beads), black)
    rings = ("".join("BW"[i not in own] for i in range(beads)) for own in places)
    return [len(orbit) for orbit in {frozenset(_turned(ring)) for ring in rings}]


def _restickering() -> Questions:
    key = f"{_PAGE}.restickering"

    def connected(pair: tuple[str, str]) -> bool:
        one, other = (examine_state(reassembled(text)).orbit for text in pair)
        return one == other

    return (
        choice(_UNLAWFUL, connected),
        word(making(reassembled("UF+ UB+"), f"{key}_q2_no"), _FLIP_TWO),
        number(
            lambda: figures.analysis().states_per_orbit,
            facts=lambda: {"orbits": figures.analysis().orbits},
            traps=lambda: {figures.analysis().reassemblies: "all"},
        ),
    )


_UNLAWFUL = (("UF+", "UB+"), ("UF+", ""), ("URF+", "UFL+"), ("URF+", "URF-"), ("URF+", "UFL- ULB-"))
"""Pairs of states: one flipped edge here or there; one or none; twisted corners likewise."""


def _product() -> Questions:

    def orbits() -> tuple[int, ...]:
        return figures.orbit_sizes(_BALLS)

    return (
        number(lambda: sum(orbits()), traps=lambda: {24: "corners", 720: "edges", 744: "sum"}),
        number(lambda: len(orbits()), traps=lambda: {2: "signs"}),
        number(lambda: orbits()[0], facts=lambda: {"all": sum(orbits()), "orbits": len(orbits())}),
        numbers(
            lambda: bead_orbits(4, 2),
            facts=lambda: {"all": sum(bead_orbits(4, 2)), "orbits": len(bead_orbits(4, 2))},
        ),
        choice(
            _BEADS,
            lambda ring: len(_turned(ring)) < len(ring),
            said=str,
        ),
    )


def _count() -> Questions:
    whole = figures.analysis
    return (
        number(
            lambda: whole().reassemblies,
            traps=lambda: {
                printed_count(): "misprint",
                whole().states_per_orbit: "orbit",
                whole().reassemblies // 2**12 // 3**8: "places",
            },
        ),
        number(
            lambda: whole().states_per_orbit,
            facts=lambda: {"orbits": whole().orbits},
            traps=lambda: {whole().reassemblies: "all"},
        ),
        number(
            lambda: whole(_POCKET).states_per_orbit,
            facts=lambda: {"all": whole(_POCKET).reassemblies, "orbits": whole(_POCKET).orbits},
            traps=lambda: {
                whole(_POCKET).reassemblies: "twists",
                8 * 3 * whole(_POCKET).reassemblies: "held",
                8 * 3 * whole(_POCKET).states_per_orbit: "held",
            },
        ),
    )


QUESTIONS = {
    "equivalence": _equivalence,
    "orbits": _orbits,
    "restickering": _restickering,
    "product": _product,
    "count": _count,
}
