"""Signs and twists of arrangements, to which turns add, and the pieces in each set of places.

Kinds are divided into parts if the allowed turns do not mix their places.

This module also computes quotients of finite abelian groups, as sums with coefficients that nothing
can change.

Every turn adds a fixed vector to the signs and twists of a state. Sums with coefficients that no
such vector changes are found by Smith's normal form.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import gcd, prod

from cube.laws import permutation_parity
from puzzles.kinds.pieces import (
    Arrangement,
    PieceKind,
    Pieces,
    Rotation,
    closure,
    composed,
    inverted,
    reached,
)


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
    diagonal, columns = _smith(rows, size)
    found = [
        Character(tuple(column[i] % power for i in range(size)), power)
        for entry, column in zip(diagonal, columns, strict=True)
        for power in _prime_powers(entry)
    ]
    found = [_leading_one(character) for character in _shortened(found)]
    return tuple(sorted(found, key=lambda c: [-(x != 0) for x in c.coefficients]))


def _smith(rows: list[list[int]], size: int) -> tuple[list[int], list[list[int]]]:
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


@dataclass(frozen=True)
class PlaceOrbit:
    """The places of one kind that the allowed turns connect.

    Attributes:
        kind: The kind.
        rows: The kind's places, by index.
        lies: For each of these places, the difference between its own order of stickers along paths
            of allowed turns and the kind's.
        rotations: The orientations in which a piece can come back.
    """

    kind: PieceKind
    rows: tuple[int, ...]
    lies: tuple[Rotation, ...]
    rotations: tuple[Rotation, ...]
    name: str

    def cosets(self) -> dict[Rotation, tuple[int, Rotation]]:
        """Return, for each orientation, its class modulo the effects of turns, and its rest."""
        found: dict[Rotation, tuple[int, Rotation]] = {}
        for rotation in self.kind.rotations:
            if rotation not in found:
                number = len({n for n, _ in found.values()})
                for turn in self.rotations:
                    found[composed(rotation, turn)] = (number, turn)
        return found


def parts_of(pieces: Pieces) -> tuple[PlaceOrbit, ...]:
    """Return the kinds, divided if the allowed turns do not mix their places."""
    found = []
    for kind in pieces.kinds:
        classes = reached([tuple(row) for row in kind.slots.tolist()], pieces.turns.values())
        for rows, slots, rotations in classes:
            lies = tuple(
                tuple(kind.slots[row].tolist().index(slot) for slot in own)
                for row, own in zip(rows, slots.tolist(), strict=True)
            )
            name = kind.name
            if len(classes) > 1:
                name += " " + " ".join(pieces.places[kind.places[row]].name for row in rows)
            found.append(PlaceOrbit(kind, rows, lies, rotations, name))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """A sign or a twist, an entry of the vector to which turns add.

    Attributes:
        part: Its part.
        order: Its modulus.
        twist: The contribution of each orientation; None for a sign.
    """

    part: PlaceOrbit
    order: int
    twist: dict[Rotation, int] | None


def entries_of(parts: Iterable[PlaceOrbit]) -> tuple[LedgerEntry, ...]:
    """Return every sign and twist."""
    found = []
    for part in parts:
        if len(part.rows) > 1:
            found.append(LedgerEntry(part, 2, None))
        found += [LedgerEntry(part, order, twist) for order, twist in twists_of(part.rotations)]
    return tuple(found)


def twists_of(rotations: tuple[Rotation, ...]) -> list[tuple[int, dict[Rotation, int]]]:
    """Return the rotations as additive numbers: modulo 3 for a corner, else cyclic factors."""
    size = len(rotations[0])
    commutators = [
        composed(composed(a, b), composed(inverted(a), inverted(b)))
        for a in rotations
        for b in rotations
    ]
    inner = closure(commutators, size)
    known: dict[Rotation, tuple[int, ...]] = dict.fromkeys(inner, ())
    factors: list[int] = []
    while len(known) < len(rotations):
        order, best = max(
            ((_order_modulo(r, known), r) for r in rotations if _meets_trivially(r, known, inner)),
        )
        grown, power = dict[Rotation, tuple[int, ...]](), tuple(range(size))
        for number in range(order):
            for rotation, numbers in known.items():
                grown[composed(rotation, power)] = (*numbers, number)
            power = composed(power, best)
        known = grown
        factors.append(order)
    return [(order, {r: n[i] for r, n in known.items()}) for i, order in enumerate(factors)]


def _order_modulo(rotation: Rotation, known: Iterable[Rotation]) -> int:
    power, order = rotation, 1
    while power not in known:
        power, order = composed(power, rotation), order + 1
    return order


def _meets_trivially(
    rotation: Rotation, known: Iterable[Rotation], inner: tuple[Rotation, ...]
) -> bool:
    return _order_modulo(rotation, known) == _order_modulo(rotation, inner) > 1


class Ledger:
    """The signs and twists of arrangements."""

    def __init__(self, pieces: Pieces) -> None:
        self.pieces = pieces
        self.parts = parts_of(pieces)
        self.entries = entries_of(self.parts)
        self._cosets = {id(part): part.cosets() for part in self.parts}

    def vector(
        self, arrangement: Arrangement, whole: Collection[PieceKind] = ()
    ) -> tuple[int, ...]:
        """Return one number for each entry.

        Args:
            arrangement: The arrangement.
            whole: Kinds whose sign counts once, for the pieces of all parts together: the first
                part has it, the others 0.

        Raises:
            SolverError: The arrangement is not a re-assembly.
        """
        contents = {
            kind.name: self.pieces.contents(kind, arrangement) for kind in self.pieces.kinds
        }
        found = []
        todo = {kind.name for kind in whole}
        for entry in self.entries:
            part = entry.part
            inside, rotations = contents[part.kind.name]
            if entry.twist is None and part.kind in whole:
                order = inside if part.kind.name in todo else []
                todo.discard(part.kind.name)
                found.append(permutation_parity(tuple(order)))
            elif entry.twist is None:
                order = [inside[row] for row in part.rows]
                found.append(permutation_parity(tuple(order)))
            else:
                cosets = self._cosets[id(part)]
                total = sum(
                    entry.twist[cosets[composed(rotations[row], lies)][1]]
                    for row, lies in zip(part.rows, part.lies, strict=True)
                )
                found.append(total % entry.order)
        return tuple(found)

    def members(self, kind: PieceKind, arrangement: Arrangement) -> tuple[tuple[int, ...], ...]:
        """Return the pieces of a kind in each of its parts."""
        inside, _ = self.pieces.contents(kind, arrangement)
        return tuple(
            tuple(sorted(inside[row] for row in part.rows))
            for part in self.parts
            if part.kind is kind
        )

    def lies(self, kind: PieceKind, arrangement: Arrangement) -> tuple[int, ...]:
        """Return the orientation of each piece of a kind, modulo the effects of turns."""
        inside, rotations = self.pieces.contents(kind, arrangement)
        found = [0] * len(inside)
        for part in self.parts:
            if part.kind is kind:
                for row, lies in zip(part.rows, part.lies, strict=True):
                    coset = self._cosets[id(part)][composed(rotations[row], lies)]
                    found[inside[row]] = coset[0]
        return tuple(found)

    def told(self, sums: Iterable[Character]) -> list[tuple[Character, int]]:
        """Return those sums that separate re-assemblies, with the number of values of each.

        Free pieces change each sign and twist separately. The frame has positions that turns can
        produce: its contribution to all entries is that of the turns. A sum whose value follows
        from earlier ones is left out.
        """
        start = self.vector(self.pieces.solved)
        size = len(self.entries)
        free = [i for i, entry in enumerate(self.entries) if not entry.part.kind.frame]
        ways = [[int(i == at) for i in range(size)] for at in free]
        for turn in self.pieces.turns.values():
            after = self.vector(turn)
            ways.append([0 if i in free else after[i] - start[i] for i in range(size)])
        found, seen, taken = list[tuple[Character, int]](), 1, list[Character]()
        for character in sums:
            values = _generated([*taken, character], ways)
            if values > seen:
                found.append((character, values // seen))
                taken.append(character)
                seen = values
        return found

    def sums(self, more: Iterable[Arrangement] = ()) -> tuple[Character, ...]:
        """Return the sums that neither turns nor further rearrangements change."""
        start = self.vector(self.pieces.solved)
        vectors = [
            [after - before for after, before in zip(self.vector(turn), start, strict=True)]
            for turn in (*self.pieces.turns.values(), *more)
        ]
        return unchanged_sums([entry.order for entry in self.entries], vectors)


def _generated(characters: list[Character], ways: list[list[int]]) -> int:
    """Return how many values the sums take together, over combinations of some vectors."""
    size = len(characters)
    steps = {tuple(character.of(way) for character in characters) for way in ways}
    moduli = [character.modulus for character in characters]
    rows = [list(step) for step in steps]
    rows += [[modulus * (i == j) for j in range(size)] for i, modulus in enumerate(moduli)]
    return prod(moduli) // prod(_smith(rows, size)[0])
