"""A permutation as a product of swaps, and of three-cycles where it is even (S3, problem 3).

Factors are carried out from left to right, as moves are.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Swap = tuple[int, int]
ThreeCycle = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class ThreeCycles:
    """A permutation as three-cycles.

    Attributes:
        cycles: The three-cycles, in the order in which they are carried out.
        swap: What is left of an odd permutation, carried out last; None of an even one.
    """

    cycles: tuple[ThreeCycle, ...]
    swap: Swap | None


def swaps(cycles: Iterable[Sequence[int]]) -> tuple[Swap, ...]:
    """Cycles as swaps of two places: (a b c) is (a b), then (a c).

    Args:
        cycles: Disjoint cycles: the content of each place goes to the next, of the last to the
            first.
    """
    return tuple((cycle[0], other) for cycle in cycles for other in cycle[1:])


def three_cycles(cycles: Iterable[Sequence[int]]) -> ThreeCycles:
    """Cycles as three-cycles, with one swap left when the permutation is odd.

    A cycle of odd length is (a b c), (a d e) and so on. One of even length leaves a swap, and two
    swaps are two three-cycles: (a b)(c d) is (a b c), then (c a d).

    Args:
        cycles: As of `swaps`.
    """
    made: list[ThreeCycle] = []
    left: Swap | None = None
    for cycle in cycles:
        first, rest = cycle[0], cycle[1:]
        pairs = len(rest) // 2
        made += [(first, rest[2 * i], rest[2 * i + 1]) for i in range(pairs)]
        if len(rest) % 2 == 0:
            continue
        if left is None:
            left = (first, rest[-1])
            continue
        (a, b), (c, d) = left, (first, rest[-1])
        made += [(a, b, c), (c, a, d)]
        left = None
    return ThreeCycles(tuple(made), left)
