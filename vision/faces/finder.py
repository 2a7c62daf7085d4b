"""Find the one face of a cube that a picture shows, however it is framed and turned."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colours.seeding import nearest_colour
from vision.faces.candidates import find_candidates
from vision.faces.face_score import SURE_SCORE, face_scores, gather_evidence
from vision.faces.focus import is_blurred
from vision.faces.lattice import Lattice, vote
from vision.geometry.sampling import as_bgr8, sample_polygons
from vision.reading import FaceReading, StickerReading, as_polygon

Array = NDArray[np.float64]

# Longer side, in pixels, of the copies that are searched. The small one shows blurred and large
# faces best; the other, with small faces, is not searched when the first already shows a sure one.
# Of a blurred picture a still smaller copy is searched between them: it looks sharp again.
_SEARCH_SIDES, _BLURRED_SIDE = (320, 640), 240
# Side of a sticker's outline as a share of the lattice step.
_OUTLINE = 0.84
_PLACES = np.array([(column, row) for row in range(3) for column in range(3)], dtype=np.float64)
_SQUARE = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    score: float
    lattice: Lattice


def find_face(image_bgr: NDArray[np.uint8]) -> FaceReading | None:
    """Find the face of a cube in a picture and read its nine colours one by one.

    Finds stickered and stickerless cubes, rolled by any angle, tilted up to about 40°, from a tenth
    of the picture's height; two stickers may be covered. Of a face rolled by more than 45° the
    reading starts at the corner that is top left in the picture.

    Args:
        image_bgr: (h, w, 3) uint8; grey pictures, alpha channels and 16 bits are accepted too.

    Returns:
        The face, its stickers named by the nearest of the six usual colours; None when there is no
        face.

    Raises:
        VisionError: The array is no picture.
    """
    image = as_bgr8(image_bgr)
    best: tuple[_Found, float] | None = None
    for copy, scale in searched_copies(image):
        found = _search(copy)
        if found is not None and (best is None or found.score > best[0].score):
            best = found, scale
        if best is not None and best[0].score >= SURE_SCORE:
            break
    if best is None or best[0].score < 0.0:
        return None
    return _reading(image, best[0], best[1])


def searched_copies(image: NDArray[np.uint8]) -> Iterator[tuple[NDArray[np.uint8], float]]:
    """Yield the shrunk copies of a picture, (h, w, 3) uint8 BGR, that are searched one by one.

    Returns:
        Each copy with its scale, the one that is most likely to show the face first.
    """
    longer = max(image.shape[:2])
    small, large = (min(1.0, side / longer) for side in _SEARCH_SIDES)
    copy = _shrunk(image, small)
    yield copy, small
    if small == 1.0:
        return
    if is_blurred(copy):
        smaller = _BLURRED_SIDE / longer
        yield _shrunk(image, smaller), smaller
    yield _shrunk(image, large), large


def find_regions(image_bgr: NDArray[np.uint8]) -> Array:
    """Find the regions that may be stickers: (n, 3) pixels, middle and side.

    Raises:
        VisionError: The array is no picture.
    """
    image = as_bgr8(image_bgr)
    found = []
    for side in _SEARCH_SIDES:
        scale = min(1.0, side / max(image.shape[:2]))
        candidates = find_candidates(_shrunk(image, scale))
        whole = candidates.whole
        centres = _to_image(candidates.centres[whole], scale)
        found.append(np.column_stack([centres, candidates.sizes[whole] / scale]))
    return np.concatenate(found)


def _shrunk(image: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
    if scale >= 1.0:
        return image
    width, height = (max(1, round(n * scale)) for n in (image.shape[1], image.shape[0]))
    small = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8)


def _search(image: NDArray[np.uint8]) -> _Found | None:
    """Find what is most like a face. The first place is checked alone, for it mostly is the one."""
    candidates = find_candidates(image)
    lattices = vote(candidates)
    lab = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2Lab), dtype=np.uint8)
    best: _Found | None = None
    for many in (1, None):
        if some := list(islice(lattices, many)):
            scores = face_scores(some, gather_evidence(lab, candidates.edges, some))
            for score, lattice in zip(scores.tolist(), some, strict=True):
                if best is None or score > best.score:
                    best = _Found(score, lattice)
                if best.score >= SURE_SCORE:
                    return best
    return best


def _reading(image: NDArray[np.uint8], found: _Found, scale: float) -> FaceReading:
    squares = (_PLACES[:, None] + _SQUARE * _OUTLINE).reshape(-1, 2)
    outlines = _to_image(found.lattice.to_pixels(squares), scale).reshape(9, 4, 2)
    stickers = []
    for number, sample in enumerate(sample_polygons(image, outlines)):
        lab = sample.lab
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
    outline = np.array([(-0.5, -0.5), (2.5, -0.5), (2.5, 2.5), (-0.5, 2.5)])
    return FaceReading(
        corners=as_polygon(_to_image(found.lattice.to_pixels(outline), scale)),
        stickers=tuple(stickers),
        score=float(1.0 / (1.0 + np.exp(-found.score))),
    )


def _to_image(points: Array, scale: float) -> Array:
    """From pixels of the shrunk copy to pixels of the picture; whole numbers are pixel middles."""
    return (points + 0.5) / scale - 0.5
