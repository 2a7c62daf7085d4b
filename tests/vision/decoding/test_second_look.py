"""Two readings of one cube: what they say together."""

import numpy as np
from even_light import decode_lab, seen

from cube.laws import Orbit
from cube.random_states import random_state
from cube.state import CubeState
from vision.decoding.second_look import confirm
from vision.reading import CubeReading, ReadingState


def read(state: CubeState, seed: int) -> CubeReading:
    return decode_lab(seen(state.to_facelets(), np.random.default_rng(seed), 2.5))


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
