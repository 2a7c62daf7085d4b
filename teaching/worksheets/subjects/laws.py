"""Worksheets on the laws of the cube: S1's theorem, S3's invariants and problems 5 to 7."""

from collections.abc import Mapping
from fractions import Fraction
from math import factorial
from operator import itemgetter

from cube.laws import ORBITS, examine_state
from cube.moves import FACES, Move
from cube.state import SOLVED, move_state
from puzzles.algebra.positions import S3Position
from puzzles.kinds.cube_laws import delta_of
from puzzles.kinds.orbits import orbit
from teaching.puzzles_as_typed import Word
from teaching.wording import Wording
from teaching.worksheets import figures
from teaching.worksheets.effects import Effect, flipped_edges, only
from teaching.worksheets.operations import keeping, reassembled
from teaching.worksheets.questions import choice, number, pieces, word
from teaching.worksheets.worksheet import Questions

_PAGE = "lesson_laws"
_REASSEMBLED = (
    "URF+",
    "URF+ UFL-",
    "UR-UF",
    "URF-UFL UR-UF",
    "UR+",
    "URF+ UFL+ ULB+",
)
"""The changes to choose from, as operations on the pieces."""
_ODD = ("R", "R2", "R U", "R U F", "M", "R U R' U'")
_DELTA = "R' F2 U R2 F'"
_AXES = ("URF", "UFR", "RUF", "RFU", "FUR", "FRU")
_HALF = ("R2 U2 F2", "U D'", "M2 E2", "(M' U)4 (M' U')4", "U R2 U2 R2 U2 R2 U")


def _theorem() -> Questions:
    return (
        word(only(Effect(twisted=2)), "(R' D' R D)2 U (D' R' D R)2 U'"),
        choice(
            _REASSEMBLED,
            lambda text: examine_state(reassembled(text)).solvable,
            _broken,
        ),
        number(
            lambda: Fraction(1, figures.analysis().orbits),
            facts=lambda: {"orbits": len(ORBITS)},
            traps=lambda: {
                Fraction(figures.analysis().orbits): "inverse",
                Fraction(1, 2): "one",
                Fraction(1, 3): "one",
                Fraction(1, 6): "two",
                Fraction(1, 4): "two",
            },
        ),
    )


def _broken(text: str) -> Wording:
    """Return the law that operations break."""
    orbit = examine_state(reassembled(text)).orbit
    assert orbit is not None
    if orbit.corner_twist:
        return Wording("lesson.law_twist", {"sum": 120 * orbit.corner_twist})
    return Wording("lesson.law_flip" if orbit.edge_flip else "lesson.law_sign")


def _marks() -> Questions:
    key = f"{_PAGE}.marks"

    def counted(name: str) -> Mapping[str, int]:
        return flipped_edges(figures.cube(name))

    def judge(made: Word) -> Wording | None:
        assert made.cube is not None
        found = flipped_edges(made.cube)
        if found["sources"] and not found["up"]:
            return None
        return Wording(f"{key}_q3_no", found)

    return (
        number(lambda: counted("F")["sources"]),
        number(lambda: counted("F")["up"]),
        word(judge, "R", facts=lambda: dict(counted("R"))),
        number(lambda: sum(angle > 0 for angle in S3Position.of(figures.cube("F")).corner_angles)),
    )


def _sums() -> Questions:
    key = f"{_PAGE}.sums"

    return (
        number(
            lambda: 120 * sum(figures.cube("R").corner_orientation),
            traps=lambda: {0: "zero", 480: "same", 960: "same"},
        ),
        choice(
            _ODD,
            lambda text: figures.corners_odd(figures.cube(text)),
            lambda text: Wording(f"{key}_q2_no", figures.quarters_said(text)),
            said=str,
        ),
        word(only(Effect(corners=2, edges=2)), "R U R' U' R' F R2 U' R' U' R U R' F'"),
    )


def _chain() -> Questions:

    def edges() -> int:
        return figures.analysis().group_order // figures.analysis("phi1").group_order

    def cosets() -> int:
        orders = [figures.analysis(name).group_order for name in ("phi1", "phi2")]
        return orders[0] // orders[1]

    def kept(face: str) -> bool:
        """Return whether the quarter turns of a face keep every invariant of Φ1."""
        puzzle = figures.analysis("phi1")
        return not puzzle.differences(puzzle.puzzle.solved, move_state(Move(face, 1)))

    return (
        choice(FACES, kept, said=str),
        number(edges, traps=lambda: {2**12: "law"}),
        number(cosets, traps=lambda: {3**8 * 495: "law", 3**7: "slice"}),
    )


def _delta() -> Questions:
    key = f"{_PAGE}.delta"

    corners = figures.cube(_DELTA).corner_permutation

    def differing(text: str) -> tuple[str, ...]:
        """Return names of the invariants of half turns that a word changes."""
        puzzle = figures.analysis("phi3")
        differences = puzzle.differences(puzzle.puzzle.solved, figures.cube(text))
        return tuple(each.invariant.name for each in differences)

    def reason(text: str) -> Wording:
        first = "lies" if differing(text)[0].startswith("orientation") else "places"
        return Wording(f"{key}_q4_no", {"kept": Wording(f"{key}_q4_{first}"), "word": text})

    return (
        choice(
            _AXES,
            lambda axes: axes == delta_of(corners),
            said=" ".join,
            given=lambda: {"word": _DELTA},
        ),
        number(
            lambda: factorial(4) ** 2 // _arrangements(), traps=lambda: {3: "three", 36: "pairs"}
        ),
        number(
            lambda: figures.analysis("phi3").group_order,
            traps=lambda: {6 * figures.analysis("phi3").group_order: "delta"},
        ),
        choice(_HALF, lambda text: not differing(text), reason, said=str),
        pieces(keeping(delta=2), "URF-ULB UF-UB"),
    )


def _arrangements() -> int:
    """Return how many arrangements of the corners half turns make, by making them."""
    turns = [move_state(Move(face, 2)).corner_permutation for face in FACES]
    return len(orbit(SOLVED.corner_permutation, [itemgetter(*turn) for turn in turns]))


QUESTIONS = {
    "theorem": _theorem,
    "marks": _marks,
    "sums": _sums,
    "chain": _chain,
    "delta": _delta,
}
