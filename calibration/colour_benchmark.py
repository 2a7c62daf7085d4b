"""How well frames of fixed cameras are read with colours learnt from the other frames."""

from collections.abc import Iterator, Sequence

from calibration.place_colours import KnownLook, learn_places
from cube.facelets import Facelets
from vision.bench.colour_benchmark import Outcome, outcome
from vision.bench.labelled_colours import RigFrame
from vision.colours.sticker_colours import StickerColours
from vision.decoding.decode import decode
from vision.timed import timed


def measure_calibrated(frames: Sequence[RigFrame]) -> Iterator[Outcome]:
    """Decode each frame with a profile of all the others: leave one out."""
    for frame in frames:
        looks = [
            KnownLook(other.labs, Facelets(other.expected))
            for other in frames
            if other is not frame
        ]
        if looks:
            profile = learn_places(looks, frame.scheme, "bench", "2026-01-01")
            reading = timed(decode)(StickerColours.of_lab(frame.labs), profile, frame.scheme)
            yield outcome("rig, calibrated", frame.name, frame.expected, reading)
