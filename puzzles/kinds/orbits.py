"""All that some steps lead to, breadth first."""

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

Thing = TypeVar("Thing")


def orbit(
    start: Thing,
    steps: Iterable[Callable[[Thing], Thing]],
    key: Callable[[Thing], Hashable] = lambda thing: thing,
) -> list[Thing]:
    """Return a thing and all that steps make of it, the nearest first.

    Args:
        start: The thing.
        steps: What can be done with each.
        key: What two of them have in common if they are the same.
    """
    steps = tuple(steps)
    found, known = [start], {key(start)}
    for here in found:
        for step in steps:
            there = step(here)
            if (name := key(there)) not in known:
                known.add(name)
                found.append(there)
    return found
