"""The structure of a puzzle: stickers in places, kinds of pieces, and turns that permute stickers.

Everything about places and orientations is derived from the turns: the places that a piece can
reach, and the orientations in which it can come back. A re-assembly puts any piece into any place
of its kind, in any of these orientations.

An *arrangement* is an array with one entry per slot, shape (slots,), int64: the slot from which its
sticker comes. A turn is an arrangement, too: ``state[turn]`` is the state after it.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from puzzles.kinds.orbits import orbit
from solver.errors import SolverError

Arrangement = NDArray[np.int64]
Rotation = tuple[int, ...]
"""The orientation of a piece in a place: position j shows the piece's sticker ``r[j]``."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place for a piece.

    Attributes:
        name: Its name, such as ``URF``.
        kind: Name of its kind of pieces: ``corners``.
        slots: Its stickers.
        frame: Whether its piece cannot be taken out: a re-assembly leaves it in a position that
            turns can produce.
    """

    name: str
    kind: str
    slots: tuple[int, ...]
    frame: bool = False


@dataclass(frozen=True, slots=True)
class PieceKind:
    """The places that a piece can reach.

    Attributes:
        name: ``corners``; ``wings 2`` if there are several such kinds.
        places: Numbers of its places.
        slots: The slots of each place, in the order that one piece keeps along some path from place
            to place, shape (places, stickers).
        rotations: The orientations in which a piece can come back to its place, the original one
            first.
        frame: Whether its pieces cannot be taken out.
    """

    name: str
    places: tuple[int, ...]
    slots: NDArray[np.int64]
    rotations: tuple[Rotation, ...]
    frame: bool


def _nothing(_arrangement: Arrangement) -> None:
    """Return nothing: the values of any two states can be compared."""


class Phrase(str):
    """A text in English, with the key and the values to say it in another language.

    Args:
        key: Its key among the phrases.
        template: The text in English, with placeholders.
        values: Values of the placeholders: texts, such as phrases, or tuples of names.
    """

    key: str
    values: Mapping[str, object]

    def __new__(cls, key: str, template: str, **values: object) -> "Phrase":
        """Return the text with its placeholders filled."""
        shown = {
            name: " and ".join(value) if isinstance(value, tuple) else value
            for name, value in values.items()
        }
        made = super().__new__(cls, template.format_map(shown))
        made.key, made.values = key, values
        return made


@dataclass(frozen=True, slots=True)
class Law:
    """An invariant of the turns that a source has named.

    Attributes:
        name: Its name.
        text: One sentence for a person.
        values: Number of its values if all other invariants are equal.
        of: Returns its value for an arrangement.
        said: Returns a value in a few letters.
        frees: Rearrangements that sums need not separate, because the law does.
        given: Returns what must be equal for the values of two states to be compared, if anything.
    """

    name: str
    text: str
    values: int
    of: Callable[[Arrangement], Hashable]
    said: Callable[[Hashable], str]
    frees: tuple[Arrangement, ...]
    given: Callable[[Arrangement], Hashable] = _nothing


def composed(one: Rotation, two: Rotation) -> Rotation:
    """Return the rotation of a piece with rotation ``one`` after a move with rotation ``two``."""
    return tuple(one[j] for j in two)


def inverted(rotation: Rotation) -> Rotation:
    """Return the inverse of a rotation."""
    return tuple(sorted(range(len(rotation)), key=rotation.__getitem__))


def closure(generators: Iterable[Rotation], size: int) -> tuple[Rotation, ...]:
    """Return all products of permutations of `size` things, the identity first."""
    steps = [itemgetter(*generator) for generator in set(generators)]
    return tuple(orbit(tuple(range(size)), steps)) if size > 1 else ((0,),)


def reached(
    places: Sequence[tuple[int, ...]], turns: Iterable[Arrangement]
) -> list[tuple[tuple[int, ...], NDArray[np.int64], tuple[Rotation, ...]]]:
    """Return where turns move the contents of places.

    Args:
        places: The slots of each place.
        turns: The turns.

    Returns:
        For each class of places that turns connect: their numbers, their slots in the order kept
        along a path from the first of them, and the rotations of a content that comes back.
    """
    place_of = {slot: number for number, slots in enumerate(places) for slot in slots}
    goes = [np.argsort(turn).tolist() for turn in turns]
    todo, classes = set(range(len(places))), []
    while todo:
        first = min(todo)
        order: dict[int, tuple[int, ...]] = {first: places[first]}
        loops = set[Rotation]()
        for number in (queue := [first]):
            for to in goes:
                moved = tuple(to[slot] for slot in order[number])
                there = place_of[moved[0]]
                if there not in order:
                    order[there] = moved
                    queue.append(there)
                loops.add(tuple(moved.index(slot) for slot in order[there]))
        numbers = tuple(sorted(order))
        rows = np.array([order[number] for number in numbers])
        classes.append((numbers, rows, closure(loops, rows.shape[1])))
        todo -= set(numbers)
    return classes


class Pieces:
    """Places, kinds and turns.

    Args:
        places: Every place that some turn moves.
        turns: The allowed turns, by name.
        colours: The colour of each slot when the puzzle is solved, including slots outside any
            place.
        shape: The turns that define the kinds, if only some of them are allowed; by default
            `turns`.
        holds: Number of orientations of the whole solved puzzle that turns alone can produce.
        laws: Invariants besides sums that have names.

    Raises:
        SolverError: A turn separates the stickers of a piece.
    """

    def __init__(
        self,
        places: Iterable[Place],
        turns: Mapping[str, Arrangement],
        colours: Sequence[str],
        *,
        shape: Iterable[Arrangement] | None = None,
        holds: int = 1,
        laws: tuple[Law, ...] = (),
    ) -> None:
        self.turns = dict(turns)
        self.shape = tuple(self.turns.values() if shape is None else shape)
        self.colours = tuple(colours)
        self.holds = holds
        self.laws = laws
        still = np.arange(len(self.colours))
        moved = {int(i) for turn in self.shape for i in np.flatnonzero(turn != still)}
        self.places = tuple(place for place in places if moved & set(place.slots))
        whole = {frozenset(place.slots) for place in self.places}
        for turn in self.shape:
            for place in self.places:
                if frozenset(turn[list(place.slots)].tolist()) not in whole:
                    raise SolverError(f"a turn would tear the piece {place.name} apart")

    @property
    def solved(self) -> Arrangement:
        """The arrangement with every sticker at home."""
        return np.arange(len(self.colours))

    @cached_property
    def kinds(self) -> tuple[PieceKind, ...]:
        """Return the kinds of pieces, those with few stickers first."""
        classes = reached([place.slots for place in self.places], self.shape)
        names = [self.places[numbers[0]].kind for numbers, _, _ in classes]
        found = []
        for at, (numbers, rows, rotations) in enumerate(classes):
            name = names[at]
            if len(numbers) == 1 and names.count(name) > 1:
                name = f"{name} {self.places[numbers[0]].name}"
            elif names.count(name) > 1:
                name = f"{name} {names[: at + 1].count(name)}"
            frame = self.places[numbers[0]].frame
            found.append(PieceKind(name, numbers, rows, rotations, frame))
        return tuple(sorted(found, key=lambda kind: kind.slots.shape[1]))

    def contents(
        self, kind: PieceKind, arrangement: Arrangement
    ) -> tuple[list[int], list[Rotation]]:
        """Return the piece in each place of a kind, by its index in the kind, and its rotation.

        Raises:
            SolverError: The arrangement is not a re-assembly of this puzzle.
        """
        home = {frozenset(row): number for number, row in enumerate(kind.slots.tolist())}
        pieces, rotations = [], []
        for row in kind.slots:
            shown = arrangement[row].tolist()
            piece = home.get(frozenset(shown))
            if piece is None:
                raise SolverError(f"one of the {kind.name} consists of several pieces")
            own = kind.slots[piece].tolist()
            rotation = tuple(own.index(slot) for slot in shown)
            if rotation not in kind.rotations:
                raise SolverError(
                    f"one of the {kind.name} has an orientation that no turn could give it"
                )
            pieces.append(piece)
            rotations.append(rotation)
        return pieces, rotations

    def reassembled(self, rng: np.random.Generator) -> Arrangement:
        """Return a uniformly random re-assembly; pieces of the frame stay."""
        state = self.solved
        for kind in self.kinds:
            if kind.frame:
                continue
            pieces = rng.permutation(len(kind.places))
            for row, piece in zip(kind.slots, pieces, strict=True):
                rotation = kind.rotations[int(rng.integers(len(kind.rotations)))]
                state[row] = kind.slots[piece][list(rotation)]
        return state

    def looks(self, arrangement: Arrangement) -> tuple[str, ...]:
        """Return the colours of an arrangement."""
        return tuple(self.colours[slot] for slot in arrangement)

    def arranged(self, looks: Sequence[str]) -> Arrangement:
        """Return an arrangement with these colours; pieces that look alike are taken in order.

        Raises:
            SolverError: These colours are not a re-assembly of this puzzle.
        """
        state = self.solved
        if len(looks) != len(state):
            raise SolverError(
                f"a state of this puzzle has {len(state)} stickers, but this text has "
                f"{len(looks)}; write it as the solved puzzle is written"
            )
        for kind in self.kinds:
            left = [tuple(self.colours[slot] for slot in row) for row in kind.slots]
            free = list(range(len(left)))
            for number, row in zip(kind.places, kind.slots, strict=True):
                shown = tuple(looks[slot] for slot in row)
                fits = (
                    (piece, rotation)
                    for piece in free
                    for rotation in kind.rotations
                    if tuple(left[piece][j] for j in rotation) == shown
                )
                piece, rotation = next(fits, (-1, ()))
                if piece < 0:
                    raise SolverError(
                        f"{self.places[number].name} shows {'-'.join(shown)}, which is none "
                        f"of the {kind.name} of this puzzle, or occurs a second time; check "
                        "it, and hold the puzzle as drawn"
                    )
                free.remove(piece)
                state[row] = kind.slots[piece][list(rotation)]
        if self.looks(state) != tuple(looks):
            raise SolverError(
                "a sticker that no turn moves has a different colour; hold the puzzle as drawn"
            )
        return state
