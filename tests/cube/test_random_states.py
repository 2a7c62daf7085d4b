"""Random re-assemblies: nothing that can be put together is left out."""

import numpy as np

from cube.random_states import random_reassembly


def test_every_piece_comes_to_every_place_in_every_way() -> None:
    rng = np.random.default_rng(1)
    drawn = [random_reassembly(rng) for _ in range(300)]
    for part, values in (
        ("corner_permutation", 8),
        ("corner_orientation", 3),
        ("edge_permutation", 12),
        ("edge_orientation", 2),
    ):
        for place in zip(*(getattr(state, part) for state in drawn), strict=True):
            assert set(place) == set(range(values)), part
