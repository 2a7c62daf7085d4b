"""Orbits by breadth first: everything that steps lead to from a start."""

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

Where = TypeVar("Where", bound=Hashable)


def orbit(start: Where, steps: Callable[[Where], Iterable[Where]]) -> list[Where]:
    """Return everything that steps reach, the start first and the farthest last.

    Args:
        start: The start.
        steps: Returns what one step reaches from somewhere.
    """
    found, known = [start], {start}
    for here in found:
        for there in steps(here):
            if there not in known:
                known.add(there)
                found.append(there)
    return found


def orbits(everything: Iterable[Where], steps: Callable[[Where], Iterable[Where]]) -> list[int]:
    """Return the sizes of the orbits into which steps that have inverses divide something."""
    left, sizes = set(everything), list[int]()
    while left:
        one = orbit(next(iter(left)), steps)
        left.difference_update(one)
        sizes.append(len(one))
    return sizes
