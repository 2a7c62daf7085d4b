"""The last stage: shortest words of two neighbouring faces, by exact distances of both orbits."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from puzzles.groups.words import Word
from puzzles.kinds.pieces import Arrangement
from puzzles.paths.frames import PieceOrbit
from puzzles.paths.kernels.few_faces import FewMaps
from puzzles.paths.stages import StageTurns
from solver.kernels.memory import make_read_only
from solver.table_files import Arrays
from solver.tables import Progress, TableSet, TableStore

_VERSION = 1
_LONGEST = 60

Looks = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Numbering:
    """All contents of some slots that turns produce, with their numbers.

    Attributes:
        slots: The slots.
        labels: The label of each sticker of the puzzle.
        looks: The contents, shape (numbers, slots); the first are those when solved.
        turned: The new number for each number and turn, shape (numbers, turns).
    """

    slots: NDArray[np.int64]
    labels: Looks
    looks: Looks
    turned: NDArray[np.uint32]

    def number(self, arrangement: Arrangement) -> int:
        """Return the number of an arrangement, or -1 if turns do not produce it."""
        look = self.labels[arrangement[self.slots]]
        found = np.flatnonzero((self.looks == look).all(axis=1))
        return int(found[0]) if len(found) else -1


def numbering(turns: Sequence[Arrangement], slots: NDArray[np.int64], labels: Looks) -> Numbering:
    """Number the contents of slots, by breadth-first search.

    Args:
        turns: The effects of the turns, which keep the slots together.
        slots: The slots.
        labels: The label of each sticker of the puzzle.
    """
    where = np.full(len(labels), -1)
    where[slots] = np.arange(len(slots))
    effects = [where[turn[slots]] for turn in turns]
    salt = np.random.default_rng(7).integers(1, 1 << 62, len(slots))
    layer = labels[slots][None]
    layers, hashes = [layer], [layer.astype(np.int64) @ salt]
    while len(layer):  # a turn's inverse is a turn: only the last two layers are near
        grown = np.concatenate([layer[:, effect] for effect in effects])
        keys, first = np.unique(grown.astype(np.int64) @ salt, return_index=True)
        new = ~np.isin(keys, np.concatenate(hashes[-2:]))
        layer = grown[first[new]]
        layers.append(layer)
        hashes.append(keys[new])
    looks, known = np.concatenate(layers), np.concatenate(hashes)
    order = np.argsort(known)
    turned = np.empty((len(looks), len(turns)), np.uint32)
    for turn, effect in enumerate(effects):
        keys = looks[:, effect].astype(np.int64) @ salt
        turned[:, turn] = order[np.searchsorted(known, keys, sorter=order)]
    return Numbering(slots, labels, looks, turned)


@dataclass(frozen=True, slots=True)
class FewFaces:
    """Shortest words of two faces.

    Attributes:
        letters: The letters of the turns.
        numberings: The numbers of a position: places, orientations, places of the other orbit.
        maps: What the search needs.
    """

    letters: tuple[int, ...]
    numberings: tuple[Numbering, Numbering, Numbering]
    maps: FewMaps

    def nearest(self, starts: Sequence[Arrangement], lengths: Sequence[int]) -> Word | None:
        """Return the number of a start, and then the letters of a word that solves it.

        It is the one for which the start's length and that of the word are the least together.
        The result is None if two faces can solve none of them.

        Args:
            starts: Arrangements.
            lengths: The length of each one's path so far.
        """
        from puzzles.paths.kernels.few_faces import descend

        ids = [np.array([each.number(start) for each in self.numberings]) for start in starts]
        make_read_only(*ids)
        rest = np.ones(len(starts[0]), bool)
        for each in self.numberings:
            rest[each.slots] = False
        still = [(start == np.arange(len(start)))[rest].all() for start in starts]
        good = [n for n, own in enumerate(ids) if still[n] and own.min() >= 0]
        word = np.empty(_LONGEST, np.int64)
        for total in range(min(lengths), max(lengths) + _LONGEST if good else 0):
            for n in good:
                depth = total - lengths[n]
                if not 0 <= depth < _LONGEST:
                    continue
                if descend(ids[n], depth, self.maps, word):
                    return (n, *(self.letters[turn] for turn in word[:depth].tolist()))
        return None


def few_faces(turns: StageTurns, orbits: Sequence[PieceOrbit], store: TableStore) -> FewFaces:
    """Return the search for two faces; its table is made if none is stored.

    Args:
        turns: The turns of these faces.
        orbits: The edges and the corners; the edges keep their orientation.
        store: The storage of the table.
    """
    effects = [turns.alphabet.letters[letter] for letter in turns.letters]
    edges, corners = orbits
    moved = np.any([effect != np.arange(len(effect)) for effect in effects], axis=0)
    made = []
    for orbit, place, sticker in ((corners, 1, 0), (corners, 0, 1), (edges, 2, 1)):
        rows = orbit.slots[moved[orbit.slots[:, 0]]]
        labels = np.zeros(len(moved), np.uint8)
        numbers, stickers = np.indices(rows.shape)
        labels[rows] = place * numbers + sticker * stickers + 1
        made.append(numbering(effects, rows.ravel(), labels))
    places, twists, others = made

    def build(_progress: Progress) -> Arrays:
        return {"far": _spread(places.turned, twists.turned)}

    digest = hashlib.sha256(np.stack(effects).tobytes()).hexdigest()
    far = store.obtain(TableSet(f"faces-{digest[:16]}", _VERSION, build)).arrays["far"]
    still = np.zeros((1, len(effects)), np.uint32)
    others_far = _spread(others.turned, still)
    maps = FewMaps(places.turned, twists.turned, others.turned, far, others_far, turns.allowed())
    make_read_only(*maps)
    return FewFaces(turns.letters, (places, twists, others), maps)


def _spread(one: NDArray[np.uint32], two: NDArray[np.uint32]) -> Looks:
    """Return the distances of pairs of numbers."""
    from puzzles.paths.kernels.few_faces import spread_pairs

    size = len(one) * len(two)
    far = np.empty(size, np.uint8)
    make_read_only(one, two)
    spread_pairs(one, two, far, np.empty(size, np.uint32))
    return far
