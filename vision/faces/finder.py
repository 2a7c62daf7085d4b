"""Finds the face of a cube in a picture, whatever its framing, rotation and light.

Copies of the picture (`vision.faces.copies`) are searched one after the other, until one shows a
face for sure, or the caller's time is over. Then the face that is likeliest in all of them counts,
if it is likely enough.
"""

import time
from collections.abc import Iterable
from itertools import islice

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colours.first_guesses import nearest_colour
from vision.faces.agreement import CopyFace, likeliest
from vision.faces.candidates import find_candidates
from vision.faces.continuation import LEAST_SIDES
from vision.faces.copies import COPIES, PictureCopy, large, small
from vision.faces.face_score import face_scores, gather_evidence
from vision.faces.lattice import vote
from vision.geometry.sampling import as_bgr8, sample_polygons
from vision.reading import FaceReading, StickerReading, as_polygon

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
