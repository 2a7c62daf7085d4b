"""Finds the face of a cube in a picture, whatever its framing, rotation and light.

Copies of the picture (`vision.faces.copies`) are searched one after the other, until one shows a
face for sure, or the caller's time is over. Then the face that is likeliest in all of them counts,
if it is likely enough.

It also chooses between the places that several copies of a picture show.

Noise, glare and shadows differ between the copies, but a face stays where it is. So a place that
several copies show is likelier than one that a single copy shows. Copies with the same pixels are
not independent and count once.
"""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colours.first_guesses import nearest_colour
from vision.faces.candidates import find_candidates
from vision.faces.continuation import LEAST_SIDES
from vision.faces.copies import COPIES, PIXELS_OF, PictureCopy, large, small
from vision.faces.face_score import SURE_SCORE, face_scores, gather_evidence
from vision.faces.lattice import Lattice, vote
from vision.geometry.sampling import as_bgr8, sample_polygons
from vision.reading import FaceReading, StickerReading, as_polygon

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


Array = NDArray[np.float64]

PHOTO_LIMIT_S = 2.0
"""Time limit for a photo, in seconds; all copies of a photo without a face take a fifth of it."""
LIVE_LIMIT_S = 0.030
"""Time limit for a frame of a live camera, in seconds: thirty frames come per second."""

# Log odds, with the evidence of several copies, below which no face is reported. From 1.5 to 2.0
# six of 10000 pictures without a cube show a face, at 1.4 eight; at 2.0, 14 of 4956 stressed faces
# more are missed.
_LEAST_SCORE = 1.5
# Side of a sticker's outline as a share of the lattice step.
_OUTLINE = 0.84
_PLACES = np.array([(column, row) for row in range(3) for column in range(3)], dtype=np.float64)
_SQUARE = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


def find_face(image_bgr: NDArray[np.uint8], limit_s: float = PHOTO_LIMIT_S) -> FaceReading | None:
    """Find the face of a cube in a picture and read its nine colours one by one.

    Finds stickered and stickerless cubes, rolled by any angle, tilted up to about 40°, from a tenth
    of the picture's height; two stickers may be covered, or a quarter of the face may be outside
    the picture. If a face is rolled by more than 45°, the reading starts at the corner that is top
    left in the picture.

    Args:
        image_bgr: (h, w, 3) uint8; grey pictures, alpha channels and 16 bits are accepted too.
        limit_s: Limit of the search in seconds of processor time. The first copy is always
            searched, a further one if there is enough time.

    Returns:
        The face, its stickers named by the nearest of the six usual colours; None if there is no
        face.

    Raises:
        VisionError: The array is not a picture.
    """
    return search_copies(image_bgr, limit_s, range(len(COPIES)))[0]


def search_copies(
    image_bgr: NDArray[np.uint8], limit_s: float, order: Iterable[int]
) -> tuple[FaceReading | None, int, int]:
    """Find a face like `find_face`, in some of the `COPIES`, in a given order.

    Returns:
        The face or None; the copy that showed it, else −1; and the number of copies searched.

    Raises:
        VisionError: The array is not a picture.
    """
    image = as_bgr8(image_bgr)
    found: list[CopyFace] = []
    begin = last = time.thread_time()
    longest = 0.0
    searched = 0
    for number in order:
        if searched and last - begin + longest > limit_s:
            break
        searched += 1
        copy = COPIES[number](image)
        if copy is not None:
            found += _search(copy, number)
            if found and found[-1].sure:
                return _reading(image, found[-1], found[-1].score), number, searched
        now = time.thread_time()
        longest, last = max(longest, now - last), now
    best = likeliest(found)
    if best is None or best[1] < _LEAST_SCORE:
        return None, -1, searched
    return _reading(image, *best), best[0].number, searched


def find_regions(image_bgr: NDArray[np.uint8]) -> Array:
    """Find the regions that may be stickers: (n, 3) pixels, centre and side.

    Raises:
        VisionError: The array is not a picture.
    """
    image = as_bgr8(image_bgr)
    found = []
    for copy in (small(image), large(image)):
        if copy is not None:
            candidates = find_candidates(copy.image)
            whole = candidates.whole
            centres = copy.to_picture(candidates.centres[whole])
            found.append(np.column_stack([centres, candidates.sizes[whole] / copy.scale]))
    return np.concatenate(found)


def _search(copy: PictureCopy, number: int) -> list[CopyFace]:
    """Yield places that look like a face; a sure one comes last and ends the search.

    The first place is checked alone, because it usually is the right one. In a copy that is not
    plain, places whose surroundings are outside the picture do not count: they cannot be
    distinguished from a floor.
    """
    candidates = find_candidates(copy.image)
    lattices = vote(candidates)
    lab = np.asarray(cv2.cvtColor(copy.image, cv2.COLOR_BGR2Lab), dtype=np.uint8)
    found = []
    for many in (1, None):
        if some := list(islice(lattices, many)):
            evidence = gather_evidence(lab, candidates.edges, some, copy.margin_px)
            scores = face_scores(some, evidence)
            if not copy.plain:
                scores = np.where(evidence.sides < LEAST_SIDES, -np.inf, scores)
            for score, lattice in zip(scores.tolist(), some, strict=True):
                places = copy.to_picture(lattice.to_pixels(_PLACES))
                found.append(CopyFace(score, lattice, copy, number, places))
                if found[-1].sure:
                    return found
    return found


def _reading(image: NDArray[np.uint8], found: CopyFace, score: float) -> FaceReading:
    copy = found.copy
    squares = (_PLACES[:, None] + _SQUARE * _OUTLINE).reshape(-1, 2)
    outlines = copy.to_picture(found.lattice.to_pixels(squares)).reshape(9, 4, 2)
    stickers = []
    for number, lab in enumerate(sample_polygons(image, outlines)):
        colour, confidence = nearest_colour(lab)
        stickers.append(
            StickerReading(
                facelet=number,
                polygons=(as_polygon(outlines[number]),),
                lab=(float(lab[0]), float(lab[1]), float(lab[2])),
                colour=colour,
                confidence=confidence,
            )
        )
    return FaceReading(
        corners=as_polygon(copy.to_picture(found.lattice.corners)),
        stickers=tuple(stickers),
        score=float(1.0 / (1.0 + np.exp(-score))),
    )
