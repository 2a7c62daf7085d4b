"""Watches the light: how far the colours of an accepted reading are from the profile's."""

import numpy as np

from cube.moves import FACES
from vision.colours.profile import ColourProfile
from vision.reading import CubeReading

DRIFT_THRESHOLD = 10.0
"""ΔE 1976 from which the light has changed: see docs/reading-colours.md."""


def light_drift(profile: ColourProfile, reading: CubeReading) -> float:
    """Return how far all stickers together have moved in CIELAB, ΔE 1976.

    Single stickers mirror things and scatter by more than the light changes; a change of the light
    moves all of them the same way.

    Args:
        profile: What was measured when the rig was calibrated.
        reading: An accepted reading, whose colours are known.
    """
    labs = np.array([sticker.lab for sticker in reading.stickers]) - profile.mean_offsets()
    by_name = {colour: face for face, colour in profile.scheme.items()}
    scheme = dict(reading.scheme)
    known = {face: by_name.get(scheme.get(face, ""), face) for face in FACES}
    off = labs - [profile.colours[known[letter]] for letter in reading.best.text]
    off = off[np.isfinite(off).all(axis=1)]
    return float(np.linalg.norm(np.median(off, axis=0))) if len(off) else 0.0
