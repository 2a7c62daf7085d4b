"""The choice between the places that several copies of a picture show.

Noise, glare and shadows differ between the copies, but a face stays where it is. So a place that
several copies show is likelier than one that a single copy shows. Copies with the same pixels are
not independent and count once.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.faces.copies import PIXELS_OF, PictureCopy
from vision.faces.face_score import SURE_SCORE
from vision.faces.lattice import Lattice

# Addition to the log odds for each copy that shows the same nine places, the minimum score for
# that, and the minimum score of the place itself. Chosen on the 42 stresses and on 10000 pictures
# without a cube. A copy that is far from sure of a place still finds it there.
# If a whole row of places has no votes, the face may be a row further in all of them: then only one
# copy counts, and at least one is needed. Without that, one of 4956 stressed faces more would be
# found, and one of 10000 pictures without a cube more would show a face.
_AGREED, _LEAST_HEARD, _LEAST_AGREED_SCORE = 0.6, -4.0, -1.0
# Two copies show the same places if each is this near, as a share of the sum of both steps.
_NEAR = 0.2
# Minimum number of votes for a place: nine parts of three long regions, such as books in a row,
# have 4.5. Of 2478 stressed faces none was lost by it.
_LEAST_VOTES = 5.0
# Minimum number of separate regions among them: three books that the picture's border cuts are nine
# parts, and two of them may be regions, too. Of 4956 stressed faces none was lost by it; with 4,
# four.
_LEAST_WHOLE = 3
# More votes than this make a high score sure: with two rows of three it may be the face, or the
# face shifted by a row.
_TWO_ROWS = 6.0


@dataclass(frozen=True, slots=True, eq=False)
class CopyFace:
    """The result of one copy.

    Attributes:
        score: Log odds of a face.
        lattice: Its place, in pixels of the copy.
        copy: The copy.
        number: Its index in `COPIES`.
        places: (9, 2) pixels of the picture, the stickers' centres row by row.
    """

    score: float
    lattice: Lattice
    copy: PictureCopy
    number: int
    places: NDArray[np.float64]

    @property
    def sure(self) -> bool:
        """Whether this result is clear enough to skip the other copies."""
        return self.score >= SURE_SCORE and float(self.lattice.voters.sum()) > _TWO_ROWS


def likeliest(found: Sequence[CopyFace]) -> tuple[CopyFace, float] | None:
    """Return the likeliest face, and its log odds including the evidence of other copies.

    Of all results in this place, the one with the most voters is returned: its position is the most
    accurate.
    """
    heard = [each for each in found if each.score >= _LEAST_HEARD]
    if not heard:
        return None
    places = np.array([each.places for each in heard])
    steps = np.linalg.norm(places[:, 1] - places[:, 0], axis=1)
    steps += np.linalg.norm(places[:, 3] - places[:, 0], axis=1)
    apart = np.linalg.norm(places[:, None] - places[None], axis=3).max(axis=2)
    same = apart < _NEAR * steps[:, None]
    pixels = np.array([PIXELS_OF[each.number] for each in heard])
    voters = np.array([each.lattice.voters for each in heard])
    rows = np.concatenate([voters.sum(axis=1), voters.sum(axis=2)], axis=1)
    two_rows = rows.min(axis=1) == 0.0
    others = np.array(
        [len({*pixels[here].tolist(), own}) - 1 for here, own in zip(same, pixels, strict=True)]
    )
    alone = two_rows & (others == 0)
    whole = np.count_nonzero(voters >= 1.0, axis=(1, 2))
    stripes = (voters.sum(axis=(1, 2)) < _LEAST_VOTES) | (whole < _LEAST_WHOLE)
    scores = np.array([each.score for each in heard])
    likely = scores >= _LEAST_AGREED_SCORE
    agreed = scores + _AGREED * np.where(two_rows, np.minimum(1, others), others)
    counted = np.where(alone | stripes | ~likely, -np.inf, agreed)
    best = int(np.argmax(counted))
    agreeing = [heard[number] for number in np.flatnonzero(same[best] & likely)]
    if not agreeing:
        return None
    clearest = max(agreeing, key=lambda each: (each.lattice.voters.sum(), each.score))
    return clearest, float(counted[best])
