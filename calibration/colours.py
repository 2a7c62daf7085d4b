"""Measures the six colours of a cube in a given light, and follows the light afterwards."""

from collections.abc import Mapping
from datetime import datetime

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.errors import CalibrationError
from calibration.pair_scores import advice, failed_pairs, pair_scores
from cube.facelets import facelet_name
from cube.moves import FACES
from vision.colours.colour_spaces import HALF_LIGHTNESS, delta_e
from vision.colours.profile import ColourProfile, rounded_shade
from vision.colours.scheme import labels_of
from vision.reading import CubeReading

Array = NDArray[np.float64]

LEAST_SEEN = 4
"""Minimum number of visible stickers of a face: fewer cannot distinguish a colour from a
reflection.
"""

STRAY_SIGMAS = 3.5
"""Distance from its face's colour, in robust standard deviations, beyond which a sticker is odd."""

LEAST_STRAY = 14.0
"""ΔE 1976 by which light and reflections may change a sticker of a face."""

MOST_SCATTER = 15.0
"""ΔE 1976, robust standard deviation: faces of one colour scatter less than this in any light."""

DRIFT_THRESHOLD = 10.0
"""ΔE 1976 above which the light has changed: see docs/reading-colours.md."""

_SIGMA_OF_MEDIAN = 1.4826  # standard deviation of a normal distribution over its median deviation
_PROFILE_LOOKS = 4.0  # weight of a profile when a later reading is added to it


def measure_colours(
    labs: ArrayLike, scheme: Mapping[str, str], name: str, created: str
) -> ColourProfile:
    """Make a colour profile from the stickers of a solved cube.

    Args:
        labs: (54, 3) CIELAB (D65, L 0..100) in the order URFDLB; NaN for stickers not seen, such as
            those under couplers.
        scheme: Colour name of each face of the cube shown.
        name: Name of the profile.
        created: ISO 8601 date or time of the measurement.

    Returns:
        The profile: for each colour the median of its stickers and their root mean square
        distance from it.

    Raises:
        CalibrationError: Too little of a face was seen, or a face shows more than one colour; the
            message names the faces and colours.
    """
    values = np.array(labs, dtype=np.float64)
    _check_solved(values, _faces_seen(values, scheme), scheme)
    return describe_colours(values, scheme, name, created)


def describe_colours(
    labs: ArrayLike, scheme: Mapping[str, str], name: str, created: str
) -> ColourProfile:
    """Describe the colours of a solved cube, even if they are alike: to explain why it is refused.

    Args:
        labs: See `measure_colours`.
        scheme: See `measure_colours`.
        name: Name of the profile.
        created: ISO 8601 date or time of the measurement.

    Raises:
        CalibrationError: Too little of a face was seen; the message names it.
    """
    faces = _faces_seen(np.array(labs, dtype=np.float64), scheme)
    colours = {face: np.median(seen, axis=0) for face, seen in faces.items()}
    spread = {
        face: float(np.sqrt(np.mean(np.sum((seen - colours[face]) ** 2, axis=1))))
        for face, seen in faces.items()
    }
    return ColourProfile(
        name=name,
        created=created,
        scheme={face: scheme[face] for face in FACES},
        colours={face: rounded_shade(colours[face]) for face in FACES},
        spread={face: round(spread[face], 2) for face in FACES},
    )


def _faces_seen(values: Array, scheme: Mapping[str, str]) -> dict[str, Array]:
    """Return the visible stickers of each face, (n, 3)."""
    if values.shape != (54, 3):
        raise CalibrationError(
            f"a cube has 54 colours of 3 numbers, but these have the shape {values.shape}"
        )
    if set(scheme) != set(FACES) or len(set(scheme.values())) != 6:
        raise CalibrationError(f"the scheme must give six colours to the faces {' '.join(FACES)}")
    seen = {}
    for face, nine in zip(FACES, values.reshape(6, 9, 3), strict=True):
        seen[face] = nine[np.isfinite(nine).all(axis=1)]
        if len(seen[face]) < LEAST_SEEN:
            raise CalibrationError(
                f"only {len(seen[face])} stickers of face {face} ({scheme[face]}) were seen, but "
                f"at least {LEAST_SEEN} are needed; check the camera's view of that face"
            )
    return seen


