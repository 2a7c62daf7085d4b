"""Signs and twists of arrangements, which turns add to, and which pieces are in which places.

Kinds are divided into parts where the allowed turns do not mix their places.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from puzzles.groups.relations import Character, unchanged_sums
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


@dataclass(frozen=True)
class PlaceOrbit:
    """The places of one kind between which the allowed turns move pieces.

    Attributes:
        kind: The kind.
        rows: Which of the kind's places, by index.
        lies: For each of these places how its own order of stickers, kept on ways of allowed
            turns, differs from the kind's.
        rotations: In which ways a piece can come back.
    """

    kind: PieceKind
    rows: tuple[int, ...]
    lies: tuple[Rotation, ...]
    rotations: tuple[Rotation, ...]
    name: str

    def cosets(self) -> dict[Rotation, tuple[int, Rotation]]:
        """For each way to lie: its class modulo what turns can do, and the rest of it."""
        found: dict[Rotation, tuple[int, Rotation]] = {}
        for rotation in self.kind.rotations:
            if rotation not in found:
                number = len({n for n, _ in found.values()})
                for turn in self.rotations:
                    found[composed(rotation, turn)] = (number, turn)
        return found


def parts_of(pieces: Pieces) -> tuple[PlaceOrbit, ...]:
    """The kinds, divided where the allowed turns do not mix their places."""
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
    """A sign or a twist, an entry of the vector that turns add to.

    Attributes:
        part: Whose.
        order: It counts modulo this number.
        twist: How much each way to lie adds; None for a sign.
    """

    part: PlaceOrbit
    order: int
    twist: dict[Rotation, int] | None


def entries_of(parts: Iterable[PlaceOrbit]) -> tuple[LedgerEntry, ...]:
    """Every sign and twist."""
    found = []
    for part in parts:
        if len(part.rows) > 1:
            found.append(LedgerEntry(part, 2, None))
        found += [LedgerEntry(part, order, twist) for order, twist in twists_of(part.rotations)]
    return tuple(found)


def twists_of(rotations: tuple[Rotation, ...]) -> list[tuple[int, dict[Rotation, int]]]:
    """The rotations as numbers that add: modulo 3 for a corner, its cyclic factors in general."""
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
    """The signs and twists of arrangements.

    Args:
        pieces: A puzzle.
    """

    def __init__(self, pieces: Pieces) -> None:
        self.pieces = pieces
        self.parts = parts_of(pieces)
        self.entries = entries_of(self.parts)
        self._cosets = {id(part): part.cosets() for part in self.parts}

    def vector(self, arrangement: Arrangement) -> tuple[int, ...]:
        """One number for each entry.

        Raises:
            SolverError: The arrangement is no re-assembly.
        """
        contents = {
            kind.name: self.pieces.contents(kind, arrangement) for kind in self.pieces.kinds
        }
        found = []
        for entry in self.entries:
            part = entry.part
            inside, rotations = contents[part.kind.name]
            if entry.twist is None:
                order = [inside[row] for row in part.rows]
                found.append(sum(a > b for a, b in combinations(order, 2)) % 2)
            else:
                cosets = self._cosets[id(part)]
                total = sum(
                    entry.twist[cosets[composed(rotations[row], lies)][1]]
                    for row, lies in zip(part.rows, part.lies, strict=True)
                )
                found.append(total % entry.order)
        return tuple(found)

    def members(self, kind: PieceKind, arrangement: Arrangement) -> tuple[tuple[int, ...], ...]:
        """Which pieces of a kind are in each of its parts."""
        inside, _ = self.pieces.contents(kind, arrangement)
        return tuple(
            tuple(sorted(inside[row] for row in part.rows))
            for part in self.parts
            if part.kind is kind
        )

    def lies(self, kind: PieceKind, arrangement: Arrangement) -> tuple[int, ...]:
        """For each piece of a kind how it lies, modulo what turns can do."""
        inside, rotations = self.pieces.contents(kind, arrangement)
        found = [0] * len(inside)
        for part in self.parts:
            if part.kind is kind:
                for row, lies in zip(part.rows, part.lies, strict=True):
                    coset = self._cosets[id(part)][composed(rotations[row], lies)]
                    found[inside[row]] = coset[0]
        return tuple(found)

    def told(self, sums: Iterable[Character]) -> list[tuple[Character, int]]:
        """Those of some sums that tell re-assemblies apart, and how many values each adds.

        Free pieces change each sign and twist alone. The frame lies as turns left it: what it adds
        to all entries together is what the turns add to its own. A sum whose value follows from
        those before it is left out.
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
        """The sums that turns do not change, and more rearrangements do not, either."""
        start = self.vector(self.pieces.solved)
        vectors = [
            [after - before for after, before in zip(self.vector(turn), start, strict=True)]
            for turn in (*self.pieces.turns.values(), *more)
        ]
        return unchanged_sums([entry.order for entry in self.entries], vectors)


def _generated(characters: list[Character], ways: list[list[int]]) -> int:
    """How many values sums take together, over all that some ways add."""
    steps = {tuple(character.of(way) for character in characters) for way in ways}
    seen = {(0,) * len(characters)}
    todo = list(seen)
    while todo:
        here = todo.pop()
        for step in steps:
            there = tuple(
                (a + b) % character.modulus
                for a, b, character in zip(here, step, characters, strict=True)
            )
            if there not in seen:
                seen.add(there)
                todo.append(there)
    return len(seen)
