"""Several looks at the faces of a cube, decoded together."""

import numpy as np
import pytest
from even_light import seen
from numpy.typing import NDArray

from cube.facelets import SOLVED_FACELETS, Facelets
from cube.moves import FACES, MoveSequence
from cube.random_states import random_state
from cube.state import SOLVED
from vision.bench.colour_conditions import CONDITIONS, degrade
from vision.colours.colour_space import lab_to_srgb
from vision.colours.looks import Look
from vision.colours.sticker_colours import StickerColours
from vision.decoding.decode import decode
from vision.decoding.laws.photo_order import upright_cells
from vision.errors import VisionError
from vision.reading import CubeReading

Array = NDArray[np.float64]


def looks_at(rgb: Array, faces: str = FACES) -> list[Look]:
    return [
        Look(face, StickerColours.of_srgb(rgb.reshape(6, 9, 3)[FACES.index(face)]))
        for face in faces
    ]


def rgb_of(truth: Facelets, rng: np.random.Generator, condition: str = "clean") -> Array:
    return degrade(lab_to_srgb(seen(truth, rng)), CONDITIONS[condition], rng)


def test_two_severe_looks_tell_more_than_one() -> None:
    once: list[CubeReading] = []
    twice: list[CubeReading] = []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        truth = random_state(rng).to_facelets()
        first, second = (rgb_of(truth, rng, "severe") for _ in range(2))
        colours = StickerColours.of_srgb(first)
        once.append(decode(colours))
        twice.append(decode(colours, further=looks_at(second)))
        assert twice[-1].facelets in (None, truth)
    assert sum(one.accepted for one in twice) > sum(one.accepted for one in once)


def test_a_look_at_one_face_fills_in_what_the_first_one_missed() -> None:
    rng = np.random.default_rng(3)
    truth = random_state(rng).to_facelets()
    first = rgb_of(truth, rng)
    hidden = first.copy()
    hidden[9:18] = np.nan
    colours = StickerColours.of_srgb(hidden)
    assert not all(sticker.seen for sticker in decode(colours).stickers)
    reading = decode(colours, further=looks_at(0.8 * first, "R"))
    assert reading.facelets == truth
    assert all(sticker.seen for sticker in reading.stickers)


def test_a_look_at_another_cube_is_not_believed() -> None:
    rng = np.random.default_rng(4)
    truth = random_state(rng).to_facelets()
    other = rgb_of(random_state(rng).to_facelets(), rng)
    reading = decode(StickerColours.of_srgb(rgb_of(truth, rng)), further=looks_at(other, "RF"))
    assert reading.facelets in (None, truth)


def test_looks_at_turned_faces_are_turned_as_the_first_ones() -> None:
    rng = np.random.default_rng(5)
    truth = random_state(rng).to_facelets()
    first, second = rgb_of(truth, rng), rgb_of(truth, rng).reshape(6, 9, 3)
    for face in range(6):
        second[face] = second[face][upright_cells(face % 4, mirrored=False)]
    hidden = first.copy()
    hidden[[0, 10, 20]] = np.nan
    colours = StickerColours.of_srgb(hidden)
    alone = decode(colours, any_orientation=True)
    reading = decode(colours, any_orientation=True, further=looks_at(second.reshape(54, 3)))
    assert reading.facelets == truth
    assert reading.margin > alone.margin


def test_a_look_whose_turn_is_unclear_is_left_out() -> None:
    rng = np.random.default_rng(6)
    truth = SOLVED.apply(MoveSequence.parse("R2 L2")).to_facelets()
    colours = StickerColours.of_srgb(rgb_of(truth, rng))
    corner = rgb_of(truth, rng)
    corner[1:9] = np.nan  # all four corners of this face have the same colour
    alone = decode(colours, any_orientation=True)
    assert decode(colours, any_orientation=True, further=looks_at(corner, "U")) == alone


def test_hidden_centres_are_hidden_in_every_look() -> None:
    rng = np.random.default_rng(7)
    first = rgb_of(SOLVED_FACELETS, rng)
    covered = first.copy()
    covered[4::9] = 40.0
    named = dict(zip(FACES, ("white", "red", "green", "yellow", "orange", "blue"), strict=True))
    reading = decode(
        StickerColours.of_srgb(covered), centres=named, further=looks_at(covered, "UR")
    )
    assert reading.facelets == SOLVED_FACELETS
    assert not reading.stickers[4].seen


@pytest.mark.parametrize("face", ["", "X", "UR"])
def test_a_look_names_its_face(face: str) -> None:
    with pytest.raises(VisionError, match="is no face"):
        Look(face, StickerColours.of_srgb(np.zeros((9, 3))))


def test_a_look_has_nine_colours() -> None:
    with pytest.raises(VisionError, match="9 stickers"):
        Look("U", StickerColours.of_srgb(np.zeros((8, 3))))
