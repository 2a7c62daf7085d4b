"""The invariants of a puzzle, found from the pieces and the turns alone (S3).

Four kinds of invariants, in this order: the pieces in each set of places; a piece's orientation, as
far as turns never change it; sums of signs and twists; and, if these do not separate all orbits,
the coset of the turns' group.

The movements of kinds in the frame may depend on each other: in a 1×1×3 box the middle piece is
turned whenever the ends are. So the possible positions of the whole frame are counted together, by
the group of the turns on all its stickers. Two of its pieces that look alike may be interchanged
only if turns can exchange them without changing the rest of the frame.
"""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import reduce
from math import factorial
from typing import Any

from puzzles.groups.ledger import Ledger, PlaceOrbit
from puzzles.groups.unchanged_sums import Character
from puzzles.kinds.pieces import Arrangement, Phrase, PieceKind, Pieces


@dataclass(frozen=True, slots=True)
class Invariant:
    """Something that turns do not change.

    Attributes:
        name: A few words.
        text: One sentence for a person.
        values: Number of its values over all re-assemblies.
        of: Returns its value for an arrangement.
        said: Returns a value for people and programs: a number, or a few names.
        given: Returns what must be equal for the values of two states to be compared: the pieces
            in a set of places, if the invariant concerns only these.
    """

    name: str
    text: str
    values: int
    of: Callable[[Arrangement], Hashable]
    said: Callable[[Any], int | str]
    given: Callable[[Arrangement], Hashable] = lambda _: None


