"""The result of a calibration: the colours of one cube in one light."""

import math

import msgspec
import numpy as np
from numpy.typing import NDArray

from cube.moves import FACES
from vision.errors import VisionError

Shade = tuple[float, float, float]


class ColourProfile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The six colours of a cube as a rig's cameras see them.

    Written by `calibrate colours` as readable TOML; it seeds the classifier.

    Attributes:
        name: The user's name for it, such as that of the room.
        created: ISO 8601 date or date and time of the measurement.
        scheme: Colour name of each face of the cube that was shown.
        colours: Mean CIELAB (D65, L 0..100) of the nine stickers of each face.
        spread: For each face, the root mean square distance (ΔE 1976) of the stickers from that
            mean.

    Raises:
        VisionError: A face is missing, a colour is not a CIELAB colour, a spread is negative.
    """

    name: str
    created: str
    scheme: dict[str, str]
    colours: dict[str, Shade]
    spread: dict[str, float] = {}

    def __post_init__(self) -> None:
        for key, table in (("scheme", self.scheme), ("colours", self.colours)):
            if set(table) != set(FACES):
                raise VisionError(
                    f"colour profile {self.name!r}: [{key}] must have the faces U R F D L B, not "
                    f"{' '.join(sorted(table)) or 'none'}; calibrate the colours again"
                )
        for face, shade in self.colours.items():
            if not all(math.isfinite(v) and abs(v) <= 200 for v in shade):
                raise VisionError(
                    f"colour profile {self.name!r}: colours.{face} = {list(shade)} is not "
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
