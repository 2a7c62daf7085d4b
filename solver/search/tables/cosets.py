"""Coordinates that all 48 symmetries preserve, for the optimal search.

Each coordinate is a coset: the places of one tetrad's corners with the twists, and the slice of the
edge at each place with the flips. A corner in its own tetrad that looks as after half turns of the
whole cube is untwisted seen from any axis, and so is an edge in its own slice.
"""

from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from solver import coordinates
from solver.breadth_first import UNREACHED
from solver.cubies import (
    MOVES,
    Cubies,
    allowed_turns,
    move_cubies,
    symmetries,
    symmetry_inverses,
    symmetry_products,
)
from solver.kernels.optimal import layout
from solver.kernels.slots import set_slots
from solver.search.tables.symmetry_coordinates import Table
from solver.table_files import Arrays
from solver.tables import Progress, TableSet

TETRAD = (0, 2, 5, 7)
"""Four corners of which no two share an edge; the places and the corners there."""
SLICE_OF_EDGE = np.array([1, 0, 1, 0, 1, 0, 1, 0, 2, 2, 2, 2])
"""S, M and E slices: 1, 0, 2."""
_HALF, _WORDS = 6, 3**6


def tetrad_numbers() -> Table:
    """Return the number of each set of four places as bits; the tetrad's own is 0, others -1."""
    return coordinates.subset_numbers(8, TETRAD)


@cache
def slicing_ranks() -> tuple[Table, Table, Table]:
    """Return the slicings, and the two parts of their numbers.

    Returns:
        The slice of the edge at each place, (34650, 12); by the slices at the first six places in
        base 3, first place lowest, a summand of the number, (729,); the other one by the slices at
        the last six places.
    """
    words = np.array(list(product(range(3), repeat=_HALF)))[:, ::-1]  # first place lowest
    counts = np.stack([(words == kind).sum(axis=1) for kind in range(3)], axis=1)
    low, high = np.zeros(_WORDS, dtype=np.uint16), np.zeros(_WORDS, dtype=np.uint16)
    groups: dict[bytes, list[int]] = {}
    for word, count in enumerate(counts):
        members = groups.setdefault(count.tobytes(), [])
        low[word] = len(members)
        members.append(word)
    rows, number = [], 0
    for word, count in enumerate(counts):
        members = groups.get((4 - count).tobytes(), [])
        high[word] = number
        number += len(members)
        rows.append(np.hstack([words[members], np.tile(words[word], (len(members), 1))]))
    return np.concatenate(rows), low, high


def rank_slicings(rows: Table) -> Table:
    """Return the numbers of slicings given as rows of twelve."""
    _, low, high = slicing_ranks()
    powers = 3 ** np.arange(_HALF)
    return low[rows[:, :_HALF] @ powers].astype(np.int64) + high[rows[:, _HALF:] @ powers]


@cache
def tetrad_rows() -> Table:
    """Return corners with each set of places of the tetrad, in the order of the numbers."""
    masks = coordinates.subset_masks(8, TETRAD)
    inside = (masks[:, None] >> np.arange(8) & 1).astype(bool)
    others = [corner for corner in range(8) if corner not in TETRAD]
    rows = np.empty((len(masks), 8), dtype=np.int64)
    rows[inside] = np.tile(TETRAD, len(masks))
    rows[~inside] = np.tile(others, len(masks))
    return rows


def rank_tetrads(corners: Table) -> Table:
    """Return the number of the tetrad's places for each row of corners."""
    masks = (np.isin(corners, TETRAD) << np.arange(8)).sum(axis=1)
    return np.asarray(tetrad_numbers()[masks], dtype=np.int64)


def _corners_seen() -> Table:
    """Return tetrad * 2187 + twist seen through each symmetry, int32 (153090, 48)."""
    corners = np.repeat(tetrad_rows(), layout.TWISTS, axis=0)
    twists = np.tile(coordinates.orientation_rows(3, 8), (layout.TETRADS, 1))
    still, columns = symmetries()[0], []
    cubies = Cubies(corners, twists, still.edges, still.flips)
    for number, symmetry in enumerate(symmetries()):
        seen = symmetry * cubies * symmetries()[symmetry_inverses()[number]]
        twist = coordinates.rank_orientations(seen.twists, 3)
        columns.append((rank_tetrads(seen.corners) * layout.TWISTS + twist).astype(np.int32))
    return np.stack(columns, axis=1)


