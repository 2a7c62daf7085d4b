"""Worksheets on the games of S3's problems 11 to 14: few faces, arrows, boxes, four dimensions."""

from math import factorial

from teaching.puzzles_as_typed import Word
from teaching.wording import Wording
from teaching.worksheets.figures import analysis
from teaching.worksheets.questions import choice, number, numbers, word
from teaching.worksheets.worksheet import Questions

_PAGE = "lesson_games"
_PAIR, _FIVE, _SUPER, _DOMINO, _HYPER = "RU", "URFDL", "supercube", "3x2x3", "3x3x3x3"
_TURNED_CENTRE = "centres U"
_KINDS = (("corners",), ("edges",), ("corners", "edges"))
"""The kinds of pieces of which the Domino's options swap two each."""


def _faces() -> Questions:
    return (
        number(_moving, traps=lambda: {16: "twice", 18: "twice", 15: "centres"}),
        number(
            lambda: analysis(_PAIR).orbits,
            given=lambda: {
                "states": analysis(_PAIR).group_order,
                "all": analysis(_PAIR).reassemblies,
            },
            traps=lambda: {12: "six", 1: "one"},
        ),
        number(
            lambda: analysis(_FIVE).orbits,
            facts=lambda: {"states": analysis(_FIVE).group_order},
            traps=lambda: {24: "more", 1: "one"},
        ),
        number(
            lambda: analysis("slice").group_order,
            facts=lambda: {"anti": analysis("antislice").group_order},
        ),
    )


def _moving() -> int:
    """Return how many pieces two faces move."""
    pieces = analysis(_PAIR).pieces
    return sum(
        any((turn[row] != row).any() for turn in pieces.turns.values())
        for kind in pieces.kinds
        for row in kind.slots
    )


def _arrows() -> Questions:
    key = f"{_PAGE}.arrows"

    def judge(made: Word) -> Wording | None:
        kinds = [kind for kind in made.element.kinds if kind.cycles]
        pieces = sum(len(c.places) for k in kinds for c in k.cycles if "centres" not in k.name)
        centres = [kind.name.removeprefix("centres ") for kind in kinds if "centres" in kind.name]
        if pieces:
            return Wording(f"{key}_q2_pieces", {"moved": pieces})
        turned = [cycle.twist_order for kind in kinds for cycle in kind.cycles]
        if turned == [2] and kinds[0].name == _TURNED_CENTRE:
            return None
        if not centres:
            return Wording("lesson.nothing")
        quarter = any(order == 4 for order in turned)
        tail = f"{key}_q2_quarter" if quarter else f"{key}_q2_others"
        return Wording(tail, {"centres": tuple(centres)})

    return (
        number(
            lambda: analysis(_SUPER).group_order // analysis().group_order,
            traps=lambda: {4**6: "law", 2**6: "half"},
        ),
        word(judge, "(U R L U2 R' L')2", puzzle=_SUPER),
        number(
            lambda: analysis("three-colour").orbits,
            facts=lambda: {"states": analysis("three-colour").states_per_orbit},
            traps=lambda: {12: "sign"},
        ),
    )


def _boxes() -> Questions:

    def possible(kinds: tuple[str, ...]) -> bool:
        """Return whether turns can swap two pieces of each of these kinds."""
        made = analysis(_DOMINO).pieces.solved
        for kind in analysis(_DOMINO).pieces.kinds:
            if kind.name in kinds:
                one, two = (kind.slots[row].copy() for row in (0, 1))
                made[one], made[two] = two, one
        return analysis(_DOMINO).chain.contains(made)

    return (
        number(
            lambda: analysis(_DOMINO).states_per_orbit,
            traps=lambda: {
                factorial(8) ** 2: "held",
                factorial(8) ** 2 // 2: "signs",
                factorial(8) ** 2 // 8: "signs",
                factorial(8): "kinds",
            },
        ),
        choice(_KINDS, possible),
        number(lambda: analysis(_DOMINO).orbits, traps=lambda: {12: "cube", 2: "sign", 4: "sign"}),
    )


def _hypercube() -> Questions:

    def pieces() -> list[int]:
        return [len(kind.places) for kind in analysis(_HYPER).pieces.kinds]

    return (
        numbers(pieces, facts=lambda: {"moved": sum(pieces())}),
        number(lambda: analysis(_HYPER).orbits, traps=lambda: {12: "cube", 24: "sign", 96: "free"}),
        number(
            lambda: len(str(analysis(_HYPER).states_per_orbit)),
            facts=lambda: {"cube": len(str(analysis().states_per_orbit))},
        ),
    )


QUESTIONS = {
    "faces": _faces,
    "arrows": _arrows,
    "boxes": _boxes,
    "hypercube": _hypercube,
}
