"""How well frames of fixed cameras are read with colours learnt from the other frames."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.vision.colour_benchmark import ReadingOutcome, outcome
from benchmarks.vision.labelled_colours import RigFrame
from calibration.place_colours import KnownLook, learn_places
from cube.facelets import Facelets
from vision.colours.profile import ColourProfile
from vision.colours.sticker_colours import StickerColours
from vision.decoding.decode import decode
from vision.timed import timed

Array = NDArray[np.float64]


# A lamp that is changed between calibration and reading: warmer, cooler, dimmer, greener.
_OTHER_LIGHTS = ((1.15, 1.0, 0.8), (0.85, 1.0, 1.15), (0.6, 0.6, 0.6), (0.9, 1.1, 0.9))


def measure_calibrated(frames: Sequence[RigFrame]) -> Iterator[ReadingOutcome]:
    """Decode each frame with a profile of all the others: leave one out."""
    for frame in frames:
        others = [other for other in frames if other is not frame]
        if others:
            yield _outcome("rig, calibrated", frame, _learnt(others, frame), frame.labs)


def measure_hasty_calibration(frames: Sequence[RigFrame]) -> Iterator[ReadingOutcome]:
    """Decode each frame with a profile of one other frame."""
    for frame in frames:
        for other in frames:
            if other is not frame:
                yield _outcome("rig, one frame", frame, _learnt([other], frame), frame.labs)


def measure_changed_light(frames: Sequence[RigFrame]) -> Iterator[ReadingOutcome]:
    """Decode each frame in other light than that of the frames that its profile is of."""
    for frame in frames:
        others = [other for other in frames if other is not frame]
        srgb = StickerColours.of_lab(frame.labs).srgb
        for light in _OTHER_LIGHTS if others else ():
            lit = StickerColours.of_srgb(255.0 * np.clip(srgb * light, 0.0, 1.0))
            yield _outcome("rig, changed light", frame, _learnt(others, frame), lit.lab)


def _learnt(frames: Sequence[RigFrame], reader: RigFrame) -> ColourProfile:
    looks = [KnownLook(frame.labs, Facelets(frame.expected)) for frame in frames]
    return learn_places(looks, reader.scheme, "bench", "2026-01-01")


def _outcome(
    condition: str, frame: RigFrame, profile: ColourProfile, labs: Array
) -> ReadingOutcome:
    reading = timed(decode)(StickerColours.of_lab(labs), profile, frame.scheme, mistakes=False)
    return outcome(condition, frame.name, frame.expected, reading)
