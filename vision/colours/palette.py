"""The six colours of a cube for drawing: the virtual cube and annotated pictures."""

from collections.abc import Mapping
from types import MappingProxyType

Srgb = tuple[int, int, int]

STICKER_SRGB: Mapping[str, Srgb] = MappingProxyType(
    {
        "white": (228, 228, 226),
        "yellow": (232, 205, 28),
        "red": (178, 24, 38),
        "orange": (242, 104, 28),
        "green": (14, 140, 74),
        "blue": (22, 66, 158),
    }
)
"""Red, green, blue, 0..255: matt plastic in even white light, below full scale."""

COLOUR_NAMES = tuple(STICKER_SRGB)

METAL_SRGB: Srgb = (52, 54, 58)
GREY_SRGB: Srgb = (128, 130, 134)
SKIN_SRGB: Srgb = (201, 152, 124)


def bgr(colour: Srgb) -> tuple[int, int, int]:
    """Return the colour in OpenCV's order of channels."""
    return colour[2], colour[1], colour[0]
