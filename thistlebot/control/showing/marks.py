"""Where the stickers of a reading are in its pictures, as front ends draw them."""

from cube.facelets import facelet_name
from thistlebot.control.showing.notices import Mark
from vision.reading import CubeReading


def marks_of(reading: CubeReading) -> tuple[Mark, ...]:
    """Return where the stickers of a reading are in its pictures."""
    names = dict(reading.scheme)
    return tuple(
        Mark(
            sticker.camera,
            facelet_name(number),
            tuple((x, y) for x, y in polygon),
            names.get(sticker.colour, sticker.colour),
            round(sticker.confidence, 3),
        )
        for number, sticker in enumerate(reading.stickers)
        for polygon in sticker.polygons
    )
