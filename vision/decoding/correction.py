"""Correcting a reading by hand: a few stickers are told, all others stay as they were read."""

from collections.abc import Mapping
from dataclasses import replace

from cube.facelets import facelet_name
from cube.moves import FACES
from vision.colours.profile import ColourProfile
from vision.colours.sticker_colours import StickerColours
from vision.decoding.decode import decode
from vision.reading import CubeReading, StickerPlace


def doubtful_stickers(reading: CubeReading, most: int = 6) -> tuple[str, ...]:
    """Name the stickers whose correction tells most, the most doubtful first.

    Those that were repaired or not seen come first, then the least confident ones; centres are
    never asked for.
    """
    repaired = {repair.facelet for repair in reading.repairs}
    order = sorted(
        (sticker for sticker in reading.stickers if sticker.facelet % 9 != 4),
        key=lambda sticker: (sticker.facelet not in repaired, sticker.confidence),
    )
    return tuple(facelet_name(sticker.facelet) for sticker in order[:most])


def correct(
    reading: CubeReading, told: Mapping[str, str], profile: ColourProfile | None = None
) -> CubeReading:
    """Decode again with some stickers told by a person.

    What was told is certain, and it also tells what the colours look like: one corrected red
    sticker may settle all doubts between red and orange.

    Args:
        reading: What the cameras saw.
        told: Facelet name (`U1`) to face letter (URFDLB). Corrections add up: give all that were
            told so far.
        profile: The measured colours that the reading was made with.

    Returns:
        The corrected reading, accepted under the same rule as any other.

    Raises:
        VisionError: A letter does not exist, or a centre is told another colour.
        InvalidCubeError: There is no such facelet.
    """
    scheme = dict(reading.scheme)
    hidden = {
        face: scheme[face] for i, face in enumerate(FACES) if not reading.stickers[9 * i + 4].seen
    }
    again = decode(
        StickerColours.of_lab([sticker.lab for sticker in reading.stickers]),
        profile,
        hidden,
        told=told,
        places=[StickerPlace(each.polygons, each.camera) for each in reading.stickers],
    )
    return replace(again, cells=reading.cells, scheme=reading.scheme)
