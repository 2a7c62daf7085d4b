"""Two readings of one cube: what they say together."""

import numpy as np

from cube.laws import Orbit
from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from cube.state import CubeState
from vision.colours.colour_model import NAMED_COLOURS
from vision.colours.labels import labels_of
from vision.colours.sticker_colours import StickerColours
from vision.decoding.decode import decode
from vision.decoding.second_look import confirm
from vision.reading import CubeReading, ReadingState

COLOURS = np.array([NAMED_COLOURS[WESTERN_SCHEME[face]] for face in FACES])


def read(state: CubeState, seed: int) -> CubeReading:
    noise = np.random.default_rng(seed).normal(0, 2.5, (54, 3))
    return decode(StickerColours.of_lab(COLOURS[labels_of(state.to_facelets())] + noise))


def test_a_mis_assembled_cube_is_announced_when_a_second_reading_agrees() -> None:
    twisted = random_state(np.random.default_rng(8), Orbit(1, 0, 0))
    first, second = (read(twisted, seed) for seed in (4, 5))
    assert first.state is second.state is ReadingState.ASK_AGAIN
    both = confirm(first, second)
    assert both.state is ReadingState.MISASSEMBLED
    assert [problem.law for problem in both.problems] == ["corner-twist"]


def test_readings_that_suspect_different_things_announce_nothing() -> None:
    twisted, other = (random_state(np.random.default_rng(n), Orbit(1, 0, 0)) for n in (8, 9))
    first, second = read(twisted, 4), read(other, 5)
    assert first.suspicion is not None
    assert second.suspicion is not None
    assert confirm(first, second) == second
    sound = read(random_state(np.random.default_rng(9)), 6)
    assert confirm(first, sound) == sound
    assert confirm(sound, first) == first
