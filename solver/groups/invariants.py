"""What turns cannot change, found from the pieces and the turns alone (S3).

Four sorts of invariants, in this order: which pieces are among which places; how a piece lies, as
far as turns never change it; sums of signs and twists; and what is left when these do not tell all
orbits apart: the coset of the turns' group.
"""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from itertools import combinations
from math import factorial

from solver.groups.relations import Character, unchanged_sums
from solver.puzzles.pieces import (
    Arrangement,
    Kind,
    Pieces,
    Rotation,
    closure,
    composed,
    inverted,
    reached,
)


@dataclass(frozen=True, slots=True)
class Invariant:
    """Something that turns do not change.

    Attributes:
        name: A few words.
        text: One sentence for a person.
        values: How many values it takes over all re-assemblies.
        of: Its value for an arrangement.
    """

    name: str
    text: str
    values: int
    of: Callable[[Arrangement], Hashable]


@dataclass(frozen=True)
class Part:
    """The places of one kind between which the allowed turns move pieces.

    Attributes:
        kind: The kind.
        rows: Which of the kind's places, by index.
        lies: For each of these places how its own order of stickers, kept on ways of allowed
            turns, differs from the kind's.
        rotations: In which ways a piece can come back.
    """

    kind: Kind
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


def parts_of(pieces: Pieces) -> tuple[Part, ...]:
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
            found.append(Part(kind, rows, lies, rotations, name))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Entry:
    """A sign or a twist, an entry of the vector that turns add to.

    Attributes:
        part: Whose.
        order: It counts modulo this number.
        twist: How much each way to lie adds; None for a sign.
    """

    part: Part
    order: int
    twist: dict[Rotation, int] | None


def entries_of(parts: Iterable[Part]) -> tuple[Entry, ...]:
    """Every sign and twist."""
    found = []
    for part in parts:
        if len(part.rows) > 1:
            found.append(Entry(part, 2, None))
        found += [Entry(part, order, twist) for order, twist in twists_of(part.rotations)]
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

    def members(self, kind: Kind, arrangement: Arrangement) -> tuple[tuple[int, ...], ...]:
        """Which pieces of a kind are in each of its parts."""
        inside, _ = self.pieces.contents(kind, arrangement)
        return tuple(
            tuple(sorted(inside[row] for row in part.rows))
            for part in self.parts
            if part.kind is kind
        )

    def lies(self, kind: Kind, arrangement: Arrangement) -> tuple[int, ...]:
        """For each piece of a kind how it lies, modulo what turns can do."""
        inside, rotations = self.pieces.contents(kind, arrangement)
        found = [0] * len(inside)
        for part in self.parts:
            if part.kind is kind:
                for row, lies in zip(part.rows, part.lies, strict=True):
                    coset = self._cosets[id(part)][composed(rotations[row], lies)]
                    found[inside[row]] = coset[0]
        return tuple(found)

    def sums(self, more: Iterable[Arrangement] = ()) -> tuple[Character, ...]:
        """The sums that turns do not change, and more rearrangements do not, either."""
        start = self.vector(self.pieces.solved)
        vectors = [
            [after - before for after, before in zip(self.vector(turn), start, strict=True)]
            for turn in (*self.pieces.turns.values(), *more)
        ]
        return unchanged_sums([entry.order for entry in self.entries], vectors)


def invariants_of(ledger: Ledger, sums: Iterable[Character]) -> tuple[Invariant, ...]:
    """All invariants but the last sort."""
    found = []
    for kind in ledger.pieces.kinds:
        parts = [part for part in ledger.parts if part.kind is kind]
        if kind.frame:
            continue
        if len(parts) > 1:
            values = factorial(len(kind.places))
            for part in parts:
                values //= factorial(len(part.rows))
            sets = " | ".join(_places(ledger.pieces, part) for part in parts)
            text = f"which of the {kind.name} are in which of these sets of places: {sets}"
            of = _bound(ledger.members, kind)
            found.append(Invariant(f"places of the {kind.name}", text, values, of))
        values = 1
        for part in parts:
            values *= (len(kind.rotations) // len(part.rotations)) ** len(part.rows)
        if values > 1:
            text = f"how each of the {kind.name} lies, as far as no turn changes it"
            of = _bound(ledger.lies, kind)
            found.append(Invariant(f"orientation of each of the {kind.name}", text, values, of))
    return (*found, *(_sum(ledger, character) for character in sums))


def _bound(
    function: Callable[[Kind, Arrangement], Hashable], kind: Kind
) -> Callable[[Arrangement], Hashable]:
    return lambda arrangement: function(kind, arrangement)


def _places(pieces: Pieces, part: Part) -> str:
    return " ".join(pieces.places[part.kind.places[row]].name for row in part.rows)


def _sum(ledger: Ledger, character: Character) -> Invariant:
    terms: dict[str, list[str]] = {}
    for entry, coefficient in zip(ledger.entries, character.coefficients, strict=True):
        if coefficient:
            times = f"{coefficient} times the " if coefficient > 1 else "the "
            what = "parity" if entry.twist is None else "flips" if entry.order == 2 else "twists"
            terms.setdefault(times + what, []).append(entry.part.name)
    said = [f"{what} of the {_joined(names)}" for what, names in terms.items()]
    text = " plus ".join(said)
    if character.modulus > 2 or len(said) > 1 or "parity" not in text:
        text += f", summed modulo {character.modulus}"
    return Invariant(
        " and ".join(term.removeprefix("the ") for term in said),
        text,
        character.modulus,
        lambda arrangement: character.of(ledger.vector(arrangement)),
    )


def _joined(names: list[str]) -> str:
    """Names in a row; pieces that are kinds of their own share the name before their place."""
    heads: dict[str, list[str]] = {}
    for name in names:
        head, _, rest = name.partition(" ")
        heads.setdefault(head, []).append(rest)
    parts = [f"{head} {' '.join(rests)}".strip() for head, rests in heads.items()]
    return " and ".join(parts)
