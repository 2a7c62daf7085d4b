"""What a person did wrong is told by its name, and a sound cube is not doubted for it."""

import numpy as np
import pytest
from even_light import seen
from numpy.typing import NDArray

from cube.facelets import Facelets
from cube.moves import FACES
from cube.random_states import random_state
from vision.colours.sticker_colours import StickerColours
from vision.decoding.decode import decode
from vision.reading import CubeReading, MistakeKind

SPREAD = 4.0


def cube(seed: int) -> tuple[Facelets, NDArray[np.float64]]:
    """A random state and its colours, (6, 9, 3) CIELAB."""
    rng = np.random.default_rng(seed)
    truth = random_state(rng).to_facelets()
    return truth, seen(truth, rng, SPREAD).reshape(6, 9, 3)


def read(labs: NDArray[np.float64], **options: bool) -> CubeReading:
    return decode(StickerColours.of_lab(labs.reshape(54, 3)), **options)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_turned_face_is_named_with_its_turn(seed: int, quarters: int) -> None:
    truth, labs = cube(seed)
    labs[2] = np.rot90(labs[2].reshape(3, 3, 3), quarters).reshape(9, 3)  # to the left
    reading = read(labs)
    assert not reading.accepted
    assert reading.mistake is not None
    assert (reading.mistake.kind, reading.mistake.faces) == (MistakeKind.TURNED, ("F",))
    assert reading.mistake.turns == (quarters,)
    assert reading.reread == ("F",)
    assert reading.instead is not None
    assert reading.instead.facelets == truth


@pytest.mark.parametrize("seed", range(4))
def test_two_exchanged_faces_are_named(seed: int) -> None:
    truth, labs = cube(seed)
    labs[[1, 5]] = labs[[5, 1]]
    reading = read(labs)
    assert reading.mistake is not None
    assert (reading.mistake.kind, reading.mistake.faces) == (MistakeKind.EXCHANGED, ("R", "B"))
    assert reading.instead is not None
    assert reading.instead.facelets == truth


@pytest.mark.parametrize("seed", range(4))
def test_a_mirrored_face_is_named(seed: int) -> None:
    truth, labs = cube(seed)
    labs[4] = labs[4].reshape(3, 3, 3)[:, ::-1].reshape(9, 3)
    reading = read(labs)
    assert reading.mistake is not None
    assert (reading.mistake.kind, reading.mistake.faces) == (MistakeKind.MIRRORED, ("L",))
    assert reading.instead is not None
    assert reading.instead.facelets == truth


@pytest.mark.parametrize("any_orientation", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_the_same_face_shown_twice_is_named(seed: int, *, any_orientation: bool) -> None:
    _, labs = cube(seed)
    labs[3] = labs[0] + np.random.default_rng(seed).normal(0.0, 1.0, (9, 3))
    reading = read(labs, any_orientation=any_orientation)
    assert reading.mistake is not None
    assert reading.mistake.kind is MistakeKind.DOUBLED
    assert set(reading.mistake.faces) == {"U", "D"}
    assert reading.instead is None


@pytest.mark.parametrize("seed", [0, 2, 3, 4])
def test_a_face_of_another_cube_is_named(seed: int) -> None:
    _, labs = cube(seed)
    _, other = cube(seed + 100)
    labs[1, [0, 1, 2, 3, 5, 6, 7, 8]] = other[1, [0, 1, 2, 3, 5, 6, 7, 8]]
    reading = read(labs)
    assert reading.mistake is not None
    assert (reading.mistake.kind, reading.mistake.faces) == (MistakeKind.FOREIGN, ("R",))


@pytest.mark.parametrize("seed", range(8))
def test_a_cube_shown_rightly_is_not_doubted(seed: int) -> None:
    truth, labs = cube(seed)
    labs[2, 0], labs[5, 7] = (95.0, 0.0, 0.0), (8.0, 0.0, 0.0)  # a reflection and a shadow
    reading = read(labs)
    assert reading.mistake is None
    assert reading.facelets == truth
    assert reading == read(labs, mistakes=False)


def test_where_a_sticker_was_seen_goes_along_when_a_mistake_is_undone() -> None:
    _, labs = cube(1)
    labs[2] = np.rot90(labs[2].reshape(3, 3, 3), 2).reshape(9, 3)
    instead = read(labs).instead
    assert instead is not None
    for sticker, cell in zip(instead.stickers, instead.cells, strict=True):
        assert np.allclose(sticker.lab, labs.reshape(54, 3)[cell])


@pytest.mark.parametrize("hidden", [(0,), (1, 4), (0, 5), (1, 2, 3)])
def test_centres_that_nobody_saw_are_found(hidden: tuple[int, ...]) -> None:
    for seed in range(3):
        truth, labs = cube(seed)
        labs[list(hidden), 4] = np.nan
        reading = read(labs)
        assert reading.facelets == truth
        scheme = dict(reading.scheme)
        assert scheme == dict(read(cube(seed)[1]).scheme), [FACES[face] for face in hidden]