def _corner_classes() -> tuple[Table, Table, Table]:
    """Return entries as in `coset.corner_entry`, representatives and own symmetries as bits."""
    seen = _corners_seen()
    representatives, classes = np.unique(seen.min(axis=1), return_inverse=True)
    own = seen[representatives] == representatives[:, None]
    selves = (own.astype(np.uint64) << np.arange(48, dtype=np.uint64)).sum(axis=1)
    several = selves[classes] != 1
    entries = classes << 7 | several << 6 | seen.argmin(axis=1)
    return entries.astype(np.uint32), representatives, selves


def _slicings_seen() -> Table:
    """Return slicing 16 | change of the flips 11 through each symmetry, uint32 (34650, 48)."""
    rows = slicing_ranks()[0]
    some_edge = np.array([1, 0, 8])  # of each slice
    columns = []
    for number, symmetry in enumerate(symmetries()):
        back = symmetries()[symmetry_inverses()[number]]
        before = rows[:, back.edges]
        renamed = SLICE_OF_EDGE[symmetry.edges[some_edge]]
        change = (symmetry.flips[some_edge][before] + back.flips) % 2
        columns.append(rank_slicings(renamed[before]) | _rank_flips(change) << 16)
    return np.stack(columns, axis=1).astype(np.uint32)


def _rank_flips(rows: Table) -> Table:
    return coordinates.rank_orientations(rows, 2)


def _flips_seen() -> Table:
    """Return the flips at the places that a symmetry exchanges, uint16 (48, 2048)."""
    rows = coordinates.orientation_rows(2, 12)
    backs = [symmetries()[number].edges for number in symmetry_inverses()]
    return np.stack([_rank_flips(rows[:, edges]) for edges in backs]).astype(np.uint16)


def _parts() -> tuple[Table, Table, Table]:
    """Return the places of each slice's edges, slice * 495 + number.

    Returns:
        By slicing and slice, uint16 (34650, 3); turned, (1485, 18); seen, (1485, 48).
    """
    rows = slicing_ranks()[0]
    numbers = coordinates.subset_numbers(12, (0, 1, 2, 3))
    places = np.arange(12)
    parts = np.stack(
        [495 * kind + numbers[((rows == kind) << places).sum(axis=1)] for kind in range(3)], axis=1
    )
    parts = parts.astype(np.int64)
    some = np.zeros((layout.PLACES_OF_SLICES, 2), dtype=np.int64)  # a slicing with each part
    for kind in range(3):
        some[parts[:, kind]] = np.stack([np.arange(len(rows)), np.full(len(rows), kind)], axis=1)
    moved = np.stack([rank_slicings(rows[:, m.edges]) for m in move_cubies()], axis=1)
    turned = parts[moved[some[:, 0]], some[:, 1:]]
    seen = _slicings_seen()[some[:, 0]] & 0xFFFF
    renamed = np.stack([SLICE_OF_EDGE[s.edges[[1, 0, 8]]] for s in symmetries()], axis=1)
    return parts, turned, parts[seen, renamed[some[:, 1]]]


def _part_distances(entries: Table, representatives: Table, selves: Table) -> tuple[Table, Table]:
    """Return `_parts` by slicing, and the distance of each class with each part, uint8."""
    parts, turned, seen = _parts()
    tetrads, twists = np.divmod(representatives, layout.TWISTS)
    moved = tetrad_moves()[tetrads].astype(np.int64) * layout.TWISTS
    moved = entries[moved + coordinates.twist_moves()[twists]]
    size = layout.PLACES_OF_SLICES
    distances = np.full(len(representatives) * size, UNREACHED, dtype=np.uint8)
    several = np.flatnonzero(selves != 1)
    goal, depth = entries[0] >> 7, 0
    frontier = goal * size + parts[rank_slicings(SLICE_OF_EDGE[None])[0]].astype(np.int64)
    while len(frontier):
        distances[frontier] = depth
        depth += 1
        classes, part = np.divmod(frontier, size)
        for turn in range(MOVES):
            found = moved[classes, turn].astype(np.int64)
            there = (found >> 7) * size + seen[turned[part, turn], found & 63]
            distances[there[distances[there] == UNREACHED]] = depth
        for cls in several:
            row = distances[cls * size : (cls + 1) * size]
            new = np.flatnonzero(row == depth)
            for symmetry in np.flatnonzero(int(selves[cls]) >> np.arange(48) & 1):
                row[seen[new, symmetry]] = depth
        frontier = np.flatnonzero(distances == depth)
    return parts, distances


@cache
def tetrad_moves() -> Table:
    """Return the effect of turns on the places of the tetrad's corners, uint8 (70, 18)."""
    rows = tetrad_rows()
    columns = [rank_tetrads(rows[:, m.corners]) for m in move_cubies()]
    return np.stack(columns, axis=1).astype(np.uint8)


