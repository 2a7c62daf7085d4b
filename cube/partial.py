"""States with unknown stickers, and the states that fit them.

A place with unknown stickers may hold several pieces. Which of them are possible together is
counted over sets of pieces, place by place, with the sum of the orientations and the sign of the
permutation. So the number of solvable states that fit is exact, and random ones are uniform.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from cube.errors import InvalidCubeError
from cube.facelets import Facelets, facelet_name
from cube.moves import FACES
from cube.pieces import CENTRE_FACELETS, CORNER_FACELETS, CORNERS, EDGE_FACELETS, EDGES
from cube.state import CubeState

UNKNOWN = "?"

Options = NDArray[np.bool_]
_Piece = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PartialFacelets:
    """The 54 stickers of a cube in Kociemba's order, some of them unknown.

    Attributes:
        text: Letters of faces, as in `Facelets`, and ``?`` for unknown.

    Raises:
        InvalidCubeError: Wrong length, another letter, or a wrong centre.
    """

    text: str

    def __post_init__(self) -> None:
        known = "".join(
            FACES[i // 9] if letter == UNKNOWN else letter for i, letter in enumerate(self.text)
        )
        Facelets(known)
        for face, i in zip(FACES, CENTRE_FACELETS, strict=True):
            if known[i] != face:
                raise InvalidCubeError(
                    f"the centre {facelet_name(i)} must be {face} or {UNKNOWN}, not {known[i]}: "
                    "turns do not move the centres"
                )

    def fits(self, facelets: Facelets) -> bool:
        """Return whether a state shows every known sticker."""
        pairs = zip(self.text, facelets.text, strict=True)
        return all(wanted in {UNKNOWN, shown} for wanted, shown in pairs)

    @property
    def corner_options(self) -> Options:
        """Which corner may be where: shape (8 places, 8 pieces, 3 twists)."""
        return self._options(CORNER_FACELETS, CORNERS)

    @property
    def edge_options(self) -> Options:
        """Which edge may be where: shape (12 places, 12 pieces, 2 flips)."""
        return self._options(EDGE_FACELETS, EDGES)

    def _options(self, places: tuple[tuple[int, ...], ...], pieces: tuple[str, ...]) -> Options:
        turns = len(pieces[0])
        options = np.ones((len(places), len(pieces), turns), dtype=np.bool_)
        for at, facelets in enumerate(places):
            for which, piece in enumerate(pieces):
                for turn in range(turns):
                    shown = (piece[(k - turn) % turns] for k in range(turns))
                    wanted = (self.text[facelet] for facelet in facelets)
                    fits = all(a in {UNKNOWN, b} for a, b in zip(wanted, shown, strict=True))
                    options[at, which, turn] = fits
        return options

    def __str__(self) -> str:
        return self.text


class FittingStates:
    """The solvable states that fit a partial one.

    Args:
        partial: The partial state.

    Attributes:
        count: Their number.

    Raises:
        InvalidCubeError: There is none.
    """

    def __init__(self, partial: PartialFacelets) -> None:
        self._corners = _Filling(partial.corner_options)
        self._edges = _Filling(partial.edge_options)
        self._by_sign = [self._corners.count(sign) * self._edges.count(sign) for sign in range(2)]
        self.count = sum(self._by_sign)
        if not self.count:
            raise InvalidCubeError(_why_none(partial, self._corners, self._edges))

    def random(self, rng: np.random.Generator) -> CubeState:
        """Draw one, each with the same probability."""
        number = int.from_bytes(rng.bytes(16), "little") % self.count  # may exceed 64 bits
        sign = int(number >= self._by_sign[0])
        return _state(self._corners.random(sign, rng), self._edges.random(sign, rng))

    def __iter__(self) -> Iterator[CubeState]:
        """Yield all of them."""
        for sign in range(2):
            edges = list(self._edges.all(sign)) if self._by_sign[sign] else []
            for corners in self._corners.all(sign) if edges else ():
                yield from (_state(corners, found) for found in edges)


def _state(corners: list[_Piece], edges: list[_Piece]) -> CubeState:
    return CubeState(
        *(tuple(part) for part in zip(*corners, strict=True)),
        *(tuple(part) for part in zip(*edges, strict=True)),
    )


def _why_none(partial: PartialFacelets, corners: "_Filling", edges: "_Filling") -> str:
    """Say why no solvable state fits."""
    names, options = (*CORNERS, *EDGES), (*partial.corner_options, *partial.edge_options)
    for name, possible in zip(names, options, strict=True):
        if not possible.any():
            return f"no piece has the stickers that the target wants at {name}"
    for kind, filling in (("corners", corners), ("edges", edges)):
        if not filling.total:
            return f"the target needs more of some {kind} than a cube has"
    return (
        "turns cannot make the target: whatever is at its unknown stickers, a corner is twisted, "
        "an edge is flipped, or two pieces are swapped"
    )


class _Filling:
    """The arrangements of the pieces of one kind whose orientations add up to 0.

    Args:
        options: Which piece may be where, shape (places, pieces, orientations).
    """

    def __init__(self, options: Options) -> None:
        count, _, turns = options.shape
        self._options = options
        sets = np.arange(1 << count)
        sizes = np.array([int(each).bit_count() for each in sets])
        # [set of pieces in the first places, orientation and sign that are still needed]
        self._ways = np.zeros((1 << count, turns, 2), dtype=np.int64)
        self._ways[-1, 0, 0] = 1
        for at in reversed(range(count)):
            used = sets[sizes == at]
            for piece, turn in np.argwhere(options[at]).tolist():
                free = used[used >> piece & 1 == 0]
                later = np.roll(self._ways[free | 1 << piece], turn, axis=1)
                odd = np.bitwise_count(free >> piece + 1)[:, None, None] & 1
                self._ways[free] += np.where(odd, later[:, :, ::-1], later)

    @property
    def total(self) -> int:
        """The number of arrangements, with any orientations and any sign."""
        return int(self._ways[0].sum())

    def count(self, sign: int) -> int:
        """Return their number: 0 for even permutations, 1 for odd ones."""
        return int(self._ways[0, 0, sign])

    def _next(self, used: int, at: int, need: int, sign: int) -> Iterator[tuple[int, _Piece]]:
        """Yield each piece that may come next, with the number of arrangements that follow."""
        for piece, turn in np.argwhere(self._options[at]).tolist():
            if not used >> piece & 1:
                rest, odd = (need - turn) % self._ways.shape[1], _odd(used, piece)
                yield int(self._ways[used | 1 << piece, rest, sign ^ odd]), (piece, turn)

    def random(self, sign: int, rng: np.random.Generator) -> list[_Piece]:
        """Draw one of a sign: piece and orientation at each place."""
        found: list[_Piece] = []
        used = need = 0
        for at in range(len(self._options)):
            counts, pieces = zip(*self._next(used, at, need, sign), strict=True)
            number = int(rng.integers(sum(counts)))
            piece, turn = pieces[bisect_right(list(accumulate(counts)), number)]
            found.append((piece, turn))
            sign ^= _odd(used, piece)
            used, need = used | 1 << piece, (need - turn) % self._ways.shape[1]
        return found

    def all(self, sign: int, used: int = 0, need: int = 0) -> Iterator[list[_Piece]]:
        """Yield all of a sign."""
        at = used.bit_count()
        if at == len(self._options):
            yield []
            return
        for count, (piece, turn) in self._next(used, at, need, sign):
            if count:
                rest = (need - turn) % self._ways.shape[1]
                below = self.all(sign ^ _odd(used, piece), used | 1 << piece, rest)
                yield from ([(piece, turn), *later] for later in below)


def _odd(used: int, piece: int) -> int:
    """Return whether an odd number of the pieces in a set have a higher number than a piece."""
    return (used >> piece + 1).bit_count() & 1
