"""All worksheets by their names: `worksheets.toml` lists them, modules ask their questions."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from teaching.worksheets.subjects import (
    games,
    laws,
    misprints,
    mistakes,
    permutations,
    proofs,
    solids,
    states,
)
from teaching.worksheets.worksheet import CUBE, Experiment, Questions, Worksheet
from thistlebot.errors import UsageError

_THREE = ("composition", "cycles", "sums", "theorem", "mistake-bound")
SETS = {
    1: ("count", "theorem"),
    3: _THREE,
    6: (*_THREE, "equivalence", "orbits", "product", "chain", "delta"),
}
"""Names of the worksheets for a lesson of one hour, for three hours and for six."""
_ROOMS: Mapping[str, Mapping[str, Callable[[], Questions]]] = {
    "games": games.QUESTIONS,
    "laws": laws.QUESTIONS,
    "misprints": misprints.QUESTIONS,
    "mistakes": mistakes.QUESTIONS,
    "permutations": permutations.QUESTIONS,
    "proofs": proofs.QUESTIONS,
    "solids": solids.QUESTIONS,
    "states": states.QUESTIONS,
}


@cache
def all_worksheets() -> tuple[Worksheet, ...]:
    """Return the worksheets: S1's theorem, S3's problems by number, proofs, then the mistakes."""
    file = resources.files("teaching.worksheets").joinpath("worksheets.toml")
    listed = tomllib.loads(file.read_text(encoding="utf-8"))
    return tuple(_worksheet(name, **row) for name, row in listed.items())


def _worksheet(
    name: str,
    level: int,
    source: str,
    room: str,
    experiments: list[dict[str, Any]],
    *,
    puzzle: str = CUBE,
) -> Worksheet:
    """Number experiments and questions: the keys of their texts end with ``_try1`` and ``_q1``."""
    page = f"lesson_{room}"
    tried = tuple(
        _experiment(f"{page}.{name}_try{n}", **row) for n, row in enumerate(experiments, start=1)
    )
    questions = enumerate(_ROOMS[room][name](), start=1)
    tasks = tuple(question(f"{page}.{name}_q{n}") for n, question in questions)
    return Worksheet(name, level, source, page, tried, tasks, puzzle)


def _experiment(key: str, graphs: Sequence[Sequence[int]] = (), **row: str) -> Experiment:
    picture = permutations.crossing_picture(*graphs) if graphs else ""
    return Experiment(key, picture=picture, **row)


def worksheet_named(name: str) -> Worksheet:
    """Return the worksheet with a name, or the first one with a source such as ``S3.11``.

    Raises:
        UsageError: There is no such worksheet.
    """
    typed = name.strip().lower()
    for each in all_worksheets():
        if typed in {each.name, each.source.lower()}:
            return each
    names = ", ".join(each.name for each in all_worksheets())
    raise UsageError(f"there is no lesson {name!r}; choose one of {names}")