def _turned_places() -> tuple[Table, Table]:
    """Return the fields that each turn moves, uint32 (18, 8), and the masks of the others.

    A field is: shift to its place 8 | shift from its place 8 | change of the orientation. The first
    four are corners.
    """
    fields, kept = [], []
    for cubies in move_cubies():
        for pieces, change in ((cubies.corners, cubies.twists), (cubies.edges, cubies.flips << 4)):
            places = np.flatnonzero(pieces != np.arange(len(pieces)))
            fields.append(5 * places | 5 * pieces[places] << 8 | change[places] << 16)
            still = np.setdiff1d(np.arange(len(pieces)), places)
            kept.append(sum(31 << 5 * int(place) for place in still))
    fields_ = np.concatenate(fields).reshape(MOVES, 8).astype(np.uint32)
    return fields_, np.array(kept, dtype=np.int64).reshape(MOVES, 2)


def _piece_summands() -> tuple[Table, Table]:
    """Return what a piece at a place adds to the inverse cube's coordinates, by place and field.

    Corners: twist 16 | place of a corner of the tetrad 8. Edges: slicing 10, 10 | flips 11.
    """
    corners = np.zeros((8, 32), dtype=np.uint32)
    edges = np.zeros((12, 32), dtype=np.uint32)
    for place, piece, twist in product(range(8), range(8), range(3)):
        power = 3 ** (6 - piece) if piece < 7 else 0
        summand = (-twist % 3) * power | (place in TETRAD) << 16 + piece
        corners[place, piece | twist << 3] = summand
    for place, piece, flip in product(range(12), range(12), range(2)):
        half, power = divmod(piece, _HALF)
        summand = int(SLICE_OF_EDGE[place]) * 3**power << 10 * half
        flips = flip << 10 - piece if piece < 11 else 0
        edges[place, piece | flip << 4] = summand | flips << 20
    return corners, edges


def _twisted() -> Table:
    """Return a corner's field after a twist, uint8 (3, 32)."""
    fields = np.arange(32)
    return np.stack([fields & 7 | ((fields >> 3) + twist) % 3 << 3 for twist in range(3)]).astype(
        np.uint8
    )


def _near_filter(tables: Arrays) -> Table:
    """Return the filter of the states within a few turns, uint8."""
    from solver.kernels.machine_code import machine_function

    bits = np.zeros(1 << layout.NEAR_BITS - 3, dtype=np.uint8)
    context = np.zeros(layout.CONTEXT_SLOTS, dtype=np.int64)
    set_slots(context, {layout.TABLES.index(name): array for name, array in tables.items()})
    set_slots(context, {layout.NEAR_FILTER: bits})
    corners, edges = piece_words(symmetries()[0].row()[None])
    fill = machine_function("optimal.marking", "fill_near_filter")
    fill(context.ctypes.data, int(corners[0]), int(edges[0]))
    return bits


def piece_words(rows: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the words of corners and edges for the kernels, (n, 40) to (n,) each.

    Args:
        rows: In the form of `Cubies.row`.
    """
    cubies = Cubies.of_rows(rows)
    corners = (cubies.corners | cubies.twists << 3) << 5 * np.arange(8)
    edges = (cubies.edges | cubies.flips << 4) << 5 * np.arange(12)
    return corners.sum(axis=1), edges.sum(axis=1)


def _build(progress: Progress) -> Arrays:
    entries, representatives, selves = _corner_classes()
    progress(0.3)
    parts, distances = _part_distances(entries, representatives, selves)
    progress(0.9)
    rows, low, high = slicing_ranks()
    slicing_moves = np.stack([rank_slicings(rows[:, m.edges]) for m in move_cubies()], axis=1)
    turned, kept = _turned_places()
    corners, edges = _piece_summands()
    tables = {
        "twist_moves": coordinates.twist_moves().astype(np.uint16),
        "flip_moves": coordinates.flip_moves().astype(np.uint16),
        "slicing_moves": slicing_moves.astype(np.uint16),
        "tetrad_moves": tetrad_moves(),
        "corner_classes": entries,
        "slicings_seen": _slicings_seen(),
        "flips_seen": _flips_seen(),
        "parts": parts.astype(np.uint16),
        "part_distances": distances,
        "turned_places": turned,
        "kept_places": kept,
        "twisted": _twisted(),
        "corner_pieces": corners,
        "edge_pieces": edges,
        "tetrad_numbers": tetrad_numbers().astype(np.uint8),
        "slicing_low": low,
        "slicing_high": high,
        "own_symmetries": selves,
        "products": symmetry_products().astype(np.uint8),
        "followers": allowed_turns(),
    }
    return {**tables, "near_filter": _near_filter(tables)}


COSET_TABLE_SET = TableSet("cosets", 1, _build)
