"""Moves written with S1's commutators [X, T] = X T X⁻¹ T⁻¹ and conjugates [X: T] = X T X⁻¹."""

from cube.moves import MoveSequence


def bracketed(moves: MoveSequence) -> str:
    """Return moves with their commutators and conjugates in brackets, as few signs as possible.

    The result can be typed: `thistlebot school word "[F: U] [R: U2]"`.
    """
    size = len(moves)
    best: list[tuple[int, str]] = [(0, "")] * (size + 1)
    for start in reversed(range(size)):
        cost, rest = best[start + 1]
        found = [(cost + 2, _joined(str(moves[start]), rest))]
        for end in range(start + 3, size + 1):
            if (made := _bracket(moves[start:end])) is not None:
                cost, rest = best[end]
                found.append((cost + 1 + made[0], _joined(made[1], rest)))
        best[start] = min(found)
    return best[0][1]


def _bracket(part: MoveSequence) -> tuple[int, str] | None:
    """Return the length of the contents of a commutator or conjugate, and its text."""
    size = len(part)
    found = []
    for first in range(1, size // 2 + 1):
        x = part[:first]
        if size % 2 == 0 and 2 * first < size:
            t = part[first : size // 2]
            if part[size // 2 :] == x.inverse() + t.inverse():
                found.append((size // 2, f"[{x}, {t}]"))
        inner = part[first : size - first]
        if len(inner) and part[size - first :] == x.inverse():
            found.append((first + len(inner), f"[{x}: {inner}]"))
    return min(found, default=None)


def _joined(one: str, rest: str) -> str:
    return f"{one} {rest}".strip()
