"""The result of a calibration: the colours of one cube in one light.

This module also computes the drift of the light: the distance between an accepted reading's colours
and the profile's.
"""

import math

import msgspec
import numpy as np
from numpy.typing import NDArray

from cube.facelets import facelet_index
from cube.moves import FACES
from vision.colours.sticker_colours import lab_to_srgb
from vision.errors import VisionError
from vision.reading import CubeReading

Shade = tuple[float, float, float]


class ColourProfile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The six colours of a cube as a rig's cameras see them.

    Written by `calibrate colours` as readable TOML; it seeds the classifier.

    Attributes:
        name: The user's name for it, usually the venue.
        created: ISO 8601 date or date and time of the measurement.
        scheme: Colour name of each face of the cube that was shown.
        colours: Mean CIELAB (D65, L 0..100) of the nine stickers of each face.
        spread: For each face, the root mean square distance (ΔE 1976) of the stickers from that
            mean.
        offsets: Facelet name (`U1`) to the CIELAB difference that the light at this place adds to
            any colour; absent places have none.
        places: Facelet name to face letter to CIELAB: the measured appearance of that colour at
            that place; takes precedence over `offsets`.

    Raises:
        VisionError: A face is missing, a colour is not a CIELAB colour, a spread is negative.
    """

    name: str
    created: str
    scheme: dict[str, str]
    colours: dict[str, Shade]
    spread: dict[str, float] = {}
    offsets: dict[str, Shade] = {}
    places: dict[str, dict[str, Shade]] = {}

    def mean_offsets(self) -> NDArray[np.float64]:
        """Return (54, 3) CIELAB that each place adds to a colour, on average over known colours."""
        result = np.zeros((54, 3))
        for name, offset in self.offsets.items():
            result[facelet_index(name)] = offset
        for name, shades in self.places.items():
            if name in self.offsets:
                continue
            each = [np.subtract(shade, self.colours[face]) for face, shade in shades.items()]
            result[facelet_index(name)] = np.mean(each, axis=0)
        return result

    def place_offsets(self) -> NDArray[np.float64]:
        """Return (54, 6, 3) encoded sRGB 0..1 that each place adds to each colour."""
        means = np.array([self.colours[face] for face in FACES])
        placed = means + self.mean_offsets()[:, None]
        for name, shades in self.places.items():
            for face, shade in shades.items():
                placed[facelet_index(name), FACES.index(face)] = shade
        return (lab_to_srgb(placed) - lab_to_srgb(means)) / 255.0

    def __post_init__(self) -> None:
        for key, table in (("scheme", self.scheme), ("colours", self.colours)):
            if set(table) != set(FACES):
                raise VisionError(
                    f"colour profile {self.name!r}: [{key}] must have the faces U R F D L B, not "
                    f"{' '.join(sorted(table)) or 'none'}; calibrate the colours again"
                )
        tables = [("colours", self.colours), ("offsets", self.offsets)]
        tables += [(f"places.{name}", shades) for name, shades in self.places.items()]
        if bad := [name for name in (*self.offsets, *self.places) if not _is_facelet(name)]:
            raise VisionError(
                f"colour profile {self.name!r}: {bad[0]!r} is not a facelet (U1 to B9)"
            )
        for key, shades in tables:
            for place, shade in shades.items():
                if not all(math.isfinite(v) and abs(v) <= 200 for v in shade):
                    raise VisionError(
                        f"colour profile {self.name!r}: {key}.{place} = {list(shade)} is not "
                        "a CIELAB colour"
                    )
        if bad := [k for k, v in self.spread.items() if k not in FACES or not v >= 0]:
            raise VisionError(
                f"colour profile {self.name!r}: spread.{bad[0]} must be a face with a number >= 0"
            )


def rounded_shade(lab: NDArray[np.float64]) -> Shade:
    """Round a CIELAB colour to the precision of a profile's file."""
    lightness, a, b = (round(float(np.clip(value, -200.0, 200.0)), 2) for value in lab)
    return lightness, a, b


def _is_facelet(name: str) -> bool:
    return len(name) == 2 and name[0] in FACES and name[1] in "123456789"


DRIFT_THRESHOLD = 10.0
"""ΔE 1976 above which the light has changed: see docs/reading-colours.md."""


def light_drift(profile: ColourProfile, reading: CubeReading) -> float:
    """Return the common shift of all stickers in CIELAB, ΔE 1976.

    Reflections and scatter change single stickers more than the light does; a change of the light
    moves all of them in the same direction.

    Args:
        profile: The measurement of the rig's calibration.
        reading: An accepted reading, so its colours are known.
    """
    labs = np.array([sticker.lab for sticker in reading.stickers]) - profile.mean_offsets()
    by_name = {colour: face for face, colour in profile.scheme.items()}
    scheme = dict(reading.scheme)
    known = {face: by_name.get(scheme.get(face, ""), face) for face in FACES}
    off = labs - [profile.colours[known[letter]] for letter in reading.best.text]
    off = off[np.isfinite(off).all(axis=1)]
    return float(np.linalg.norm(np.median(off, axis=0))) if len(off) else 0.0
