"""The face of each picture, and its rotation.

A placement says where in the pictures each facelet of the cube is found, and which picture's centre
has the colour of each face.

The assignment of stickers to facelets, by the laws of the cube, during the estimation of colours
and after it.

If pictures may be rotated, every face has four rotations, so there are 4096 placements. A place of
the cube touches at most three faces, so the sum of the cheapest pieces of all places, ignoring that
pieces may be used twice, bounds the cost of all 4096 from below in one look-up. Placements are then
examined exactly in the order of that bound, and most of them can be skipped. If the order of the
pictures is unknown as well, there are 30 arrangements of six faces that differ by more than a
rotation of the whole cube.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from cube.facelets import Facelets
from cube.laws import ORBITS
from cube.moves import FACES
from cube.pieces import CORNER_FACELETS, EDGE_FACELETS
from cube.written.face_mistakes import turned_faces
from vision.colours.scheme import facelets_of, labels_of
from vision.decoding.legal_search import arrangement_orbit, assign, cheapest_legal
from vision.decoding.piece_costs import piece_colours, piece_costs, piece_labels

Array = NDArray[np.float64]
Labels = NDArray[np.intp]


IN_ORDER = tuple(range(6))


@dataclass(frozen=True, slots=True, eq=False)
class Placement:
    """The positions of the facelets.

    Attributes:
        order: (6,) the picture, 0 to 5, of each face in URFDLB.
        turns: (6,) quarter turns clockwise that bring each face's picture upright.
        cells: (54,) the sticker, 9 · picture + cell, that shows each facelet.
        mirrored: The pictures are mirror images.
    """

    order: tuple[int, ...]
    turns: tuple[int, ...]
    cells: Labels
    mirrored: bool = False

    def to_cube(self, costs: Array) -> Array:
        """Map (stickers, colours) of pictures to (facelets, faces)."""
        return np.asarray(costs[self.cells][:, list(self.order)])

    def to_pictures(self, labels: Labels) -> Labels:
        """Map labels of the facelets to labels of the stickers."""
        placed = np.empty_like(labels)
        placed[self.cells] = np.array(self.order, dtype=np.intp)[labels]
        return placed

    def from_pictures(self, labels: Labels) -> Labels:
        """Map labels of the stickers to labels of the facelets."""
        return np.argsort(self.order)[labels[self.cells]]


@lru_cache(maxsize=8)
def upright_cells(turns: int, *, mirrored: bool) -> NDArray[np.intp]:
    """Return (9,) the cell of a picture for each cell of its face, after a clockwise rotation."""
    cells = np.rot90(np.arange(9).reshape(3, 3), -turns)
    upright = (cells[:, ::-1] if mirrored else cells).ravel()
    upright.setflags(write=False)  # the result is cached
    return upright


@lru_cache(maxsize=2)
def _turned_cells(mirrored: bool) -> NDArray[np.intp]:
    """Return (4, 9): `upright_cells` for all four rotations."""
    return np.array([upright_cells(turn, mirrored=mirrored) for turn in range(4)])


def make_placement(
    order: Sequence[int] = range(6), turns: Sequence[int] = (0,) * 6, *, mirrored: bool = False
) -> Placement:
    """Build a placement; by default every face is where the usual net has it."""
    cells = 9 * np.array(order)[:, None] + _turned_cells(mirrored)[list(turns)]
    return Placement(tuple(order), tuple(turns), cells.ravel(), mirrored)


def arrangements() -> tuple[tuple[int, ...], ...]:
    """Return the 30 different orders, with the first picture as U and the first possible F."""
    orders = []
    for down in range(1, 6):
        front, *others = (picture for picture in range(1, 6) if picture != down)
        for right, left, back in permutations(others):
            orders.append((0, right, front, down, left, back))
    return tuple(orders)


# Number of rotations examined exactly: during the estimation of colours, and at the end. The bound
# makes most of them unnecessary.
_MOST_QUICK, _MOST_LEGAL, _MOST_EXACT = 2, 4, 24
_UP, _DOWN = FACES.index("U"), FACES.index("D")


@dataclass(frozen=True, slots=True, eq=False)
class FaceLaw:
    """What is known about the faces that pictures show, and the laws of the cube with it.

    Attributes:
        orders: The possible orders of the pictures.
        turns: Quarter turns clockwise that bring each face's picture upright; None if every picture
            may be rotated in its plane.
        mirrored: Whether the pictures are mirror images.
        told: (54, 6) added to the costs of stickers and colours, for stickers that the user gave;
            or 0. Only for known turns.
    """

    orders: tuple[tuple[int, ...], ...] = (IN_ORDER,)
    turns: tuple[int, ...] | None = (0,) * 6
    mirrored: bool = False
    told: Array | float = 0.0

    @property
    def known_order(self) -> bool:
        """Whether each picture shows the face that it is named after."""
        return len(self.orders) == 1

    def cheapest_pieces(self, costs: Array) -> Labels:
        """See `vision.colours.colour_fit.Constraint`."""
        costs = costs + self.told
        found = []
        for number, (_, placement) in enumerate(self._by_bound(costs)):
            if number == _MOST_QUICK:
                break
            cost, corners, edges = assign(*piece_costs(placement.to_cube(costs)))
            found.append((cost, number, placement.to_pictures(piece_labels(corners, edges))))
        return min(found)[2]

    def cheapest_cube(self, costs: Array) -> Labels:
        """See `vision.colours.colour_fit.Constraint`."""
        _, placement, labels = self.placements(costs, 0.0, _MOST_LEGAL)[0]
        return placement.to_pictures(labels)

    def placements(
        self, costs: Array, window: float, most: int = _MOST_EXACT, limit: float = np.inf
    ) -> list[tuple[float, Placement, Labels]]:
        """Find the cheapest solvable cube of every placement near the cheapest of all.

        Args:
            costs: (54, 6) of the pictures.
            window: Maximum extra cost of a cube, nats.
            most: Maximum number of placements to examine.
            limit: Cubes that cost more than this and the window need not be found, nats.

        Returns:
            Cost, placement and labels of the facelets, the cheapest first; only placements with
            different cubes.
        """
        costs = costs + self.told
        solvable, others = [], []
        least = limit
        for number, (bound, placement) in enumerate(self._by_bound(costs)):
            if number >= most or bound > least + window:
                break
            cost, corners, edges = assign(*piece_costs(placement.to_cube(costs)))
            if arrangement_orbit(corners, edges) == ORBITS[0]:
                least = min(least, cost)
                solvable.append((cost, placement, piece_labels(corners, edges)))
            else:  # the cheapest solvable one costs more; computing how much takes long
                others.append((cost, number, placement))
        for cost, _, placement in sorted(others):
            if cost > least + window:
                break
            exact, corners, edges = cheapest_legal(*piece_costs(placement.to_cube(costs)))
            least = min(least, exact)
            solvable.append((exact, placement, piece_labels(corners, edges)))
        found: dict[bytes, tuple[float, Placement, Labels]] = {}
        for one in sorted(solvable, key=lambda one: one[0]):
            found.setdefault(one[2].tobytes(), one)
        return list(found.values())

    def least_cost(self, costs: Array, limit: float) -> float:
        """Return the cost of the cheapest solvable cube of all placements, nats, if below a limit.

        A closer limit is faster; above it, the result has no meaning beyond that.
        """
        found = self.placements(costs, 0.0, limit=limit)
        return found[0][0] if found else np.inf

    def same_colours(self, labels: Labels) -> list[Labels]:
        """Find all different solvable cubes with exactly these colours in some rotation.

        Args:
            labels: (54,) of the stickers of the pictures.

        Returns:
            Labels of the facelets, (54,) each.
        """
        if self.turns is not None:
            return [self._upright(self.turns).from_pictures(labels)]
        found: dict[Facelets, None] = {}
        for order in self.orders:
            shown = make_placement(order, mirrored=self.mirrored).from_pictures(labels)
            found |= dict.fromkeys(each.facelets for each in turned_faces(facelets_of(shown)))
        return [labels_of(facelets) for facelets in found]

    def least_bound(self, costs: Array) -> float:
        """Return a lower bound of the cost of all placements: the cheapest pieces of any orbit."""
        if self.turns is None:
            return float(_bounds(costs, self.orders, self.mirrored).min())
        placed = self._upright(self.turns).to_cube(costs + self.told)
        return assign(*piece_costs(placed))[0]

    def narrowed(self, costs: Array, most: int) -> "FaceLaw":
        """Keep the most promising orders of pictures that may be rotated."""
        bounds = _bounds(costs, self.orders, self.mirrored).min(axis=1)
        best = np.argsort(bounds, kind="stable")[:most]
        return replace(self, orders=tuple(self.orders[i] for i in best))

    def _upright(self, turns: tuple[int, ...]) -> Placement:
        """Return the placement if it is known."""
        return make_placement(self.orders[0], turns, mirrored=self.mirrored)

    def _by_bound(self, costs: Array) -> Iterator[tuple[float, Placement]]:
        """Yield the most promising placements with lower bounds of their costs, in that order."""
        if self.turns is not None:
            yield -np.inf, self._upright(self.turns)
            return
        bounds = _bounds(costs, self.orders, self.mirrored).ravel()
        near = np.sort(np.argpartition(bounds, _MOST_EXACT)[:_MOST_EXACT])
        for flat in near[np.argsort(bounds[near], kind="stable")]:
            which, turns = divmod(int(flat), 4096)
            quarters = tuple(int(turn) for turn in np.unravel_index(turns, (4,) * 6))
            placement = make_placement(self.orders[which], quarters, mirrored=self.mirrored)
            yield float(bounds[flat]), placement


def _bounds(costs: Array, orders: tuple[tuple[int, ...], ...], mirrored: bool) -> Array:
    """Return lower bounds of the cost for every order and rotation of the faces.

    The cheapest piece of a place depends on the rotations of its two or three faces only. The
    places that touch D are added up apart from the others, so that only the last sum has all axes.

    Returns:
        (orders, 4096), the rotation of the last face fastest.
    """
    flat = np.ascontiguousarray(costs).ravel()
    (one, two, three), edges = (flat[where] for where in _seen_pieces(orders, mirrored))
    corner = (one[:, :, None, None] + two[:, None, :, None] + three[:, None, None]).min(axis=0)
    edge = (edges[0][:, :, None] + edges[1][:, None]).min(axis=0)
    cheapest = np.concatenate(
        [np.moveaxis(each, -2, 0).reshape(len(orders), -1) for each in (corner, edge)], axis=1
    )
    others, with_down = (cheapest.take(where, axis=1).sum(axis=1) for where in _rotation_tables())
    sides = (4,) * 2  # R and F before D, L and B after it
    others = others.reshape(-1, 4, *sides, 1, *sides)
    return np.asarray(others + with_down.reshape(-1, 1, *sides, 4, *sides)).reshape(len(orders), -1)


def _places() -> Iterator[tuple[str, NDArray[np.intp], NDArray[np.intp]]]:
    """Return the facelets (places, m) of each kind, in the order of their faces, and the ranks."""
    for kind, places in (("corner", CORNER_FACELETS), ("edge", EDGE_FACELETS)):
        facelets = np.array(places)
        ranks = np.argsort(facelets, axis=1)
        yield kind, np.take_along_axis(facelets, ranks, axis=1), ranks


@lru_cache(maxsize=16)
def _seen_pieces(
    orders: tuple[tuple[int, ...], ...], mirrored: bool
) -> tuple[NDArray[np.intp], ...]:
    """Return where the costs of each piece are, flat in (54, 6), for corners and edges.

    Returns:
        Two of (m, 24 pieces and orientations, 4 rotations of the m-th face, orders, places).
    """
    order, cells, found = np.array(orders), _turned_cells(mirrored), []
    for kind, facelets, ranks in _places():
        stickers = 9 * order[:, facelets // 9] + cells[:, None, facelets % 9]
        colours = piece_colours(kind).reshape(-1, facelets.shape[1])[:, ranks]
        pictures = np.moveaxis(order[:, colours], (3, 1, 0, 2), (0, 1, 2, 3))[:, :, None]
        where = 6 * np.moveaxis(stickers, 3, 0)[:, None] + pictures
        found.append(np.ascontiguousarray(where))  # the last axes, the longest, must be next
    return tuple(found)


@lru_cache(maxsize=1)
def _rotation_tables() -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return where the cheapest pieces are for all rotations of five faces: without U, without D.

    Returns:
        (12, 1024) of the places that do not touch D, and (8, 1024) of those that do.
    """
    turns = np.array(np.unravel_index(np.arange(1024), (4,) * 5))
    others: list[NDArray[np.intp]] = []
    with_down: list[NDArray[np.intp]] = []
    start = 0
    for _, facelets, _ in _places():
        for place, faces in enumerate((facelets // 9).tolist()):
            spared = _UP if _DOWN in faces else _DOWN
            axes = [face - (face > spared) for face in faces]
            rotation = np.ravel_multi_index(list(turns[axes]), (4,) * len(faces))
            (with_down if _DOWN in faces else others).append(
                start + rotation * len(facelets) + place
            )
        start += facelets.shape[0] * 4 ** facelets.shape[1]
    return np.array(others), np.array(with_down)
