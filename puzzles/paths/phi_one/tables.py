"""Tables of S3's Φ1: exact distances of the corners, and sets of all states near the solved one."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cube.state import SOLVED
from puzzles.paths.phi_one import coordinates
from puzzles.paths.phi_one.coordinates import TURNS
from solver.table_files import Arrays
from solver.tables import Progress, TableSet

if TYPE_CHECKING:
    from puzzles.paths.kernels.phi_one import Maps

FAR_BITS, NEAR_BITS = 32, 28
"""Sizes of the two sets, as powers of two: 537 MB and 34 MB."""
_CORNER_DEPTHS = 12
_SHARES = 64
"""Parts in which the larger set is filled; told for the progress alone."""


def turns_after() -> NDArray[np.int64]:
    """Bit sets of the turns that may follow each turn, and of all at the end.

    No two turns of a face follow each other, and of two opposite faces the first one goes first.
    """
    faces = np.array(TURNS) // 3
    before, after = faces[:, None], faces[None, :]
    allowed = (before != after) & (before != after + 3)
    allowed = np.concatenate([allowed, np.ones((1, len(TURNS)), bool)])
    sets: NDArray[np.int64] = (allowed.astype(np.int64) << np.arange(len(TURNS))).sum(axis=1)
    return sets


def maps_of(arrays: Arrays) -> "Maps":
    """What turns and symmetries do, out of the tables."""
    from puzzles.paths.kernels.phi_one import Maps

    return Maps(**{name: arrays[name] for name in Maps._fields})


def number_maps() -> dict[str, NDArray[np.uint16] | NDArray[np.uint8]]:
    """What turns and symmetries make of the five numbers, by the names of ``Maps``."""
    still = [(0, 0)] * len(coordinates.turn_images())
    permutations_by = coordinates.permutation_moves()
    twists_by = coordinates.twist_moves()
    as_they_are = coordinates.images(permutations_by, still)
    leading = as_they_are == as_they_are.min(axis=0)
    powers = 1 << np.arange(len(leading))
    masks = coordinates.set_masks()
    sets = np.zeros(1 << 12, np.uint16)
    sets[masks] = np.arange(len(masks))
    return {
        "permutations_by": permutations_by,
        "twists_by": twists_by,
        "layers_by": coordinates.layer_moves(),
        "twists_as": coordinates.images(twists_by, still),
        "layers_as": coordinates.layer_images(),
        "swaps": coordinates.swaps(),
        "least": as_they_are.min(axis=0),
        "leading": (leading * powers[:, None]).sum(axis=0).astype(np.uint16),
        "first": leading.argmax(axis=0).astype(np.uint8),
        "masks": masks.astype(np.uint16),
        "sets": sets,
    }


def _build(progress: Progress) -> Arrays:
    progress(0.0)
    made: dict[str, NDArray[np.uint16] | NDArray[np.uint8]] = {**number_maps()}
    for array in made.values():
        array.flags.writeable = False
    made["corners"] = _corners(made, progress)
    return {**made, **_sets(maps_of(made), progress)}


def _corners(made: Arrays, progress: Progress) -> NDArray[np.uint8]:
    from puzzles.paths.kernels.phi_one import UNREACHED, pack_pairs, spread_corners

    permutations_by, twists_by = made["permutations_by"], made["twists_by"]
    distances = np.full(len(permutations_by) * len(twists_by), UNREACHED, np.uint8)
    distances[0], depth = 0, 0
    while spread_corners(distances, depth, permutations_by, twists_by):
        depth += 1
        progress(0.1 * min(1.0, depth / _CORNER_DEPTHS))
    packed = np.empty(len(distances) // 2, np.uint8)
    pack_pairs(distances, packed)
    return packed


def _sets(maps: "Maps", progress: Progress) -> dict[str, NDArray[np.uint8]]:
    from puzzles.paths.kernels.phi_one import FAR, NEAR, mark

    near = np.zeros(1 << NEAR_BITS - 3, np.uint8)
    layers, allowed = layers_of_keys(maps, NEAR), turns_after()
    for keys in layers:
        mark(keys, 0, allowed, near, NEAR_BITS, maps)
    progress(0.2)
    far = np.zeros(1 << FAR_BITS - 3, np.uint8)
    for keys in layers[:-1]:
        mark(keys, 0, allowed, far, FAR_BITS, maps)
    parts = np.array_split(layers[-1], _SHARES)
    for number, keys in enumerate(parts):
        mark(keys, FAR - NEAR, allowed, far, FAR_BITS, maps)
        progress(0.2 + 0.8 * (number + 1) / _SHARES)
    return {"near": near, "far": far}


def layers_of_keys(maps: "Maps", depth: int) -> list[NDArray[np.uint64]]:
    """Sorted keys of all states up to so many turns from the solved one, but for symmetries."""
    from puzzles.paths.kernels.phi_one import grow

    home = coordinates.state_numbers(SOLVED)
    layers = [np.array([_key(home)], np.uint64)]
    for _ in range(depth):
        grown = np.empty(len(layers[-1]) * len(TURNS), np.uint64)
        grow(layers[-1], grown, maps)
        grown.sort()
        new = np.ones(len(grown), bool)
        np.not_equal(grown[1:], grown[:-1], out=new[1:])
        grown = grown[new]
        for known in layers[-2:]:
            at = np.minimum(np.searchsorted(known, grown), len(known) - 1)
            grown = grown[known[at] != grown]
        layers.append(grown)
    return layers


def _key(numbers: list[int]) -> int:
    """The key of a state that no symmetry makes less, such as the solved one."""
    from puzzles.paths.kernels.phi_one import LAYERS, ORDERS, TWISTS

    permutation, twist, s, m, e = numbers
    return (((permutation * TWISTS + twist) * LAYERS + s) * LAYERS + m) * ORDERS + e % ORDERS


PHI_ONE_TABLE_SET = TableSet("phi1", 3, _build, mapped=("far",))
