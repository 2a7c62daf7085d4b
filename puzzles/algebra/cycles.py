"""The cycles in which a word carries the pieces of a puzzle, with their twists.

A cycle is written by the stickers: ``(UF UR)`` carries the edge UF to UR, its sticker on U to U.
Where it does not come back as it was, that is said: in ``(UF UR ↺ FU)`` the sticker that was on U
is on F after the way round.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import lcm

import numpy as np

from puzzles.kinds.pieces import Arrangement, PieceKind, Pieces, Place, Rotation, closure


@dataclass(frozen=True, slots=True)
class Cycle:
    """Pieces of a kind that go to each other's places, or one that is turned where it is.

    Attributes:
        places: Their places by number, in the order in which a piece passes them.
        names: The same, letters in the order of the first place's stickers.
        slots: The stickers of the first piece on its way, in that order.
        twist: How the stickers lie after the way round; the unchanged order when none is turned.
        back: The first place's name after the way round.
    """

    places: tuple[int, ...]
    names: tuple[str, ...]
    slots: tuple[tuple[int, ...], ...]
    twist: Rotation
    back: str

    @property
    def twist_order(self) -> int:
        """After so many ways round the pieces lie as at first."""
        return len(closure([self.twist], len(self.twist)))

    @property
    def order(self) -> int:
        """After so many times the pieces are back and lie as at first."""
        return len(self.places) * self.twist_order

    def __str__(self) -> str:
        turned = f" ↺ {self.back}" if self.twist_order > 1 else ""
        return f"({' '.join(self.names)}{turned})"


@dataclass(frozen=True, slots=True)
class KindCycles:
    """What a word does to the pieces of one kind.

    Attributes:
        name: What they are called.
        count: How many there are.
        cycles: Those in which something changes, the longest first.
    """

    name: str
    count: int
    cycles: tuple[Cycle, ...]

    @property
    def sign(self) -> int:
        """1 when an even number of swaps does it, else -1."""
        return 1 - 2 * (sum(len(cycle.places) - 1 for cycle in self.cycles) % 2)

    @property
    def order(self) -> int:
        """After so many times all are as at first."""
        return lcm(*(cycle.order for cycle in self.cycles))

    @property
    def cycle_type(self) -> tuple[tuple[int, int], ...]:
        """Length and order of the twist of each cycle; conjugate words have the same."""
        return tuple(sorted((len(c.places), c.twist_order) for c in self.cycles))[::-1]


class Element:
    """What a word does, as an element of the group of a puzzle.

    Args:
        pieces: The puzzle.
        arrangement: The word's effect on the solved puzzle.
    """

    def __init__(self, pieces: Pieces, arrangement: Arrangement) -> None:
        self.pieces = pieces
        self.arrangement = arrangement

    @cached_property
    def kinds(self) -> tuple[KindCycles, ...]:
        """The cycles of each kind of piece, corners before edges as the puzzle names them."""
        goes = np.argsort(self.arrangement).tolist()
        ordered = sorted(self.pieces.kinds, key=lambda kind: kind.places)
        return tuple(_cycled(self.pieces, kind, goes) for kind in ordered)

    @property
    def order(self) -> int:
        """After so many times every piece is as at first."""
        return lcm(*(kind.order for kind in self.kinds))

    @cached_property
    def order_seen(self) -> int:
        """After so many times the colours are as at first; pieces that look alike may not be."""
        order, colours = self.order, np.unique(self.pieces.colours, return_inverse=True)[1]
        for prime in _primes(order):
            while order % prime == 0:
                power = self.power(order // prime)
                if (colours[power] != colours).any():
                    break
                order //= prime
        return order

    def power(self, exponent: int) -> Arrangement:
        """What the word does when it is made so many times."""
        done, base = self.pieces.solved, self.arrangement
        while exponent:
            if exponent % 2:
                done = done[base]
            base, exponent = base[base], exponent // 2
        return done

    @property
    def sign(self) -> int:
        """The product of the signs of all kinds: S3's ε."""
        return int(np.prod([kind.sign for kind in self.kinds]))


class Names:
    """What the places of a kind are called, each sticker by a letter of its own.

    Where places share a name, as the wings of a cube of side 4 do, each sticker is told by its
    face and its number there, row by row: ``U14-F2``.

    Args:
        pieces: The puzzle.
        kind: The kind.
    """

    def __init__(self, pieces: Pieces, kind: PieceKind) -> None:
        places = [pieces.places[number] for number in kind.places]
        names = [place.name for place in places]
        self._places = dict(zip(kind.places, names, strict=True))
        self._letters: dict[int, str] = {}
        self._between = ""
        if len(set(names)) < len(names):
            labels = _numbered(pieces.colours)
            self._letters = {slot: labels[slot] for place in places for slot in place.slots}
            self._between = "-"
            self._places = {n: self.of(pieces.places[n].slots) or "" for n in kind.places}
        elif all(len(place.name) == len(place.slots) for place in places):
            self._letters = {s: x for p in places for s, x in _lettered(p, pieces.colours)}

    def of(self, slots: Sequence[int]) -> str | None:
        """The name that says where each sticker is; None when only places have names."""
        if not self._letters:
            return None
        return self._between.join(self._letters[slot] for slot in slots)

    def place(self, number: int) -> str:
        """The name of a place."""
        return self._places[number]


def _lettered(place: Place, colours: Sequence[str]) -> list[tuple[int, str]]:
    """A letter for each sticker of a place that has as many letters."""
    own = [colours[slot] for slot in place.slots]
    letters = own if sorted(own) == sorted(place.name) else list(place.name)
    return list(zip(place.slots, letters, strict=True))


def _numbered(colours: Sequence[str]) -> list[str]:
    """Each sticker by its face and its number there, from 1."""
    found: list[str] = []
    counts: dict[str, int] = {}
    for colour in colours:
        counts[colour] = counts.get(colour, 0) + 1
        found.append(f"{colour}{counts[colour]}")
    return found


def _cycled(pieces: Pieces, kind: PieceKind, goes: Sequence[int]) -> KindCycles:
    place_of = {slot: n for n in kind.places for slot in pieces.places[n].slots}
    names, seen, found = Names(pieces, kind), set[int](), list[Cycle]()
    for number in kind.places:
        if number in seen:
            continue
        home = pieces.places[number].slots
        places, slots, here = [number], [home], tuple(goes[slot] for slot in home)
        while place_of[here[0]] != number:
            places.append(place_of[here[0]])
            slots.append(here)
            here = tuple(goes[slot] for slot in here)
        seen |= set(places)
        twist = tuple(home.index(slot) for slot in here)
        if len(places) == 1 and here == home:
            continue
        told = tuple(names.of(row) or names.place(n) for n, row in zip(places, slots, strict=True))
        back = names.of(here) or _turned_text(pieces, here)
        found.append(Cycle(tuple(places), told, tuple(slots), twist, back))
    ordered = sorted(found, key=lambda cycle: -len(cycle.places))
    return KindCycles(kind.name, len(kind.places), tuple(ordered))


def _turned_text(pieces: Pieces, slots: Sequence[int]) -> str:
    """Where the first sticker of a piece is that has fewer letters than stickers: an arrow's."""
    return pieces.colours[slots[0]]


def _primes(number: int) -> list[int]:
    """The prime factors of a number, each once."""
    found, factor = [], 2
    while factor * factor <= number:
        if number % factor == 0:
            found.append(factor)
            while number % factor == 0:
                number //= factor
        factor += 1
    return found + [number] * (number > 1)
