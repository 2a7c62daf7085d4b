"""The drift of the light: the distance between an accepted reading's colours and a profile's."""

import numpy as np

from cube.moves import FACES
from vision.colours.profile import ColourProfile
from vision.reading import CubeReading

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
    labs = np.array([sticker.lab for sticker in reading.stickers])
    by_name = {colour: face for face, colour in profile.scheme.items()}
    scheme = dict(reading.scheme)
    known = {face: by_name.get(scheme.get(face, ""), face) for face in FACES}
    off = labs - [profile.colours[known[letter]] for letter in reading.best.text]
    off = off[np.isfinite(off).all(axis=1)]
    return float(np.linalg.norm(np.median(off, axis=0))) if len(off) else 0.0
