"""A classifier: ``scan --classifier shadows`` is for cubes that lie partly in the shadow."""

from collections.abc import Mapping

from vision.colours.profile import ColourProfile
from vision.colours.sticker_colours import StickerColours
from vision.decoding.decode import decode
from vision.reading import CubeReading


def read_in_shadow(
    colours: StickerColours,
    profile: ColourProfile | None = None,
    *,
    scheme: Mapping[str, str] | None = None,
) -> CubeReading:
    """Read a cube by colour more than by lightness: all differences in lightness are halved.

    Args:
        colours: Colours of 54 stickers in the order URFDLB, faces upright.
        profile: Measured colours to start from.
        scheme: Colour name of each face of the cube.
    """
    lab = colours.lab.copy()
    lab[:, 0] = (lab[:, 0] + lab[:, 0].mean()) / 2
    return decode(StickerColours.of_lab(lab), profile, scheme=scheme)
