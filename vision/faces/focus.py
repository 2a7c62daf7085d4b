"""Is a picture as a whole out of focus or smeared?"""

import cv2
import numpy as np
from numpy.typing import NDArray

# Standard deviation in pixels of the Gaussian that takes the grain of the sensor away first.
_GRAIN_PX = 1.0
# The share of pixels that are less of an edge than the strongest edges, in per cent.
_STRONG = 99.8
# Curvature of the lightness over its slope, at the strongest edges, below which a picture is
# blurred. Photos 320 pixels wide have 0.53 to 1.3; once a Gaussian of 1 pixel blurs them, a tenth
# of them has less than 0.55, and of 2 pixels all have.
_BLURRED = 0.55


def is_blurred(image_bgr: NDArray[np.uint8]) -> bool:
    """Say whether even the strongest edges of a picture, (h, w, 3) uint8, are wide.

    A step in the lightness that a Gaussian blurs has a greatest curvature in proportion to its
    greatest slope, divided by the width of the Gaussian. A very noisy picture does not count as
    blurred.
    """
    grey = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    smooth = cv2.GaussianBlur(grey, (0, 0), _GRAIN_PX).astype(np.float32)
    slope = cv2.magnitude(
        cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=1 / 8),
        cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=1 / 8),
    )
    curvature = np.abs(cv2.Laplacian(smooth, cv2.CV_32F))
    return bool(_strongest(curvature) < _BLURRED * _strongest(slope))


def _strongest(values: cv2.typing.MatLike) -> float:
    return float(np.percentile(values, _STRONG))
