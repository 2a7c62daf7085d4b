"""The codes of a hypercube while its pieces come to their layers, and what turns do to them.

A code is the place of an outer face, or one byte of a mask: which places of edges, or of corners,
hold pieces of A, and which corners of the middle cube are mirrored.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from puzzles.kinds.pieces import Arrangement
from puzzles.paths.hypercube.layers import AXIS, ENDS, CellLayers
from puzzles.paths.kernels.layers import CODES, CORNERS_AT, EDGES_AT, PLACES, SIX, LayerMaps
from puzzles.paths.stages import Codes

_BYTE = 256

Cubie = tuple[int, ...]


@dataclass(frozen=True)
class LayerCodes:
    """The pieces of a puzzle in its layers, and their codes.

    Attributes:
        layers: The layers.
    """

    layers: CellLayers

    @cached_property
    def outer(self) -> tuple[tuple[Cubie, ...], ...]:
        """Return the places of faces, edges and corners in the outer layers, those of A first."""
        found = []
        for coloured in (2, 3, 4):
            half = [
                (*place, 1)
                for place in product((1, 0, -1), repeat=AXIS)
                if _sides(place) == coloured - 1
            ]
            found.append((*half, *((*place[:AXIS], -1) for place in half)))
        return tuple(found)

    @cached_property
    def middle(self) -> tuple[Cubie, ...]:
        """Return the places of the middle cube's corners."""
        return tuple((*place, 0) for place in product((1, -1), repeat=AXIS))

    @cached_property
    def _slots(self) -> dict[tuple[Cubie, int], int]:
        return {sticker: slot for slot, sticker in enumerate(self.layers.puzzle.stickers)}

    def homes(self, arrangement: Arrangement, places: tuple[Cubie, ...]) -> list[Cubie]:
        """Return where the pieces in some places belong."""
        stickers = self.layers.puzzle.stickers
        found = []
        for place in places:
            axis = next(axis for axis in range(AXIS, -1, -1) if place[axis])
            found.append(stickers[int(arrangement[self._slots[place, axis]])][0])
        return found

    def codes(self, arrangement: Arrangement) -> Codes:
        """Return the codes of an arrangement, shape (codes,)."""
        faces, edges, corners = (self.homes(arrangement, places) for places in self.outer)
        where = [faces.index(home) for home in self.outer[0]]
        edge_mask, corner_mask = (
            sum(1 << at for at, home in enumerate(homes) if home[AXIS] > 0)
            for homes in (edges, corners)
        )
        corner_mask |= self.mirrored(arrangement) << len(corners)
        masks = (edge_mask, corner_mask)
        return np.array(
            [*where, *(mask >> shift & (_BYTE - 1) for mask in masks for shift in (0, 8, 16))],
            np.uint8,
        )

    def mirrored(self, arrangement: Arrangement) -> int:
        """Return which corners of the middle cube are mirrored, one bit each."""
        stickers, mask = self.layers.puzzle.stickers, 0
        for at, place in enumerate(self.middle):
            shown = [stickers[int(arrangement[self._slots[place, axis]])] for axis in range(AXIS)]
            order = [axis for _, axis in shown]
            swaps = sum(order[i] > order[j] for i in range(AXIS) for j in range(i + 1, AXIS))
            sides = [np.prod(cubie[:AXIS]) for cubie in (shown[0][0], place)]
            mask |= (swaps % 2 ^ (sides[0] != sides[1])) << at
        return mask

    def maps(self) -> LayerMaps:
        """Return what turns do; without the distances."""
        layers = self.layers
        solved = np.arange(len(layers.puzzle.stickers))
        turns = [layers.alphabet.letters[letter] for letter in layers.keeping]
        moves = np.zeros((CODES, _BYTE, len(turns)), np.int32)
        places = np.zeros((len(turns), PLACES), np.uint8)
        for number, turn in enumerate(turns):
            for kind, (all_places, first) in enumerate(
                zip(self.outer, (0, EDGES_AT, CORNERS_AT), strict=True)
            ):
                homes = self.homes(turn, all_places)
                goes = [homes.index(place) for place in all_places]
                if kind == 0:
                    places[number] = goes
                else:
                    _permuted(moves[first:, :, number], goes)
            flips, homes = self.mirrored(solved[turn]), self.homes(turn, self.middle)
            bits = _bits([homes.index(place) for place in self.middle])
            moves[CODES - 1, :, number] = (bits ^ flips) << 16
        for part in range(EDGES_AT):
            factor = PLACES ** (SIX - 1 - part % SIX)
            moves[part, :PLACES] = places.T.astype(np.int32) * factor
        none = np.zeros(0, np.uint8)
        salts = np.random.default_rng(3).integers(0, 1 << 62, (CODES, _BYTE))
        alike = np.zeros((len(ENDS), 0), np.int16)
        return LayerMaps(moves, places, alike, none, none, none, self._allowed(), salts)

    def _allowed(self) -> NDArray[np.bool_]:
        """Return which turns are useful after each; the last row is for none."""
        alphabet, letters = self.layers.alphabet, self.layers.keeping
        may = np.ones((len(letters) + 1, len(letters)), bool)
        for row, one in enumerate(letters):
            for column, two in enumerate(letters):
                a, b = alphabet.letters[one], alphabet.letters[two]
                same = alphabet.turns[one].layer == alphabet.turns[two].layer
                may[row, column] = not same and (column > row or bool((a[b] != b[a]).any()))
        return may

    def rotated(self) -> list[list[int]]:
        """Return how the rotations of a cell permute its faces."""
        places = self.outer[0][:SIX]
        letters = [self.layers.alphabet.letters[n] for n in self.layers.rotations[1].values()]
        found = [self.homes(turn, places) for turn in letters]
        return [[places.index(home) for home in homes] for homes in (list(places), *found)]


def _sides(place: tuple[int, ...]) -> int:
    return sum(map(bool, place))


def _bits(goes: list[int]) -> NDArray[np.int32]:
    """Return each byte with its bits at other places, shape (256,)."""
    bits = np.arange(_BYTE, dtype=np.int32)
    found = np.zeros_like(bits)
    for at, to in enumerate(goes):
        found |= (bits >> at & 1) << to
    return found


def _permuted(moves: NDArray[np.int32], goes: list[int]) -> None:
    """Write what each byte of a mask contributes to it, shape (bytes, 256)."""
    for part in range(len(goes) // 8):
        moves[part] = _bits(goes[8 * part : 8 * part + 8])
