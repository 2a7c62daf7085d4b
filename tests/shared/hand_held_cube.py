"""A person with a cube before a webcam, who shows its faces."""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.vision.hand_held import hand_held_viewpoint
from cube.state import CubeState
from vision.frame import Frame
from vision.geometry.light import WEBCAM, Light
from vision.virtual.render import Renderer

Image = NDArray[np.uint8]

# Rotation of a face from its orientation in the net, and tremor of a hand from picture to picture:
# standard deviations.
_ROLL_DEG, _TILT_DEG, _SHIFT_MM = 5.0, 6.0, 6.0
_TREMBLE_PX, _TREMBLE_DEG = 1.2, 0.4
_NAME, _PICTURE_S = "hand", 1 / 15


class HandHeldCube:
    """Delivers the pictures of a webcam; the same seed gives the same pictures.

    Args:
        state: The cube.
        seed: Seed of the hand's movements and of the pictures' noise.
    """

    def __init__(self, state: CubeState, seed: int = 0) -> None:
        self.state = state
        self.face = "F"
        """The face before the camera."""
        self._rng = np.random.default_rng(seed)
        self._renderer = self._posed(0.0)
        self._tremor = np.zeros(3)
        self._pictures = 0

    def show(self, face: str, *, away: int = 3, quarters: int = 0) -> Iterator[Frame]:
        """Bring another face before the camera; meanwhile the desk is visible.

        Args:
            face: Its letter.
            away: Number of pictures of the desk.
            quarters: Quarter turns clockwise of the whole cube from the face's orientation in the
                net.
        """
        self.face = face
        self._renderer = self._posed(90.0 * quarters)
        desk = np.full((480, 640, 3), 140, np.uint8)
        for _ in range(away):
            yield self._frame(desk)

    def hold(self, pictures: int) -> Iterator[Frame]:
        """Hold the cube still, apart from tremor."""
        for _ in range(pictures):
            yield self._frame(self._trembling(self._render()))

    def _frame(self, image: Image) -> Frame:
        self._pictures += 1
        return Frame(image, _NAME, self._pictures * _PICTURE_S)

    def _posed(self, roll_deg: float) -> Renderer:
        normal = self._rng.normal
        viewpoint = hand_held_viewpoint(
            self.face,
            roll_deg=roll_deg + float(normal(0.0, _ROLL_DEG)),
            tilt_deg=float(np.clip(normal(0.0, _TILT_DEG), -15.0, 15.0)),
            pan_deg=float(np.clip(normal(0.0, _TILT_DEG), -15.0, 15.0)),
            distance_mm=float(self._rng.uniform(155.0, 220.0)),
            shift_mm=(float(normal(0.0, _SHIFT_MM)), float(normal(0.0, _SHIFT_MM))),
        )
        seed = int(self._rng.integers(1 << 30))
        return Renderer(viewpoint, Light(), WEBCAM, seed=seed)

    def _render(self) -> Image:
        return self._renderer.render(self.state.to_facelets(), self._rng)

    def _trembling(self, image: Image) -> Image:
        """Move a picture like a trembling hand that returns to its position."""
        spread = (_TREMBLE_PX, _TREMBLE_PX, _TREMBLE_DEG)
        self._tremor = 0.6 * self._tremor + 0.8 * self._rng.normal(0.0, spread)
        x, y, angle_deg = self._tremor
        height, width = image.shape[:2]
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), angle_deg, 1.0)
        matrix[:, 2] += np.array((x, y))
        moved = cv2.warpAffine(image, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(moved, dtype=np.uint8)
