"""A person with a cube before a webcam, who shows its faces and turns them."""

from collections.abc import Iterator, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from cube.facelets import facelet_name
from cube.moves import FACES, Move
from cube.net import WESTERN_SCHEME
from cube.state import CubeState
from vision.frame import Frame
from vision.geometry.light import WEBCAM, Light, Optics
from vision.geometry.scene import TurningFace
from vision.virtual.render import Renderer
from vision.virtual.viewpoints import hand_held_viewpoint

Image = NDArray[np.uint8]

# How far a face is turned away from where the net has it, and how far a hand trembles from picture
# to picture: standard deviations.
_ROLL_DEG, _TILT_DEG, _SHIFT_MM = 5.0, 6.0, 6.0
_TREMBLE_PX, _TREMBLE_DEG = 1.2, 0.4
# A hand is over so many stickers of the picture while it turns; and how fast pictures smear then.
_FINGERS, _SMEAR_PX = 2, 5
_PICTURES_A_QUARTER = 4
_NAME = "hand"


class HandHeldCube:
    """Delivers the pictures that a webcam takes meanwhile; the same seed gives the same pictures.

    Args:
        state: The cube.
        seed: Of how the person holds it, and of the pictures' noise.
        scheme: Its colours.
        light: The room.
        optics: The webcam.
    """

    def __init__(
        self,
        state: CubeState,
        seed: int = 0,
        *,
        scheme: Mapping[str, str] = WESTERN_SCHEME,
        light: Light | None = None,
        optics: Optics = WEBCAM,
    ) -> None:
        self.state = state
        self.face = "F"
        """The face before the camera."""
        self._rng = np.random.default_rng(seed)
        self._scheme = scheme
        self._light = Light() if light is None else light
        self._optics = optics
        self._renderer = self._posed(0.0)
        self._tremor = np.zeros(3)

    def show(self, face: str, *, away: int = 3, quarters: int = 0) -> Iterator[Frame]:
        """Bring another face before the camera; the desk is seen meanwhile.

        Args:
            face: Its letter.
            away: For so many pictures.
            quarters: Quarter turns clockwise of the whole cube from how the net has the face.
        """
        self.face = face
        self._renderer = self._posed(90.0 * quarters)
        desk = np.full((480, 640, 3), 140, np.uint8)
        for _ in range(away):
            yield Frame(desk, _NAME)

    def hold(self, pictures: int) -> Iterator[Frame]:
        """Hold the cube still, as well as hands can."""
        for _ in range(pictures):
            yield Frame(self._trembling(self._render()), _NAME)

    def turn(self, move: Move) -> Iterator[Frame]:
        """Turn a face, with fingers before it; afterwards `state` has turned."""
        signed = move.quarter_turns
        pictures = _PICTURES_A_QUARTER * abs(signed)
        for number in range(pictures):
            angle_deg = 90.0 * signed * (number + 0.5) / pictures
            image = self._render(TurningFace(move.face, angle_deg), self._fingers())
            smeared = cv2.blur(image, (_SMEAR_PX, 1 + 2 * (number % 2)))
            yield Frame(self._trembling(np.asarray(smeared, dtype=np.uint8)), _NAME)
        self.state = self.state.apply(move)

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
        return Renderer(viewpoint, self._light, self._optics, scheme=self._scheme, seed=seed)

    def _render(self, turn: TurningFace | None = None, covered: tuple[str, ...] = ()) -> Image:
        return self._renderer.render(self.state.to_facelets(), self._rng, turn, covered)

    def _fingers(self) -> tuple[str, ...]:
        """Choose stickers at the rim of the face that is shown."""
        rim = [0, 1, 2, 3, 5, 6, 7, 8]
        first = 9 * FACES.index(self.face)
        chosen = self._rng.choice(rim, size=_FINGERS, replace=False)
        return tuple(facelet_name(first + int(cell)) for cell in chosen)

    def _trembling(self, image: Image) -> Image:
        """Move a picture as a hand does that follows its own tremor back to rest."""
        spread = (_TREMBLE_PX, _TREMBLE_PX, _TREMBLE_DEG)
        self._tremor = 0.6 * self._tremor + 0.8 * self._rng.normal(0.0, spread)
        x, y, angle_deg = self._tremor
        height, width = image.shape[:2]
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), angle_deg, 1.0)
        matrix[:, 2] += np.array((x, y))
        moved = cv2.warpAffine(image, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(moved, dtype=np.uint8)