def _check_solved(values: Array, faces: Mapping[str, Array], scheme: Mapping[str, str]) -> None:
    """Refuse an unsolved cube: a sticker looks like another face's colour.

    The limit follows the scatter of all faces about their medians, so that a glossy cube in hard
    light passes and one exchanged sticker on a matt cube does not.
    """
    medians = np.array([np.median(faces[face], axis=0) for face in FACES])
    apart = delta_e(values[:, None], medians, HALF_LIGHTNESS)
    distances = apart[np.arange(54), np.arange(54) // 9]
    typical = _SIGMA_OF_MEDIAN * float(np.nanmedian(distances))
    if typical > MOST_SCATTER:
        mixed = FACES[int(np.nanmedian(distances.reshape(6, 9), axis=1).argmax())]
        raise CalibrationError(
            f"the cube is not solved: its faces show several colours each, face {mixed} the "
            "most; show a solved cube"
        )
    limit = max(LEAST_STRAY, STRAY_SIGMAS * typical)
    odd: dict[str, list[tuple[int, str]]] = {}
    for facelet in np.flatnonzero((distances > limit) & (apart.min(axis=1) < distances)).tolist():
        looks_like = scheme[FACES[int(apart[facelet].argmin())]]
        odd.setdefault(FACES[facelet // 9], []).append((facelet, looks_like))
    if odd:
        raise CalibrationError(_unsolved_text(odd, scheme))


def _unsolved_text(odd: Mapping[str, list[tuple[int, str]]], scheme: Mapping[str, str]) -> str:
    face = max(odd, key=lambda candidate: len(odd[candidate]))
    facelet, looks_like = odd[face][0]
    text = (
        f"face {face} ({scheme[face]}) is not one colour: {facelet_name(facelet)} "
        f"looks {looks_like}"
    )
    rest = [other for other in FACES if other in odd and other != face]
    if rest:
        text += f"; faces {', '.join(rest)} are mixed too"
    return f"{text}. Show a solved cube, or remove the reflection on {facelet_name(facelet)}"


def seen_labs(reading: CubeReading) -> NDArray[np.float64]:
    """Return the (54, 3) CIELAB colours as seen, NaN where a sticker was not."""
    labs = np.empty((54, 3))
    labs[list(reading.cells)] = [sticker.lab for sticker in reading.stickers]
    return labs


def measured_profile(reading: CubeReading, scheme: Mapping[str, str], name: str) -> ColourProfile:
    """Make the profile of a cube that was seen solved.

    Args:
        reading: Reading of the solved cube.
        scheme: Colour name of each face.
        name: Name of the profile.

    Raises:
        CalibrationError: The cube is not solved, or its colours cannot be distinguished.
    """
    created = datetime.now().astimezone().isoformat("T", "seconds")
    made = measure_colours(seen_labs(reading), scheme, name, created)
    if problem := advice(failed_pairs(pair_scores(made))):
        raise CalibrationError(problem)
    return made


def learn_reading(profile: ColourProfile, reading: CubeReading, created: str) -> ColourProfile:
    """Move a profile towards the light of one more cube, which was verified.

    Args:
        profile: The previous profile; it counts as four looks.
        reading: The verified cube.
        created: ISO 8601 time.
    """
    labs = np.array([sticker.lab for sticker in reading.stickers])
    labels = labels_of(reading.best)
    colours = {}
    for colour, face in enumerate(FACES):
        before = np.array(profile.colours[face])
        mine = labs[(labels == colour) & np.isfinite(labs).all(axis=1)]
        step = np.median(mine, axis=0) - before if len(mine) else np.zeros(3)
        colours[face] = rounded_shade(before + step / (1.0 + _PROFILE_LOOKS))
    return msgspec.structs.replace(profile, created=created, colours=colours)


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
