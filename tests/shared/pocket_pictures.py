"""Pictures of 2×2×2 cubes from pictures of 3×3×3 ones."""

import cv2
import numpy as np

from benchmarks.vision.face_conditions import Labelled, warp

_CORNERS = [0, 2, 6, 8]


def as_pocket(picture: Labelled) -> Labelled:
    """Remove the middle row and the middle column of a face, across the whole picture.

    The picture is first warped so that the face is upright and the cuts are straight.

    Args:
        picture: A face of nine stickers, row by row.

    Returns:
        A picture with four stickers in the middle of its face, (4, 2) centres row by row.
    """
    corners = picture.middles[_CORNERS].astype(np.float32)
    step = picture.step
    middle = corners.mean(axis=0)
    upright = middle + step * np.array([(-1, -1), (1, -1), (-1, 1), (1, 1)], dtype=np.float32)
    mapping = cv2.getPerspectiveTransform(corners, upright.astype(np.float32))
    flat = warp(picture, np.asarray(mapping, dtype=np.float64))
    height, width = flat.image.shape[:2]
    low = np.rint(middle - step / 2).astype(int)
    high = low + round(step)
    columns = np.delete(np.arange(width), np.arange(max(0, low[0]), min(width, high[0])))
    rows = np.delete(np.arange(height), np.arange(max(0, low[1]), min(height, high[1])))
    middles = flat.middles[_CORNERS]
    return Labelled(
        picture.name,
        np.ascontiguousarray(flat.image[np.ix_(rows, columns)]),
        np.where(middles > middle, middles - round(step), middles),
    )
