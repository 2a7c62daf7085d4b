"""What makes a cube of the colours of 54 stickers, to be chosen by name."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

from vision.colours.profile import ColourProfile
from vision.colours.sticker_colours import StickerColours
from vision.decoding.decode import decode
from vision.decoding.plain import decode_plainly
from vision.reading import CubeReading, StickerPlace


class Classifier(Protocol):
    """Reads a cube whose faces lie upright, in the order URFDLB; see `decode` for its arguments."""

    def __call__(
        self,
        colours: StickerColours,
        profile: ColourProfile | None = None,
        *,
        scheme: Mapping[str, str] | None = None,
        places: Sequence[StickerPlace] | None = None,
    ) -> CubeReading:
        """Say which cube shows these colours, and how sure that is."""


JOINT = "joint"
"""The one that also reads faces that lie otherwise, or come in any order."""
CLASSIFIERS: Mapping[str, Classifier] = MappingProxyType({JOINT: decode, "kmeans": decode_plainly})
"""A new one is a module and a name here: `scan --classifier` and `bench vision` have it then."""
