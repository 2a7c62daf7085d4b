"""What a calibration knows about the colours of one cube in one light."""

import math

import msgspec

from cube.moves import FACES
from vision.errors import VisionError


class ColourProfile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The six colours of a cube as a rig's cameras see them.

    Written by `calibrate colours` as TOML that people read and edit; it seeds the classifier.

    Attributes:
        name: what the user calls it, usually the venue.
        created: ISO 8601 date or date and time of the measurement.
        scheme: face letter to colour name of the cube that was shown.
        colours: face letter to mean CIELAB (D65, L 0..100) of that face's nine stickers.
        spread: face letter to the root mean square distance (ΔE 1976) of the stickers from that
            mean.
        offsets: facelet name (`U1`) to the CIELAB difference that this place adds to any colour,
            because of the light that falls there; absent places have none.

    Raises:
        VisionError: a face is missing, a colour is no CIELAB colour, a spread is negative.
    """

    name: str
    created: str
    scheme: dict[str, str]
    colours: dict[str, tuple[float, float, float]]
    spread: dict[str, float] = {}
    offsets: dict[str, tuple[float, float, float]] = {}

    def __post_init__(self) -> None:
        for key, table in (("scheme", self.scheme), ("colours", self.colours)):
            if set(table) != set(FACES):
                raise VisionError(
                    f"colour profile {self.name!r}: [{key}] must have the faces U R F D L B, not "
                    f"{' '.join(sorted(table)) or 'none'}; calibrate the colours again"
                )
        for key, shades in (("colours", self.colours), ("offsets", self.offsets)):
            for place, shade in shades.items():
                if not all(math.isfinite(v) and abs(v) <= 200 for v in shade):
                    raise VisionError(
                        f"colour profile {self.name!r}: {key}.{place} = {list(shade)} "
                        "is no CIELAB colour"
                    )
        if bad := [k for k, v in self.spread.items() if k not in FACES or not v >= 0]:
            raise VisionError(
                f"colour profile {self.name!r}: spread.{bad[0]} must be a number >= 0 of a face"
            )
