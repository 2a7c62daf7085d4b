"""Which of several cubes a face before a camera belongs to, in any rotation.

The cube was read before, so its colours are known as this camera sees them; the question is only
which of a few states it has.

This module also decides whether two readings show the same face of a cube, perhaps rotated in its
plane.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from cube.facelets import Facelets
from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from vision.colours.assignment import median_colours
from vision.colours.colour_model import (
    NAMED_COLOURS,
    ColourModel,
    fit_models,
    log_densities,
    seed_models,
    seen_stickers,
)
from vision.colours.illumination import fit_illumination
from vision.colours.scheme import labels_of
from vision.colours.sticker_colours import StickerColours
from vision.reading import CubeReading, FaceReading

Array = NDArray[np.float64]

# The centre may differ by this many times the median of the stickers: logos are printed on it. It
# must not differ by more, because no two faces have the same centre.
_CENTRE = 3.0


def face_labs(face: FaceReading) -> Array:
    """(9, 3) CIELAB of the stickers; NaN where not seen."""
    return np.array([sticker.lab for sticker in face.stickers], dtype=np.float64)


def face_difference(one: FaceReading, other: FaceReading) -> float:
    """Median ΔE of corresponding stickers."""
    return float(np.nanmedian(_differences(face_labs(one), face_labs(other))))


def recognise(
    face: FaceReading, known: Mapping[str, FaceReading], limit: float
) -> tuple[str, int] | None:
    """Find the known face that shows the same nine stickers, in any rotation.

    Args:
        face: The reading.
        known: The known faces, by letter.
        limit: Median ΔE of corresponding stickers below which faces are the same.

    Returns:
        Its letter, and the fewest quarter turns anticlockwise that align `face` with it; None if it
        is none of them.
    """
    seen = face_labs(face).reshape(3, 3, 3)
    for turn in range(4):
        turned = np.rot90(seen, turn).reshape(9, 3)
        for letter, other in known.items():
            apart = _differences(turned, face_labs(other))
            if np.nanmedian(apart) < limit and not apart[4] >= _CENTRE * limit:
                return letter, turn
    return None


def _differences(one: Array, other: Array) -> Array:
    """Return ΔE of corresponding stickers, lightness counted half: shadows of the hand move."""
    return np.asarray(np.linalg.norm((one - other) * (0.5, 1.0, 1.0), axis=1))


Labels = NDArray[np.intp]

# Width of the first guess's covariances, and the number of alternating estimations of colours and
# light.
_CAUTION, _USUAL_CAUTION, _ROUNDS = 1.5, 6.0, 4
# A face with fewer visible stickers tells nothing.
_LEAST_SEEN = 7
# Colours scatter more, by this factor, in later pictures in another pose.
_WIDER = 1.5
_CLIPPED = 0.985
# The light of a face is estimated, then again without the stickers that it does not explain.
_LIGHT_ROUNDS = 2


@dataclass(frozen=True, slots=True, eq=False)
class KnownColours:
    """The appearance of the six colours of one cube in even light.

    Attributes:
        means: (6, 3) encoded sRGB 0..1, index in URFDLB.
        whitening: (6, 3, 3) of each colour, as in `ColourModel`.
    """

    means: Array
    whitening: Array

    @classmethod
    def of_reading(cls, reading: CubeReading) -> Self:
        """Take them from a reading of the cube; its `best` gives the colour of each sticker."""
        seen = StickerColours.of_lab([sticker.lab for sticker in reading.stickers]).srgb
        labels = labels_of(reading.best)
        usual = cls.usual(dict(reading.scheme) or WESTERN_SCHEME)
        means = median_colours(seen, labels, usual.means)
        model = seed_models(means[None], np.array([_CAUTION]), len(seen))
        for _ in range(_ROUNDS):
            model = fit_models(seen, labels[None], model)
        return cls._of(model)

    @classmethod
    def usual(cls, scheme: Mapping[str, str]) -> Self:
        """Return the typical colours, for a cube that was typed and not seen.

        Args:
            scheme: Colour name of each face.
        """
        labs = [NAMED_COLOURS[scheme[face]] for face in FACES]
        means = StickerColours.of_lab(labs).srgb
        return cls._of(seed_models(means[None], np.array([_USUAL_CAUTION]), 54))

    @classmethod
    def _of(cls, model: ColourModel) -> Self:
        return cls(model.means[0], model.whitening[0])

    def misfits(self, colours: Array, labels: Labels) -> tuple[Array, Array]:
        """Return how badly each of several patterns explains the nine colours of a face.

        Args:
            colours: (9, 3) encoded sRGB 0..1; NaN where not seen.
            labels: (n, 9) index in URFDLB.

        Returns:
            (n,) nats, up to a constant; and (n,) the number of unexplained stickers.
        """
        seen = seen_stickers(colours)
        told = np.broadcast_to(np.where(seen[:, None], colours, 0.0), (*labels.shape, 3))
        means, whitening = self.means[labels], self.whitening[labels] / _WIDER
        values = told
        weights = np.broadcast_to(seen.astype(np.float64), labels.shape)
        for _ in range(_LIGHT_ROUNDS):
            light, penalty = fit_illumination(values, means, whitening, weights)
            lit = light * means
            # A channel that the camera clipped gives only a lower bound of the light.
            values = np.where((told > _CLIPPED) & (lit > told), lit, told)
            densities, usual = log_densities(values - lit, np.minimum(lit, 1.0), whitening)
            weights = np.where(seen, np.maximum(usual, 1e-3), 0.0)
        costs = penalty - np.where(seen, densities, 0.0).sum(axis=1)
        return costs, (seen & (usual < 0.5)).sum(axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class CubeFits:
    """How well each of several cubes explains a face.

    Attributes:
        costs: (cubes,) nats, up to a constant: of the face and rotation that explain it best.
        faces: The letter of that face, for each cube.
        odd: (cubes,) the number of unexplained stickers of the nine.
    """

    costs: Array
    faces: tuple[str, ...]
    odd: NDArray[np.intp]


class KnownFaces:
    """The faces of several cubes, for comparison with a camera's picture.

    Args:
        colours: The appearance of the cube's colours.
        cubes: Its possible states.
    """

    def __init__(self, colours: KnownColours, cubes: Sequence[Facelets]) -> None:
        self._colours = colours
        rows = np.array([face_patterns(cube) for cube in cubes])  # (cubes, 24, 9)
        self._patterns, places = np.unique(rows.reshape(-1, 9), axis=0, return_inverse=True)
        self._places = places.reshape(len(cubes), 24)

    def fits(self, face: FaceReading) -> CubeFits | None:
        """Compare a face with the cubes; None if too little of it was seen."""
        colours = StickerColours.of_lab([sticker.lab for sticker in face.stickers]).srgb
        if int(seen_stickers(colours).sum()) < _LEAST_SEEN:
            return None
        costs, odd = self._colours.misfits(colours, self._patterns)
        by_cube = costs[self._places]
        best = by_cube.argmin(axis=1)
        every = np.arange(len(best))
        return CubeFits(
            by_cube[every, best],
            tuple(FACES[int(row) // 4] for row in best),
            odd[self._places[every, best]],
        )


def face_patterns(cube: Facelets) -> Labels:
    """Return the patterns of the six faces in four rotations, (24, 9), index in URFDLB."""
    faces = labels_of(cube).reshape(6, 3, 3)
    return np.array([np.rot90(face, turn).ravel() for face in faces for turn in range(4)])
