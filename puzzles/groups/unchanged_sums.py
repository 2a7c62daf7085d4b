"""Quotients of finite abelian groups, as sums with coefficients that nothing can change.

Every turn adds a fixed vector to the signs and twists of a state. Sums with coefficients that no
such vector changes are found by Smith's normal form.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import gcd


@dataclass(frozen=True, slots=True)
class Character:
    """A sum of entries with coefficients, modulo a prime power.

    Attributes:
        coefficients: One for each entry.
        modulus: The prime power.
    """

    coefficients: tuple[int, ...]
    modulus: int

    def of(self, vector: Sequence[int]) -> int:
        """Return the value for a vector of entries."""
        total = sum(c * x for c, x in zip(self.coefficients, vector, strict=True))
        return total % self.modulus


def unchanged_sums(
    orders: Sequence[int], vectors: Iterable[Sequence[int]]
) -> tuple[Character, ...]:
    """Return independent sums that separate the classes modulo the span of some vectors.

    Args:
        orders: The modulus of each entry.
        vectors: The vectors that can be added.

    Returns:
        Sums whose moduli multiply to the number of classes, each with few entries.
    """
    size = len(orders)
    rows = [list(row) for row in {tuple(vector) for vector in vectors}]
    rows += [[order * (i == j) for j in range(size)] for i, order in enumerate(orders)]
    diagonal, columns = smith_normal_form(rows, size)
    found = [
        Character(tuple(column[i] % power for i in range(size)), power)
        for entry, column in zip(diagonal, columns, strict=True)
        for power in _prime_powers(entry)
    ]
    found = [_leading_one(character) for character in _shortened(found)]
    return tuple(sorted(found, key=lambda c: [-(x != 0) for x in c.coefficients]))


def smith_normal_form(rows: list[list[int]], size: int) -> tuple[list[int], list[list[int]]]:
    """Return the diagonal of Smith's form, and the column operations: a list per diagonal entry."""
    columns = [[int(i == j) for i in range(size)] for j in range(size)]
    diagonal: list[int] = []
    for at in range(size):
        while True:
            pivot = min(
                (
                    (abs(row[j]), i, j)
                    for i, row in enumerate(rows[at:], at)
                    for j in range(at, size)
                    if row[j]
                ),
                default=None,
            )
            if pivot is None:
                return diagonal + [0] * (size - at), columns
            _, i, j = pivot
            rows[at], rows[i] = rows[i], rows[at]
            for row in rows:
                row[at], row[j] = row[j], row[at]
            columns[at], columns[j] = columns[j], columns[at]
            if not _cleared(rows, columns, at, size):
                continue
            value = rows[at][at]
            odd = next((r for r in rows[at + 1 :] if any(x % value for x in r)), None)
            if odd is None:
                break
            rows[at] = [a + b for a, b in zip(rows[at], odd, strict=True)]
        diagonal.append(abs(rows[at][at]))
    return diagonal, columns


def _cleared(rows: list[list[int]], columns: list[list[int]], at: int, size: int) -> bool:
    """Subtract the pivot's row and column from the others; return whether nothing is left there."""
    value = rows[at][at]
    for i in range(at + 1, len(rows)):
        if times := rows[i][at] // value:
            rows[i] = [a - times * b for a, b in zip(rows[i], rows[at], strict=True)]
    for j in range(at + 1, size):
        if times := rows[at][j] // value:
            for row in rows:
                row[j] -= times * row[at]
            columns[j] = [a - times * b for a, b in zip(columns[j], columns[at], strict=True)]
    return not any(row[at] for row in rows[at + 1 :]) and not any(rows[at][at + 1 :])


def _prime_powers(number: int) -> list[int]:
    found, prime = [], 2
    while number > 1:
        power = 1
        while number % prime == 0:
            power, number = power * prime, number // prime
        if power > 1:
            found.append(power)
        prime += 1
    return found


def _shortened(characters: list[Character]) -> list[Character]:
    """Return sums with fewer entries for the same classes."""
    better = True
    while better:
        better = False
        for i, j in permutations(range(len(characters)), 2):
            one, two = characters[i], characters[j]
            if one.modulus % two.modulus and two.modulus % one.modulus:
                continue
            step = max(1, one.modulus // two.modulus)
            for times in range(1, min(one.modulus, two.modulus)):
                mixed = tuple(
                    (a + times * step * b) % one.modulus
                    for a, b in zip(one.coefficients, two.coefficients, strict=True)
                )
                if _weight(mixed) < _weight(characters[i].coefficients):
                    characters[i] = Character(mixed, one.modulus)
                    better = True
    return characters


def _leading_one(character: Character) -> Character:
    """Return the same classes with a sum whose first coefficient is 1, if possible."""
    first = next(c for c in character.coefficients if c)
    if gcd(first, character.modulus) > 1:
        return character
    times = pow(first, -1, character.modulus)
    coefficients = tuple(times * c % character.modulus for c in character.coefficients)
    return Character(coefficients, character.modulus)


def _weight(coefficients: tuple[int, ...]) -> int:
    return sum(c != 0 for c in coefficients)
