"""Worksheets whose questions are steps of a proof: order them, find the gap, find a counterexample.

The program checks counterexamples, and which order of steps keeps what earlier steps have reached.
"""

from math import lcm

from teaching.puzzles_as_typed import Word
from teaching.wording import Wording
from teaching.worksheets import figures
from teaching.worksheets.effects import Effect
from teaching.worksheets.questions import choice, ordered, word
from teaching.worksheets.worksheet import Questions

_PAGE = "lesson_proofs"
_STEPS = (
    "(M' U)4 (M' U')4",
    "R",
    "R' F R' B2 R F' R' B2 R2",
    "R' D' R D R' D' R D U D' R' D R D' R' D R U'",
    "M2 U M U2 M' U M2",
)
"""Words for the steps of the converse: flips, sign, corners, twists, edges."""


def _disturbed(step: int) -> Effect:
    """Return what the word of a step changes."""
    made = figures.word(_STEPS[step]).cube
    assert made is not None
    return Effect.of(made)


def _must_precede() -> tuple[tuple[int, int], ...]:
    """Return the pairs of steps of which the first would spoil what the second has reached.

    A step may leave orientations as they are only if it moves no pieces of the kind.
    """
    done = ("flipped", None, "corners", "twisted", "edges")  # the sign is kept by even words
    found = [(1, step) for step in (0, 2, 3, 4)]  # a quarter turn changes all of it
    for first, later in ((2, 3), (4, 0)):
        assert getattr(_disturbed(first), str(done[first]))  # it moves the pieces themselves
        assert not getattr(_disturbed(later), str(done[first]))  # the other keeps their places
        found.append((first, later))
    return tuple(found)


def _converse() -> Questions:
    gaps = ("twisted", "corners", "edges")

    def missing(option: int) -> bool:
        """Return whether no other step can do what a left-out step does."""
        others = [step for step in range(len(_STEPS)) if step != (3, 1, 4)[option]]
        return option != 1 and all(
            not getattr(_disturbed(step), gaps[option]) for step in others if step != 1
        )

    return (ordered(len(_STEPS), _must_precede), choice(range(3), missing))


def _orbits() -> Questions:
    key = f"{_PAGE}.proof-orbits"

    def judge(made: Word) -> Wording | None:
        """Accept a word whose inverse needs more than its own turns, each made clockwise once."""
        clockwise = [move for move in made.moves if not move.endswith("'")]
        if len(clockwise) < len(made.moves) or not made.moves:
            return Wording(f"{key}_q2_turns")
        order = made.element.order
        return None if order > 2 else Wording(f"{key}_q2_no", {"order": order})

    return (ordered(4, lambda: ((1, 2), (2, 3), (3, 0))), word(judge, "R U"))


def _lemmas() -> Questions:
    key = f"{_PAGE}.proof-order"

    def judge(made: Word) -> Wording | None:
        """Accept a word of two turns whose order is not the least common multiple of theirs."""
        if len(made.moves) != 2:
            return Wording(f"{key}_q1_two")
        orders = [figures.word(move).element.order for move in made.moves]
        told = {"order": made.element.order, "multiple": lcm(*orders)}
        return None if told["order"] != told["multiple"] else Wording(f"{key}_q1_no", told)

    def holds(option: int) -> bool:
        """Try a lemma on pairs of turns."""
        pairs = [("R", "L"), ("R", "U"), ("R2", "U2"), ("U", "D'"), ("R2", "L'")]
        lawful = True
        for one, other in pairs:
            both, back = figures.word(f"{one} {other}"), figures.word(f"{other} {one}")
            a, b = (figures.word(each).element.order for each in (one, other))
            commute = both.cube == back.cube
            disjoint = not _moved(one) & _moved(other)
            order = both.element.order
            claims = (
                not commute or lcm(a, b) % order == 0,
                lcm(a, b) % order == 0,
                not disjoint or order == lcm(a, b),
                back.element.order == order,
            )
            lawful = lawful and claims[option]
        return lawful

    return (word(judge, "R U"), choice(range(4), holds))


def _moved(text: str) -> frozenset[tuple[str, int]]:
    """Return the pieces that a word moves."""
    return frozenset(
        (kind.name, place)
        for kind in figures.word(text).element.kinds
        for cycle in kind.cycles
        for place in cycle.places
    )


QUESTIONS = {
    "proof-converse": _converse,
    "proof-orbits": _orbits,
    "proof-order": _lemmas,
}
