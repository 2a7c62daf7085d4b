"""What a lens and a moving hand do to the virtual camera's straight and still picture."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.pinhole import Pinhole, camera_matrix

Light = NDArray[np.float32]


class Lens:
    """Bends pictures radially (k1 of OpenCV's model).

    Args:
        pinhole: The camera without a lens.
        distortion: Coefficient k1; negative for barrels, 0 for none.
    """

    def __init__(self, pinhole: Pinhole, distortion: float) -> None:
        self._bends = distortion != 0.0
        if not self._bends:
            return
        width, height = pinhole.size
        matrix = camera_matrix(pinhole.focal_px, pinhole.size)
        pixels = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1)
        straight = cv2.undistortPoints(
            pixels.reshape(-1, 1, 2).astype(np.float64),
            matrix,
            np.array([distortion, 0.0, 0.0, 0.0]),
            P=matrix,
        )
        # Where the straight picture has what each pixel of the bent one shows.
        places = np.asarray(straight, np.float32).reshape(height, width, 2)
        self._x, self._y = (np.ascontiguousarray(places[..., axis]) for axis in (0, 1))

    def bend(self, picture: Light) -> Light:
        """Return the picture, (h, w, 3), as the lens draws it; its border is continued."""
        if not self._bends:
            return picture
        bent = cv2.remap(
            picture, self._x, self._y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(bent, dtype=np.float32)


def smeared(picture: Light, motion_px: float) -> Light:
    """Return the picture, (h, w, 3) linear light, moved by so many pixels along its rows."""
    length = round(motion_px)
    if length < 2:
        return picture
    return np.asarray(cv2.blur(picture, (length, 1)), dtype=np.float32)
