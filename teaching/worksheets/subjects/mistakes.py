"""Worksheets about finding a mistake in one of the sources."""

from math import factorial, log10

from cube.facelets import Facelets
from cube.moves import MoveSequence, htm
from cube.state import CubeState
from teaching.methods.method import misplaced
from teaching.puzzles_as_typed import Word
from teaching.wording import Wording
from teaching.worksheets import figures
from teaching.worksheets.effects import Effect, making
from teaching.worksheets.figures import analysis
from teaching.worksheets.questions import choice, number, word
from teaching.worksheets.worksheet import Questions

_PAGE = "lesson_mistakes"
_REPAIRS = ("M2 B2 M2", "M' B2 M", "U", "R2 U2 R2 U2", "M' U2 M U")
_HARDEST = "RBFLURBFLBUUFRBBDDRUURFLRDDBFLLDRRBFFUUBLFFDDLUULBRLDD"
"""S4's state for which its solver needed 23 moves."""
_HARDEST_SAMPLE = "U B' R2 D2 L' D' R' F' U' L2 B2 D2 R' U2 R' U2 F2 L' B2 L' F'"
_CLAIMED = 23
GODS_NUMBER = 20
"""T. Rokicki, H. Kociemba, M. Davidson and J. Dethridge, "The diameter of the Rubik's cube group is
twenty", SIAM Journal on Discrete Mathematics 27 (2013): the only figure of the worksheets that is
not computed here, because it took 35 years of processor time.
"""
_S5_STATES = 43 * 10**30


def _repair() -> Questions:
    key = f"{_PAGE}.mistake-repair"

    def even(text: str) -> Wording:
        return Wording("lesson.even_quarters", figures.quarters_said(text))

    def judge(made: Word) -> Wording | None:
        assert made.cube is not None
        if not figures.corners_odd(made.cube):
            return even(made.text)
        below = sum("U" not in piece for piece in misplaced(made.cube))
        return Wording(f"{key}_q3_no", {"below": below}) if below else None

    return (
        number(
            lambda: figures.quarter_turns(_REPAIRS[0]),
            facts=lambda: {"found": Effect.of(figures.cube(_REPAIRS[0])).said()},
            traps=lambda: {6: "slices", 3: "slices"},
        ),
        choice(_REPAIRS, lambda text: figures.corners_odd(figures.cube(text)), even, said=str),
        word(judge, "U"),
    )


def _printed_bound() -> int:
    """Return S1's 7!·3⁷·11!·2¹¹."""
    return factorial(7) * 3**7 * factorial(11) * 2**11


def printed_count(exponent: int = 3) -> int:
    """Return S3's 8!·3³·11!·2¹², or the same with another exponent of three."""
    count: int = factorial(8) * 3**exponent * factorial(11) * 2**12
    return count


def _compared(printed: int) -> dict[str, int]:
    """Return a printed number, and the number of states that turns reach."""
    return {"printed": printed, "order": analysis().group_order}


def _bound() -> Questions:
    key = f"{_PAGE}.mistake-bound"
    return (
        choice(
            (1, 0, -1),
            lambda sign: sign * (_printed_bound() - analysis().group_order) > 0,
            lambda _: Wording(f"{key}_q1_no", _compared(_printed_bound())),
        ),
        number(lambda: analysis().group_order // _printed_bound(), traps=lambda: {576: "orbits"}),
    )


def words_up_to(length: int) -> int:
    """Return the number of words of this many face turns, without obvious duplicates.

    No face turns twice in a row, and of two consecutive opposite faces only one order counts.
    """
    here, before, total = 18, 1, 1
    for n in range(1, length + 1):
        total += here
        here, before = (243 if n == 1 else 12 * here + 18 * before), here
    return total


def _moves() -> Questions:
    key = f"{_PAGE}.mistake-23"
    start = CubeState.from_facelets(Facelets(_HARDEST))

    solving = making(start.inverse(), f"{key}_q1_no")

    def judge(made: Word) -> Wording | None:
        if (why := solving(made)) is not None:
            return why
        length = htm(MoveSequence.parse(" ".join(made.moves)).simplified())
        return Wording(f"{key}_q1_long", {"length": length}) if length >= _CLAIMED else None

    def least() -> int:
        order = analysis().group_order
        return next(n for n in range(40) if words_up_to(n) >= order)

    return (
        word(judge, _HARDEST_SAMPLE, given=lambda: {"state": _HARDEST}),
        number(
            least,
            facts=lambda: {
                "below": words_up_to(least() - 1),
                "reached": words_up_to(least()),
                "order": analysis().group_order,
                "less": least() - 1,
            },
            traps=lambda: {GODS_NUMBER: "true"},
        ),
        number(lambda: GODS_NUMBER, traps=lambda: {_CLAIMED: "claimed"}),
    )


def _exponent() -> Questions:
    key = f"{_PAGE}.mistake-exponent"
    return (
        number(
            lambda: next(e for e in range(9) if printed_count(e) == analysis().group_order),
            traps=lambda: {7: "law"},
        ),
        number(lambda: analysis().orbits),
        number(
            lambda: analysis().group_order // printed_count(),
            traps=lambda: {5: "three", analysis().reassemblies // printed_count(): "edges"},
        ),
        choice(
            (True, False),
            lambda equal: equal == (printed_count() == analysis().group_order),
            lambda _: Wording(f"{key}_q4_no", _compared(printed_count())),
            facts=lambda: _compared(printed_count()),
        ),
    )


def _size() -> Questions:
    return (
        number(
            lambda: len(str(analysis().group_order)) - 1,
            facts=lambda: {"order": analysis().group_order},
            traps=lambda: {20: "digits", 30: "printed", 31: "printed"},
        ),
        number(
            lambda: round(log10(_S5_STATES / analysis().group_order)),
            facts=lambda: {"times": _S5_STATES // analysis().group_order},
            traps=lambda: {11: "rounded"},
        ),
    )


QUESTIONS = {
    "mistake-repair": _repair,
    "mistake-bound": _bound,
    "mistake-23": _moves,
    "mistake-exponent": _exponent,
    "mistake-size": _size,
}
