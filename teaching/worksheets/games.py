"""Worksheets on the games of S3's problems 11 to 14: few faces, arrows, boxes, four dimensions."""

from math import factorial

from teaching.puzzles_as_typed import Word
from teaching.wording import Wording
from teaching.worksheets.figures import analysis
from teaching.worksheets.questions import choice, number, numbers, word
from teaching.worksheets.worksheet import Experiment, Worksheet

_PAGE = "lesson_games"
_PAIR, _FIVE, _SUPER, _DOMINO, _HYPER = "RU", "URFDL", "supercube", "3x2x3", "3x3x3x3"
_TURNED_CENTRE = "centres U"
_KINDS = (("corners",), ("edges",), ("corners", "edges"))
"""The kinds of pieces of which the Domino's options swap two each."""


def worksheets() -> tuple[Worksheet, ...]:
    """Return problems 11 to 14 of S3."""
    return (_faces(), _arrows(), _boxes(), _hypercube())


def _faces() -> Worksheet:
    key = f"{_PAGE}.faces"
    tries = (
        Experiment(f"{key}_try1", "R U R U", f"puzzle {_PAIR}"),
        Experiment(f"{key}_try2", "R L'", "puzzle slice"),
    )
    tasks = (
        number(
            f"{key}_q1",
            _moving,
            traps=lambda: {16: f"{key}_q1_twice", 18: f"{key}_q1_twice", 15: f"{key}_q1_centres"},
        ),
        number(
            f"{key}_q2",
            lambda: analysis(_PAIR).orbits,
            given=lambda: {
                "states": analysis(_PAIR).group_order,
                "all": analysis(_PAIR).reassemblies,
            },
            traps=lambda: {12: f"{key}_q2_six", 1: f"{key}_q2_one"},
        ),
        number(
            f"{key}_q3",
            lambda: analysis(_FIVE).orbits,
            facts=lambda: {"states": analysis(_FIVE).group_order},
            traps=lambda: {
                24: f"{key}_q3_more",
                1: f"{key}_q3_one",
            },
        ),
        number(
            f"{key}_q4",
            lambda: analysis("slice").group_order,
            facts=lambda: {"anti": analysis("antislice").group_order},
        ),
    )
    return Worksheet("faces", "S3.11", _PAGE, tries, tasks)


def _moving() -> int:
    """Return how many pieces two faces move."""
    pieces = analysis(_PAIR).pieces
    return sum(
        any((turn[row] != row).any() for turn in pieces.turns.values())
        for kind in pieces.kinds
        for row in kind.slots
    )


def _arrows() -> Worksheet:
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

    tries = (
        Experiment(f"{key}_try1", "U R L U2 R' L'", f"puzzle {_SUPER}"),
        Experiment(f"{key}_try2", "", "puzzle three-colour"),
    )
    tasks = (
        number(
            f"{key}_q1",
            lambda: analysis(_SUPER).group_order // analysis().group_order,
            traps=lambda: {4**6: f"{key}_q1_law", 2**6: f"{key}_q1_half"},
        ),
        word(f"{key}_q2", judge, "(U R L U2 R' L')2", puzzle=_SUPER),
        number(
            f"{key}_q3",
            lambda: analysis("three-colour").orbits,
            facts=lambda: {"states": analysis("three-colour").states_per_orbit},
            traps=lambda: {12: f"{key}_q3_sign"},
        ),
    )
    return Worksheet("arrows", "S3.12", _PAGE, tries, tasks, _SUPER)


def _boxes() -> Worksheet:
    key = f"{_PAGE}.boxes"

    def possible(option: int) -> bool:
        """Return whether turns can swap two pieces of each of these kinds."""
        made = analysis(_DOMINO).pieces.solved
        for kind in analysis(_DOMINO).pieces.kinds:
            if kind.name in _KINDS[option]:
                one, two = (kind.slots[row].copy() for row in (0, 1))
                made[one], made[two] = two, one
        return analysis(_DOMINO).chain.contains(made)

    tries = (
        Experiment(f"{key}_try1", "U R2 U F2", f"puzzle {_DOMINO}"),
        Experiment(f"{key}_try2", "", "puzzle 1x3x3"),
    )
    tasks = (
        number(
            f"{key}_q1",
            lambda: analysis(_DOMINO).states_per_orbit,
            traps=lambda: {
                factorial(8) ** 2: f"{key}_q1_held",
                factorial(8) ** 2 // 2: f"{key}_q1_signs",
                factorial(8) ** 2 // 8: f"{key}_q1_signs",
                factorial(8): f"{key}_q1_kinds",
            },
        ),
        choice(f"{key}_q2", len(_KINDS), possible, lambda _: Wording(f"{key}_q2_no")),
        number(
            f"{key}_q3",
            lambda: analysis(_DOMINO).orbits,
            traps=lambda: {12: f"{key}_q3_cube", 2: f"{key}_q3_sign", 4: f"{key}_q3_sign"},
        ),
    )
    return Worksheet("boxes", "S3.13", _PAGE, tries, tasks, _DOMINO)


def _hypercube() -> Worksheet:
    key = f"{_PAGE}.hypercube"

    def pieces() -> list[int]:
        return [len(kind.places) for kind in analysis(_HYPER).pieces.kinds]

    tries = (Experiment(f"{key}_try1", "RU RF", f"puzzle {_HYPER}"),)
    tasks = (
        numbers(f"{key}_q1", pieces, facts=lambda: {"moved": sum(pieces())}),
        number(
            f"{key}_q2",
            lambda: analysis(_HYPER).orbits,
            traps=lambda: {12: f"{key}_q2_cube", 24: f"{key}_q2_sign", 96: f"{key}_q2_free"},
        ),
        number(
            f"{key}_q3",
            lambda: len(str(analysis(_HYPER).states_per_orbit)),
            facts=lambda: {"cube": len(str(analysis().states_per_orbit))},
        ),
    )
    return Worksheet("hypercube", "S3.14", _PAGE, tries, tasks, _HYPER)
