"""Which of the places that several copies of a picture show is the face?

Noise, glare and shadows make each copy see something else, but a face stays where it is. So what
several copies show in one place is likelier than what one of them shows. Copies that share their
pixels say the same thing twice and count once.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.faces.copies import PIXELS_OF, PictureCopy
from vision.faces.face_score import SURE_SCORE
from vision.faces.lattice import Lattice

# What each copy that shows the same nine places adds to the log odds, and the score it must give
# them itself. Chosen on the 42 stresses and on 1000 pictures without a cube, with other seeds than
# those measured.
_AGREED, _LEAST_SCORE = 0.6, -1.0
# Two copies show the same places when each is this near, as a share of the sum of both steps.
_NEAR = 0.15
# Votes that a place needs at least: nine parts of three long regions, as of books in a row, have
# 4.5. Of 2478 stressed faces none was lost by it.
_LEAST_VOTES = 5.0
# Regions of their own that must be among them: three books that the picture's border cuts are nine
# parts, and one of them may be a region too. Under the 2478 stresses, seed 11, a face that is found
# has three at least.
_LEAST_WHOLE = 2
# Votes for a place, more than which make a high score sure: with two rows of three it may be the
# face, or the face shifted by a row onto what is beside it.
_TWO_ROWS = 6.0


@dataclass(frozen=True, slots=True, eq=False)
class CopyFace:
    """What one copy shows.

    Attributes:
        score: Log odds of a face.
        lattice: Where, in pixels of the copy.
        copy: The copy.
        number: Which of the `COPIES` it is.
        places: (9, 2) pixels of the picture, the stickers' middles row by row.
    """

    score: float
    lattice: Lattice
    copy: PictureCopy
    number: int
    places: NDArray[np.float64]

    @property
    def sure(self) -> bool:
        """Whether it is a face without a look at any other copy."""
        return self.score >= SURE_SCORE and float(self.lattice.voters.sum()) > _TWO_ROWS


def likeliest(found: Sequence[CopyFace]) -> tuple[CopyFace, float] | None:
    """Return what is most likely a face, and its log odds with what other copies say about it.

    Of all that is in this place, the one with the most voters is returned: it lies best.
    """
    heard = [each for each in found if each.score >= _LEAST_SCORE]
    if not heard:
        return None
    places = np.array([each.places for each in heard])
    steps = np.linalg.norm(places[:, 1] - places[:, 0], axis=1)
    steps += np.linalg.norm(places[:, 3] - places[:, 0], axis=1)
    apart = np.linalg.norm(places[:, None] - places[None], axis=3).max(axis=2)
    same = apart < _NEAR * steps[:, None]
    pixels = np.array([PIXELS_OF[each.number] for each in heard])
    scores = [
        each.score + _AGREED * (len(set(pixels[here].tolist()) | {int(own)}) - 1)
        for each, here, own in zip(heard, same, pixels, strict=True)
    ]
    voters = np.array([each.lattice.voters for each in heard]).reshape(-1, 9)
    whole = np.count_nonzero(voters >= 1.0, axis=1)
    stripes = (voters.sum(axis=1) < _LEAST_VOTES) | (whole < _LEAST_WHOLE)
    counted = np.where(stripes, -np.inf, scores)
    best = int(np.argmax(counted))
    there = [each for each, here in zip(heard, same[best], strict=True) if here]
    likely = max(there, key=lambda each: (each.lattice.voters.sum(), each.score))
    return likely, float(counted[best])
