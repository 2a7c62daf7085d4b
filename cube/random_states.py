"""Random states, uniform over the cube group."""

import numpy as np

from cube.laws import ORBITS, Orbit, permutation_parity
from cube.state import CubeState


def random_state(rng: np.random.Generator, orbit: Orbit = ORBITS[0]) -> CubeState:
    """Draw a state uniformly from one orbit, by default from the solvable cubes.

    Every permutation and orientation is drawn freely. Then the last edge's flip, the last corner's
    twist and a swap of two edges restore the invariants: each state of the orbit has the same
    number of pre-images, so the draw is uniform over 8! 3^7 12! 2^10 states (S3).
    """
    corners = rng.permutation(8).tolist()
    edges = rng.permutation(12).tolist()
    parity = permutation_parity(tuple(corners)) ^ permutation_parity(tuple(edges))
    if parity != orbit.parity:
        edges[0], edges[1] = edges[1], edges[0]
    twists = rng.integers(0, 3, 7).tolist()
    flips = rng.integers(0, 2, 11).tolist()
    twists.append((orbit.corner_twist - sum(twists)) % 3)
    flips.append((orbit.edge_flip - sum(flips)) % 2)
    return CubeState(tuple(corners), tuple(twists), tuple(edges), tuple(flips))
