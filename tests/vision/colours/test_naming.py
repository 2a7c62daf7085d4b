"""Six colours get the names of a cube in any light."""

import numpy as np
import pytest
from even_light import COLOURS

from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from vision.colours.colour_model import NAMED_COLOURS
from vision.colours.naming import name_faces
from vision.colours.scheme import JAPANESE_SCHEME, mirror_image, scheme_rotations
from vision.colours.sticker_colours import StickerColours

LIGHTS = ((1.0, 1.0, 1.0), (1.0, 0.9, 0.65), (0.6, 0.75, 1.0), (0.45, 0.45, 0.45), (0.8, 1.0, 0.7))
WESTERN = tuple(WESTERN_SCHEME[face] for face in FACES)
ODD = ("red", "white", "green", "yellow", "orange", "blue")


def means_of(names: tuple[str, ...], light: tuple[float, ...]) -> np.ndarray:
    labs = [NAMED_COLOURS[name] for name in names]
    return StickerColours.of_lab(labs).srgb * light


@pytest.mark.parametrize("light", LIGHTS)
def test_colours_are_named_however_the_cube_is_held(light: tuple[float, ...]) -> None:
    japanese = tuple(JAPANESE_SCHEME[face] for face in FACES)
    for scheme, mirrored in (
        *((held, False) for held in (*scheme_rotations(WESTERN), japanese, ODD)),
        *((mirror_image(held), True) for held in (WESTERN, japanese)),
    ):
        named = name_faces(means_of(scheme, light), NAMED_COLOURS)
        assert (named.names, named.mirrored) == (scheme, mirrored)
    swapped = mirror_image(WESTERN)
    told = name_faces(
        means_of(swapped, light), NAMED_COLOURS, dict(zip(FACES, swapped, strict=True))
    )
    assert (told.names, told.mirrored) == (swapped, False)


def test_red_and_orange_that_hardly_differ_are_named_as_on_a_cube_on_sale() -> None:
    means = StickerColours.of_lab(COLOURS).srgb
    red, orange = WESTERN.index("red"), WESTERN.index("orange")
    middle = means[[red, orange]].mean(axis=0)
    means[red], means[orange] = middle + 0.01, middle - 0.01
    assert name_faces(means, NAMED_COLOURS).names == WESTERN
