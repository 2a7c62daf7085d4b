"""Signs and twists of arrangements, to which turns add, and the pieces in each set of places.

Kinds are divided into parts if the allowed turns do not mix their places.

Every turn adds a fixed vector to the signs and twists of a state. Sums with coefficients that no
such vector changes are found by Smith's normal form.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from math import prod

from cube.laws import permutation_parity
from puzzles.groups.unchanged_sums import Character, smith_normal_form, unchanged_sums
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
    return prod(moduli) // prod(smith_normal_form(rows, size)[0])
