"""The cycles of a word's permutation of a puzzle's pieces, with their twists.

A cycle is written with stickers: ``(UF UR)`` moves the edge UF to UR, its sticker on U to U. If a
piece comes back twisted, this is shown: in ``(UF UR ↺ FU)`` the sticker that was on U is on F after
one round.

Every permutation is a product of swaps, and of three-cycles if it is even (S3, problem 3); factors
are applied from left to right, like moves.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import lcm

import numpy as np

from puzzles.kinds.pieces import Arrangement, PieceKind, Pieces, Place, Rotation, closure

Swap = tuple[int, int]
ThreeCycle = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Cycle:
    """Pieces of a kind that move to each other's places, or one that is twisted in place.

    Attributes:
        places: The numbers of their places, in the order in which a piece passes them.
        names: Their names, letters in the order of the first place's stickers.
        slots: The stickers of the first piece along the cycle, in that order.
        twist: The arrangement of the stickers after one round; the identity if none is twisted.
        back: The first place's name after one round.
    """

    places: tuple[int, ...]
    names: tuple[str, ...]
    slots: tuple[tuple[int, ...], ...]
    twist: Rotation
    back: str

    @property
    def twist_order(self) -> int:
        """Number of rounds after which the pieces have their original orientation."""
        return len(closure([self.twist], len(self.twist)))

    @property
    def order(self) -> int:
        """Number of repetitions after which the pieces are back in their original orientation."""
        return len(self.places) * self.twist_order

    def __str__(self) -> str:
        turned = f" ↺ {self.back}" if self.twist_order > 1 else ""
        return f"({' '.join(self.names)}{turned})"


@dataclass(frozen=True, slots=True)
class KindCycles:
    """The effect of a word on the pieces of one kind.

    Attributes:
        name: Name of the kind.
        count: Number of pieces.
        cycles: Cycles with a change, the longest first.
    """

    name: str
    count: int
    cycles: tuple[Cycle, ...]

    @property
    def sign(self) -> int:
        """Return 1 for an even permutation, else -1."""
        return 1 - 2 * (sum(len(cycle.places) - 1 for cycle in self.cycles) % 2)

    @property
    def order(self) -> int:
        """Return the number of repetitions that restores all pieces."""
        return lcm(*(cycle.order for cycle in self.cycles))


class Element:
    """The effect of a word, as an element of a puzzle's group.

    Args:
        pieces: The puzzle.
        arrangement: The word's effect on the solved puzzle.
    """

    def __init__(self, pieces: Pieces, arrangement: Arrangement) -> None:
        self.pieces = pieces
        self.arrangement = arrangement

    @cached_property
    def kinds(self) -> tuple[KindCycles, ...]:
        """Return the cycles of each kind of piece, in the puzzle's order of kinds."""
        goes = np.argsort(self.arrangement).tolist()
        ordered = sorted(self.pieces.kinds, key=lambda kind: kind.places)
        return tuple(_cycled(self.pieces, kind, goes) for kind in ordered)

    @property
    def order(self) -> int:
        """Return the number of repetitions that restores every piece."""
        return lcm(*(kind.order for kind in self.kinds))

    @cached_property
    def order_seen(self) -> int:
        """Return the number of repetitions that restores the colours; alike pieces may differ."""
        order, colours = self.order, np.unique(self.pieces.colours, return_inverse=True)[1]
        for prime in _primes(order):
            while order % prime == 0:
                power = self.power(order // prime)
                if (colours[power] != colours).any():
                    break
                order //= prime
        return order

    def power(self, exponent: int) -> Arrangement:
        """Return the effect of repeating the word."""
        done, base = self.pieces.solved, self.arrangement
        while exponent:
            if exponent % 2:
                done = done[base]
            base, exponent = base[base], exponent // 2
        return done

    @property
    def sign(self) -> int:
        """Return the product of the signs of all kinds: S3's ε."""
        return int(np.prod([kind.sign for kind in self.kinds]))


class Names:
    """The names of a kind's places, with a letter for each sticker.

    If places share a name, like the wings of a cube of side 4, each sticker is named by its face
    and its number there, row by row: ``U14-F2``.
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
        """Return the name with the position of each sticker; None if only places have names."""
        if not self._letters:
            return None
        return self._between.join(self._letters[slot] for slot in slots)

    def place(self, number: int) -> str:
        """Return the name of a place."""
        return self._places[number]


def _lettered(place: Place, colours: Sequence[str]) -> list[tuple[int, str]]:
    """Return a letter for each sticker of a place with as many letters."""
    own = [colours[slot] for slot in place.slots]
    letters = own if sorted(own) == sorted(place.name) else list(place.name)
    return list(zip(place.slots, letters, strict=True))


def _numbered(colours: Sequence[str]) -> list[str]:
    """Return each sticker by its face and its number there, from 1."""
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
        # a piece with few letters, such as an arrow: the position of its first sticker
        back = names.of(here) or pieces.colours[here[0]]
        found.append(Cycle(tuple(places), told, tuple(slots), twist, back))
    ordered = sorted(found, key=lambda cycle: -len(cycle.places))
    return KindCycles(kind.name, len(kind.places), tuple(ordered))


def _primes(number: int) -> list[int]:
    """Return the prime factors of a number, each once."""
    found, factor = [], 2
    while factor * factor <= number:
        if number % factor == 0:
            found.append(factor)
            while number % factor == 0:
                number //= factor
        factor += 1
    return found + [number] * (number > 1)


@dataclass(frozen=True, slots=True)
class ThreeCycles:
    """A permutation as three-cycles.

    Attributes:
        cycles: The three-cycles, in the order of application.
        swap: The rest of an odd permutation, applied last; None for an even one.
    """

    cycles: tuple[ThreeCycle, ...]
    swap: Swap | None


def swaps(cycles: Iterable[Sequence[int]]) -> tuple[Swap, ...]:
    """Return cycles as swaps of two places: (a b c) is (a b), then (a c).

    Args:
        cycles: Disjoint cycles: the content of each place goes to the next, of the last to the
            first.
    """
    return tuple((cycle[0], other) for cycle in cycles for other in cycle[1:])


def three_cycles(cycles: Iterable[Sequence[int]]) -> ThreeCycles:
    """Return cycles as three-cycles, with one swap left if the permutation is odd.

    A cycle of odd length is (a b c), (a d e) and so on. One of even length leaves a swap, and two
    swaps are two three-cycles: (a b)(c d) is (a b c), then (c a d).

    Args:
        cycles: See `swaps`.
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
