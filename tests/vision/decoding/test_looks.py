"""Several looks at the faces of a cube, two readings of it, and what a person did wrong."""

import numpy as np
import pytest
from even_light import decode_lab, seen
from numpy.typing import NDArray

from benchmarks.vision.labelled_colours import CONDITIONS, degrade
from cube.facelets import Facelets
from cube.laws import Orbit
from cube.moves import FACES
from cube.random_states import random_state
from cube.state import CubeState
from vision.colours.colour_spaces import lab_to_srgb
from vision.colours.looks import FaceLook
from vision.colours.sticker_colours import StickerColours
from vision.decoding.acceptance import confirm
from vision.decoding.decode import decode
from vision.decoding.face_turns import upright_cells
from vision.errors import VisionError
from vision.reading import CubeReading, MistakeKind, ReadingState

Array = NDArray[np.float64]


def read(rgb: Array, looks: Array | None = None, faces: str = FACES, **options) -> CubeReading:
    """Decode colours, with further looks at some faces."""
    further = [
        FaceLook(face, StickerColours.of_srgb(looks.reshape(6, 9, 3)[FACES.index(face)]))
        for face in faces
        if looks is not None
    ]
    return decode(StickerColours.of_srgb(rgb), further=further, **options)


def rgb_of(truth: Facelets, rng: np.random.Generator, condition: str = "clean") -> Array:
    return degrade(lab_to_srgb(seen(truth, rng)), CONDITIONS[condition], rng)


def test_a_look_at_one_face_fills_in_what_the_first_one_missed() -> None:
    rng = np.random.default_rng(3)
    truth = random_state(rng).to_facelets()
    first = rgb_of(truth, rng)
    hidden = first.copy()
    hidden[9:18] = np.nan
    assert not all(sticker.seen for sticker in read(hidden).stickers)
    reading = read(hidden, 0.8 * first, "R")
    assert reading.facelets == truth
    assert all(sticker.seen for sticker in reading.stickers)


def test_a_look_at_another_cube_or_no_face_is_not_believed() -> None:
    rng = np.random.default_rng(4)
    truth = random_state(rng).to_facelets()
    other = rgb_of(random_state(rng).to_facelets(), rng)
    assert read(rgb_of(truth, rng), other, "RF").facelets in (None, truth)
    for face, stickers in (("", 9), ("X", 9), ("UR", 9), ("U", 8)):
        with pytest.raises(VisionError):
            FaceLook(face, StickerColours.of_srgb(np.zeros((stickers, 3))))


def test_looks_at_turned_faces_are_turned_as_the_first_ones() -> None:
    rng = np.random.default_rng(5)
    truth = random_state(rng).to_facelets()
    first, second = rgb_of(truth, rng), rgb_of(truth, rng).reshape(6, 9, 3)
    for face in range(6):
        second[face] = second[face][upright_cells(face % 4, mirrored=False)]
    first[[0, 10, 20]] = np.nan
    reading = read(first, second, any_orientation=True)
    assert reading.facelets == truth
    assert reading.margin > read(first, any_orientation=True).margin


def seen_once(state: CubeState, seed: int) -> CubeReading:
    return decode_lab(seen(state.to_facelets(), np.random.default_rng(seed), 2.5))


def test_a_mis_assembled_cube_is_announced_when_a_second_reading_agrees() -> None:
    twisted = random_state(np.random.default_rng(8), Orbit(1, 0, 0))
    first, second = (seen_once(twisted, seed) for seed in (4, 5))
    assert first.state is second.state is ReadingState.ASK_AGAIN
    both = confirm(first, second)
    assert (both.state, both.accepted) == (ReadingState.MISASSEMBLED, False)
    assert [problem.law for problem in both.problems] == ["corner-twist"]


def test_readings_that_suspect_different_things_announce_nothing() -> None:
    twisted, other = (random_state(np.random.default_rng(n), Orbit(1, 0, 0)) for n in (8, 9))
    first, second = seen_once(twisted, 4), seen_once(other, 5)
    assert first.suspicion is not None
    assert second.suspicion is not None
    assert confirm(first, second) == second
    sound = seen_once(random_state(np.random.default_rng(9)), 6)
    assert confirm(first, sound) == sound
    assert confirm(sound, first) == first


