"""All worksheets by their names."""

from functools import cache

from teaching.worksheets import (
    games,
    laws,
    misprints,
    mistakes,
    permutations,
    proofs,
    solids,
    states,
)
from teaching.worksheets.worksheet import Worksheet
from thistlebot.errors import UsageError

_THREE = ("composition", "cycles", "sums", "theorem", "mistake-bound")
SETS = {
    1: ("count", "theorem"),
    3: _THREE,
    6: (*_THREE, "equivalence", "orbits", "product", "chain", "delta"),
}
"""Names of the worksheets for a lesson of one hour, for three hours and for six."""
_ORDER = ("S1", "S3", *(f"S3.{number}" for number in range(1, 17)))


@cache
def all_worksheets() -> tuple[Worksheet, ...]:
    """Return the worksheets: S1's theorem, S3's problems by number, proofs, then the mistakes."""
    rooms = (laws, states, permutations, games, solids)
    found = [each for room in rooms for each in room.worksheets()]
    found.sort(key=lambda each: _ORDER.index(each.source))
    return (*found, *proofs.worksheets(), *mistakes.worksheets(), *misprints.worksheets())


def worksheet_named(name: str) -> Worksheet:
    """Return the worksheet with a name; a source such as ``S3.11`` also works if only one has it.

    Raises:
        UsageError: There is no such worksheet.
    """
    typed = name.strip().lower()
    for each in all_worksheets():
        if typed == each.name:
            return each
    sourced = [each for each in all_worksheets() if each.source.lower() == typed]
    if sourced:
        return sourced[0]
    names = ", ".join(each.name for each in all_worksheets())
    raise UsageError(f"there is no lesson {name!r}; choose one of {names}")
