"""What a person did wrong is told by its name, and a sound cube is not doubted for it."""

import numpy as np
from even_light import decode_lab, seen
from numpy.typing import NDArray

from cube.facelets import Facelets
from cube.random_states import random_state
from vision.reading import CubeReading, MistakeKind

AROUND = [0, 1, 2, 3, 5, 6, 7, 8]


def cube(seed: int) -> tuple[Facelets, NDArray[np.float64]]:
    """A random state and its colours, (6, 9, 3) CIELAB."""
    rng = np.random.default_rng(seed)
    truth = random_state(rng).to_facelets()
    return truth, seen(truth, rng, 4.0).reshape(6, 9, 3)


def read(labs: NDArray[np.float64], **options: bool) -> CubeReading:
    return decode_lab(labs.reshape(54, 3), **options)


def named(reading: CubeReading, kind: MistakeKind, *faces: str) -> bool:
    mistake = reading.mistake
    assert not reading.accepted
    return mistake is not None and (mistake.kind, mistake.faces) == (kind, faces)


def test_turned_exchanged_and_mirrored_faces_are_named_and_put_right() -> None:
    for quarters in (1, 2, 3):
        truth, labs = cube(0)
        labs[2] = np.rot90(labs[2].reshape(3, 3, 3), quarters).reshape(9, 3)  # to the left
        turned = read(labs)
        assert named(turned, MistakeKind.TURNED, "F")
        assert turned.mistake is not None
        assert (turned.mistake.turns, turned.reread) == ((quarters,), ("F",))
        assert turned.instead is not None
        assert turned.instead.facelets == truth
        for sticker, cell in zip(turned.instead.stickers, turned.instead.cells, strict=True):
            assert np.allclose(sticker.lab, labs.reshape(54, 3)[cell])  # where it was seen
    truth, labs = cube(1)
    labs[[1, 5]] = labs[[5, 1]]
    exchanged = read(labs)
    assert named(exchanged, MistakeKind.EXCHANGED, "R", "B")
    truth, labs = cube(1)
    labs[4] = labs[4].reshape(3, 3, 3)[:, ::-1].reshape(9, 3)
    mirrored = read(labs)
    assert named(mirrored, MistakeKind.MIRRORED, "L")
    for reading in (exchanged, mirrored):
        assert reading.instead is not None
        assert reading.instead.facelets == truth


def test_a_face_shown_twice_and_a_face_of_another_cube_are_named() -> None:
    for seed, options in ((2, {}), (5, {"any_orientation": True})):
        _, labs = cube(seed)
        labs[3] = labs[0] + np.random.default_rng(seed).normal(0.0, 1.0, (9, 3))
        reading = read(labs, **options)
        assert reading.mistake is not None
        assert reading.mistake.kind is MistakeKind.DOUBLED
        assert set(reading.mistake.faces) == {"U", "D"}
        assert reading.instead is None
    _, labs = cube(0)
    labs[1, AROUND] = cube(100)[1][1, AROUND]
    assert named(read(labs), MistakeKind.FOREIGN, "R")


def test_a_cube_shown_rightly_is_not_doubted() -> None:
    for seed in range(5):
        truth, labs = cube(seed)
        labs[2, 0], labs[5, 7] = (95.0, 0.0, 0.0), (8.0, 0.0, 0.0)  # a reflection and a shadow
        reading = read(labs)
        assert reading.mistake is None
        assert reading.facelets == truth
        assert reading == read(labs, mistakes=False)