AROUND = [0, 1, 2, 3, 5, 6, 7, 8]


def cube(seed: int) -> tuple[Facelets, NDArray[np.float64]]:
    """A random state and its colours, (6, 9, 3) CIELAB."""
    rng = np.random.default_rng(seed)
    truth = random_state(rng).to_facelets()
    return truth, seen(truth, rng, 4.0).reshape(6, 9, 3)


def read_faces(labs: NDArray[np.float64], **options: bool) -> CubeReading:
    return decode_lab(labs.reshape(54, 3), **options)


def named(reading: CubeReading, kind: MistakeKind, *faces: str) -> bool:
    mistake = reading.mistake
    assert not reading.accepted
    return mistake is not None and (mistake.kind, mistake.faces) == (kind, faces)


def test_turned_exchanged_and_mirrored_faces_are_named_and_put_right() -> None:
    for quarters in (1, 2, 3):
        truth, labs = cube(0)
        labs[2] = np.rot90(labs[2].reshape(3, 3, 3), quarters).reshape(9, 3)  # to the left
        turned = read_faces(labs)
        assert named(turned, MistakeKind.TURNED, "F")
        assert turned.mistake is not None
        assert (turned.mistake.turns, turned.reread) == ((quarters,), ("F",))
        assert turned.instead is not None
        assert turned.instead.facelets == truth
        for sticker, cell in zip(turned.instead.stickers, turned.instead.cells, strict=True):
            assert np.allclose(sticker.lab, labs.reshape(54, 3)[cell])  # where it was seen
    truth, labs = cube(1)
    labs[[1, 5]] = labs[[5, 1]]
    exchanged = read_faces(labs)
    assert named(exchanged, MistakeKind.EXCHANGED, "R", "B")
    truth, labs = cube(1)
    labs[4] = labs[4].reshape(3, 3, 3)[:, ::-1].reshape(9, 3)
    mirrored = read_faces(labs)
    assert named(mirrored, MistakeKind.MIRRORED, "L")
    for reading in (exchanged, mirrored):
        assert reading.instead is not None
        assert reading.instead.facelets == truth


def test_a_face_shown_twice_and_a_face_of_another_cube_are_named() -> None:
    for seed, options in ((2, {}), (5, {"any_orientation": True})):
        _, labs = cube(seed)
        labs[3] = labs[0] + np.random.default_rng(seed).normal(0.0, 1.0, (9, 3))
        reading = read_faces(labs, **options)
        assert reading.mistake is not None
        assert reading.mistake.kind is MistakeKind.DOUBLED
        assert set(reading.mistake.faces) == {"U", "D"}
        assert reading.instead is None
    _, labs = cube(0)
    labs[1, AROUND] = cube(100)[1][1, AROUND]
    assert named(read_faces(labs), MistakeKind.FOREIGN, "R")


def test_a_face_shown_twice_is_not_repaired_into_another_cube() -> None:
    """Four clear stickers and a centre contradict a cube that has no rival."""
    truth = Facelets("RUDUURBDFRFLDRRDDDUFDUFLFLFLFLBDBUUBFLLBLRRLUBBUDBRRFB")
    labs = seen(truth, np.random.default_rng(4), 2.0).reshape(6, 9, 3)
    labs[2] = labs[4]
    assert named(read_faces(labs, any_orientation=True), MistakeKind.DOUBLED, "L", "F")


@pytest.mark.parametrize("finger", [(50.0, 0.0, 0.0), (68.0, 18.0, 30.0)])
def test_two_covered_stickers_are_repaired(finger: tuple[float, float, float]) -> None:
    for seed in (0, 3):
        truth, labs = cube(seed)
        labs[2, [7, 8]] = finger
        assert read_faces(labs).facelets == truth


def test_a_cube_shown_rightly_is_not_doubted() -> None:
    for seed in range(5):
        truth, labs = cube(seed)
        labs[2, 0], labs[5, 7] = (95.0, 0.0, 0.0), (8.0, 0.0, 0.0)  # a reflection and a shadow
        reading = read_faces(labs)
        assert reading.mistake is None
        assert reading.facelets == truth
