"""The colours of a cube in even light, and what the decoder makes of CIELAB colours."""

import numpy as np
from cubes import cube

from cube.facelets import Facelets
from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from vision.colours.colour_model import NAMED_COLOURS
from vision.colours.sticker_colours import StickerColours
from vision.decoding.decode import decode
from vision.decoding.face_turns import Placement
from vision.reading import CubeReading

COLOURS = np.array([NAMED_COLOURS[WESTERN_SCHEME[face]] for face in FACES])


def seen(facelets: Facelets, rng: np.random.Generator, noise: float = 3.0) -> np.ndarray:
    """Colours of a cube in even light with some noise, (54, 3) CIELAB."""
    labels = [FACES.index(letter) for letter in facelets.text]
    return COLOURS[labels] + rng.normal(0, noise, (54, 3))


TRUTH = cube(1).to_facelets()
LABS = seen(TRUTH, np.random.default_rng(1))
"""A cube, and its colours."""


def decode_lab(labs: np.ndarray, *args: object, **options: object) -> CubeReading:
    return decode(StickerColours.of_lab(labs), *args, **options)


def pictures_of(labs: np.ndarray, placement: Placement) -> np.ndarray:
    """What the pictures show when the faces are placed like that."""
    pictures = np.empty_like(labs)
    pictures[placement.cells] = labs
    return pictures
