"""Centres that something covers: the pieces tell whose colour is whose, or nobody can."""

import numpy as np
import pytest
from even_light import decode_lab, seen

from cube.facelets import Facelets
from cube.random_states import random_state
from vision.colours.colour_space import srgb_to_lab
from vision.reading import CubeReading

DISCS = {"black": (25, 25, 25), "grey": (128, 128, 128), "orange": (220, 110, 40)}


def read_covered(seed: int, faces: list[int], disc: str) -> tuple[Facelets, CubeReading]:
    """A random cube with discs of one colour over some centres."""
    rng = np.random.default_rng(seed)
    truth = random_state(rng).to_facelets()
    labs = seen(truth, rng)
    discs = np.clip(np.array(DISCS[disc]) + rng.normal(0, 4, (len(faces), 3)), 0, 255)
    labs[[9 * face + 4 for face in faces]] = srgb_to_lab(discs)
    return truth, decode_lab(labs)


@pytest.mark.parametrize("disc", DISCS)
def test_one_or_two_discs_are_seen_through_and_with_more_no_wrong_cube_is_taken(disc: str) -> None:
    for faces in ([2], [0, 3], [1, 2]):
        readings = [read_covered(seed, faces, disc) for seed in range(3)]
        assert all(not read.accepted or read.facelets == truth for truth, read in readings)
        assert sum(read.facelets == truth for truth, read in readings) >= 2
    for faces in ([0, 1, 2], [0, 2, 3], [0, 1, 3, 4], [0, 1, 2, 3, 4, 5]):
        truth, read = read_covered(0, faces, disc)
        assert read.facelets == truth if read.accepted else read.reread
