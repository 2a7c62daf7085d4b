"""The classifiers that make a cube from the colours of 54 stickers, by name."""

from collections.abc import Mapping
from typing import Protocol

from documents.plugins import Plugins
from vision.colours.profile import ColourProfile
from vision.colours.sticker_colours import StickerColours
from vision.decoding.decode import decode
from vision.decoding.plain import decode_plainly
from vision.reading import CubeReading


class Classifier(Protocol):
    """Reads a cube with upright faces in the order URFDLB; see `decode` for its arguments."""

    def __call__(
        self,
        colours: StickerColours,
        profile: ColourProfile | None = None,
        *,
        scheme: Mapping[str, str] | None = None,
    ) -> CubeReading:
        """Return the cube with these colours, and its confidence."""


JOINT = "joint"
"""The classifier that also reads rotated faces, or faces in any order."""
CLASSIFIERS = Plugins[Classifier]("classifiers", {JOINT: decode, "kmeans": decode_plainly})
"""The classifiers by name for `scan --classifier`; `bench vision` compares the built-in ones."""