def invariants_of(ledger: Ledger, sums: Iterable[Character]) -> tuple[Invariant, ...]:
    """Return all invariants but the last kind."""
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
            told = {"kind": (kind.name,), "sets": sets}
            text = Phrase(
                "places", "which of the {kind} are in which of these sets of places: {sets}", **told
            )
            name = Phrase("places_name", "places of the {kind}", kind=(kind.name,))
            of = _bound(ledger.members, kind)
            said = _members_said(ledger.pieces, kind)
            found.append(Invariant(name, text, values, of, said))
        values = 1
        for part in parts:
            values *= (len(kind.rotations) // len(part.rotations)) ** len(part.rows)
        if values > 1:
            text = Phrase(
                "orientation",
                "the orientation of each of the {kind}, as far as no turn changes it",
                kind=(kind.name,),
            )
            of = _bound(ledger.lies, kind)
            said = _lies_said(ledger, kind)
            name = Phrase(
                "orientation_name", "orientation of each of the {kind}", kind=(kind.name,)
            )
            found.append(Invariant(name, text, values, of, said))
    return (*found, *(_sum(ledger, *told) for told in ledger.told(sums)))


def _bound(
    function: Callable[[PieceKind, Arrangement], Hashable], kind: PieceKind
) -> Callable[[Arrangement], Hashable]:
    return lambda arrangement: function(kind, arrangement)


def _members_said(pieces: Pieces, kind: PieceKind) -> Callable[[Any], str]:
    """Describe the pieces in each set of places by their names."""
    names = [pieces.places[number].name for number in kind.places]

    def said(value: tuple[tuple[int, ...], ...]) -> str:
        return " | ".join(" ".join(names[piece] for piece in part) for part in value)

    return said


def _lies_said(ledger: Ledger, kind: PieceKind) -> Callable[[Any], str]:
    """Describe the pieces with another orientation, with a number if there are several."""
    names = [ledger.pieces.places[number].name for number in kind.places]
    solved = ledger.lies(kind, ledger.pieces.solved)
    many = max(
        len(kind.rotations) // len(part.rotations) for part in ledger.parts if part.kind is kind
    )

    def said(value: tuple[int, ...]) -> str:
        turned = []
        for name, here, home in zip(names, value, solved, strict=True):
            if other := (here - home) % many:
                turned.append(f"{name}:{other}" if many > 2 else name)
        return " ".join(turned) or Phrase("as_solved", "all as in the solved puzzle")

    return said


def _places(pieces: Pieces, part: PlaceOrbit) -> str:
    return " ".join(pieces.places[part.kind.places[row]].name for row in part.rows)


def _sum(ledger: Ledger, character: Character, values: int) -> Invariant:
    """Return a sum as an invariant.

    The signs of all parts of a kind together are the sign of the kind, also if pieces have moved
    from part to part. Other sums over parts depend on which pieces these parts have.
    """
    whole = [kind for kind in ledger.pieces.kinds if _is_whole(ledger, character, kind)]
    parted = [
        kind
        for kind in ledger.pieces.kinds
        if kind not in whole and _is_parted(ledger, character, kind)
    ]
    terms: dict[tuple[int, str], list[str]] = {}
    for entry, coefficient in zip(ledger.entries, character.coefficients, strict=True):
        if coefficient:
            what = "parity" if entry.twist is None else "flips" if entry.order == 2 else "twists"
            own = entry.twist is None and entry.part.kind in whole
            name = entry.part.kind.name if own else entry.part.name
            if name not in (known := terms.setdefault((coefficient, what), [])):
                known.append(name)
    said = [_term(*term, _joined(names)) for term, names in terms.items()]
    name, text = reduce(_and, (name for name, _ in said)), reduce(_plus, (text for _, text in said))
    if character.modulus > 2 or len(said) > 1 or "parity" not in text:
        summed = "{text}, summed modulo {modulus}"
        text = Phrase("summed", summed, text=text, modulus=character.modulus)
    if parted:
        between = "{text} (between states with the same pieces in these places)"
        text = Phrase("between", between, text=text)
    return Invariant(
        name,
        text,
        values,
        lambda arrangement: character.of(ledger.vector(arrangement, whole)),
        int,
        lambda arrangement: tuple(ledger.members(kind, arrangement) for kind in parted),
    )


def _is_whole(ledger: Ledger, character: Character, kind: PieceKind) -> bool:
    """Return whether a sum has the signs of all parts of a kind alike, and nothing else of it."""
    own = [
        (entry.twist is None, coefficient)
        for entry, coefficient in zip(ledger.entries, character.coefficients, strict=True)
        if entry.part.kind is kind and (coefficient or entry.twist is None)
    ]
    return len(set(own)) == 1 and own[0][0] and own[0][1] > 0


def _is_parted(ledger: Ledger, character: Character, kind: PieceKind) -> bool:
    """Return whether a sum concerns a part of a kind."""
    return any(
        coefficient and entry.part.kind is kind and len(entry.part.rows) < len(kind.places)
        for entry, coefficient in zip(ledger.entries, character.coefficients, strict=True)
    )


def _term(times: int, what: str, kinds: tuple[str, ...]) -> tuple[Phrase, Phrase]:
    """Return the name and the text of a part of a sum."""
    if times > 1:
        template = f"{{times}} times the {what} of the {{kinds}}"
        text = Phrase(f"{what}_times", template, times=times, kinds=kinds)
        return text, text
    name = Phrase(f"{what}_name", f"{what} of the {{kinds}}", kinds=kinds)
    return name, Phrase(what, f"the {what} of the {{kinds}}", kinds=kinds)


def _and(first: Phrase, then: Phrase) -> Phrase:
    return Phrase("and", "{first} and {then}", first=first, then=then)


def _plus(first: Phrase, then: Phrase) -> Phrase:
    return Phrase("plus", "{first} plus {then}", first=first, then=then)


def _joined(names: list[str]) -> tuple[str, ...]:
    """Join names; pieces that are each a kind share the name before their place."""
    heads: dict[str, list[str]] = {}
    for name in names:
        head, _, rest = name.partition(" ")
        heads.setdefault(head, []).append(rest)
    return tuple(f"{head} {' '.join(rests)}".strip() for head, rests in heads.items())
