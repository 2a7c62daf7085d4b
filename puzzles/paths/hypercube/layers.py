"""The 3×3×3×3 as three layers across its fourth axis, each with the stickers of a 3×3×3 cube.

The outer layers are the cells A and K, seen without their own stickers; the middle one has no cell.
A turn of another cell about the fourth axis turns a face of all three cubes. A turn of A or K
rotates the outer cube as a whole.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cube.errors import InvalidCubeError
from cube.facelets import Facelets
from cube.laws import orbit_of, permutation_parity
from cube.moves import ALL_MOVES, FACES
from cube.pieces import CENTRE_FACELETS
from cube.state import SOLVED, CubeState, move_states
from puzzles.groups.words import Alphabet
from puzzles.kinds.box import Box
from puzzles.kinds.hypercube import CELLS, Hypercube
from puzzles.kinds.pieces import Arrangement

AXIS = 3
"""The axis across the layers."""
OUTER = (1, -1)
LAYERS = (1, 0, -1)
"""The layers, by their place on that axis."""
ENDS = "AK"
Centres = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LayerCube:
    """A layer as a 3×3×3 cube.

    Attributes:
        state: The cube as it looks relative to its centres.
        centres: The colours of these, in the order of the faces.
    """

    state: CubeState
    centres: Centres


@dataclass(frozen=True)
class CellLayers:
    """The layers of a puzzle.

    Attributes:
        puzzle: The puzzle.
        alphabet: Its turns.
    """

    puzzle: Hypercube
    alphabet: Alphabet

    @cached_property
    def facelets(self) -> dict[int, NDArray[np.int64]]:
        """Return, for each layer, the slots of its cube's facelets, shape (54,)."""
        numbers = {sticker: number for number, sticker in enumerate(self.puzzle.stickers)}
        found = {}
        for layer in LAYERS:
            slots = []
            for face, (x, y, z) in Box(3, 3, 3).stickers:
                cubie = (x - 1, y - 1, z - 1, layer)
                slots.append(numbers[cubie, CELLS.index(face) % 4])
            found[layer] = np.array(slots)
        return found

    @cached_property
    def keeping(self) -> tuple[int, ...]:
        """Return the letters of the turns that keep the stickers of the axis there."""
        inside = np.isin(self.puzzle.pieces.colours, list(ENDS))
        letters = enumerate(self.alphabet.letters)
        return tuple(number for number, turn in letters if (inside[turn] == inside).all())

    @cached_property
    def faces(self) -> dict[str, int]:
        """Return the letters of the turns about the axis, by the move of all three cubes."""
        moves = dict(zip(move_states(), ALL_MOVES, strict=True))
        found = {}
        for letter in self.keeping:
            if str(self.alphabet.turns[letter].layer) not in ENDS:
                cube = self.cube(self.alphabet.letters[letter], 0)
                if cube is not None and cube.state in moves:
                    found[str(moves[cube.state])] = letter
        return found

    @cached_property
    def rotations(self) -> dict[int, dict[Centres, int]]:
        """Return the letters of the turns of both ends, by the centres of their cubes after it."""
        return {
            layer: {
                self._centres(self.alphabet.letters[letter], layer): letter
                for letter in self.keeping
                if str(self.alphabet.turns[letter].layer) == end
            }
            for layer, end in zip(OUTER, ENDS, strict=True)
        }

    def cube(self, arrangement: Arrangement, layer: int) -> LayerCube | None:
        """Return a layer of an arrangement as a cube; None if it is not one."""
        colours = self.puzzle.pieces.colours
        shown = [str(colours[slot]) for slot in arrangement[self.facelets[layer]]]
        centres = self._centres(arrangement, layer)
        names = dict(zip(centres, FACES, strict=True))
        if sorted(names) != sorted(FACES) or not set(shown) <= set(names):
            return None
        try:
            text = "".join(names[colour] for colour in shown)
            return LayerCube(CubeState.from_facelets(Facelets(text)), centres)
        except InvalidCubeError:
            return None

    def _centres(self, arrangement: Arrangement, layer: int) -> Centres:
        slots = self.facelets[layer][list(CENTRE_FACELETS)]
        return tuple(str(self.puzzle.pieces.colours[slot]) for slot in arrangement[slots])

    def rotation(self, axis: int) -> Arrangement:
        """Return the rotation of the whole puzzle that brings an axis across the layers."""
        matrix = np.eye(AXIS + 1, dtype=np.int64)
        if axis != AXIS:
            matrix[[axis, AXIS]] = matrix[[AXIS, axis]]
            matrix[axis] *= -1  # without this, it would be a reflection
        stickers = self.puzzle.stickers
        numbers = {sticker: number for number, sticker in enumerate(stickers)}
        found = np.arange(len(stickers))
        for number, (cubie, own) in enumerate(stickers):
            there = tuple((matrix @ cubie).tolist())
            found[numbers[there, int(np.flatnonzero(matrix[:, own])[0])]] = number
        return found

    def solvable(self, arrangement: Arrangement) -> bool:
        """Return whether turns about the axis and of the outer cells can solve an arrangement."""
        parities = set()
        for layer in LAYERS:
            cube = self.cube(arrangement, layer)
            if cube is None or orbit_of(cube.state) != orbit_of(SOLVED):
                return False
            if layer and cube.centres not in self.rotations[layer] and cube.centres != tuple(FACES):
                return False
            parities.add(permutation_parity(cube.state.corner_permutation))
        return len(parities) == 1
