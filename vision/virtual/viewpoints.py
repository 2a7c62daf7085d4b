"""The default rig's two corner cameras, a camera before a hand-held face, and the rig's views.

This module also contains a person with a cube before a webcam, who shows its faces and turns them.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

import cv2
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from cube.facelets import facelet_name
from cube.moves import FACES, Move
from cube.net import WESTERN_SCHEME
from cube.state import CubeState
from vision.errors import VisionError
from vision.frame import Frame
from vision.geometry.light import WEBCAM, Light, Optics
from vision.geometry.pinhole import Pinhole
from vision.geometry.scene import FACE_AXES, HALF_MM, Couplers, TurningFace, rotation_about
from vision.geometry.view import View
from vision.geometry.view_geometry import view_from
from vision.virtual.background import Background
from vision.virtual.render import Renderer, Viewpoint

CORNER_CAMERAS = {
    "A": Pinhole.at((90.0, 69.0, 127.0), (2.0, 2.0, 2.0), focal_px=720.0, roll_deg=9.0),
    "B": Pinhole.at((-125.0, -71.0, -90.0), (-2.0, -2.0, -2.0), focal_px=720.0, roll_deg=-7.0),
}
"""A looks at the corner of U, R and F, B at the opposite one of D, L and B."""


_BEFORE_FACE_MM = 160.0
_BEFORE_EDGE_MM = 190.0
_STRAIGHT_FOCAL_PX = 608.0


def corner_viewpoint(camera: str, couplers: Couplers = Couplers.CENTRE_COLOUR) -> Viewpoint:
    """Return the viewpoint of the default rig's camera "A" or "B".

    Raises:
        VisionError: The rig has no such camera.
    """
    if camera not in CORNER_CAMERAS:
        raise VisionError(f"the default rig has no camera {camera!r}, only A and B")
    return Viewpoint(f"virtual camera {camera}", CORNER_CAMERAS[camera], couplers, Background.RIG)


def hand_held_viewpoint(
    face: str,
    *,
    roll_deg: float = 0.0,
    tilt_deg: float = 0.0,
    pan_deg: float = 0.0,
    distance_mm: float = 160.0,
    shift_mm: tuple[float, float] = (0.0, 0.0),
    size: tuple[int, int] = (640, 480),
    background: Background = Background.DESK,
) -> Viewpoint:
    """Return the viewpoint of a webcam with a hand-held face before it, upright as in the net.

    Args:
        face: The face shown.
        roll_deg: Rotates the face clockwise in the picture.
        tilt_deg: Shows more of the upper neighbour when positive.
        pan_deg: Shows more of the right neighbour when positive.
        distance_mm: Distance from the face's centre.
        shift_mm: Moves the face right and down in the picture.
        size: Width and height of the picture in pixels.
        background: The background.

    Raises:
        VisionError: There is no such face, or it is turned out of sight.
    """
    if face not in FACE_AXES:
        raise VisionError(f"{face!r} is not a face; the faces are {' '.join(FACES)}")
    if not (abs(tilt_deg) < 80.0 and abs(pan_deg) < 80.0 and distance_mm > 2.0 * HALF_MM):
        raise VisionError("a face must be tilted by less than 80° and be at least 57 mm away")
    normal, right, down = (
        np.array(v, dtype=np.float64)
        for v in (FACE_AXES[face].normal, FACE_AXES[face].right, FACE_AXES[face].down)
    )
    turned = rotation_about(down, -pan_deg) @ rotation_about(right, -tilt_deg)
    middle = HALF_MM * normal - shift_mm[0] * right - shift_mm[1] * down
    return Viewpoint(
        f"virtual webcam at {face}",
        Pinhole.at(
            middle + distance_mm * (turned @ normal),
            middle,
            focal_px=0.95 * size[0],
            size=size,
            roll_deg=-roll_deg,
            up=-(turned @ down),
        ),
        Couplers.NONE,
        background,
    )


def straight_viewpoint(faces: Sequence[str], name: str) -> Viewpoint:
    """Return a camera that looks straight at some faces of a cube in a machine.

    Args:
        faces: One face, two neighbours, or three around a corner; one of them is upright in the
            picture as in the net.
        name: The name of the camera.

    Raises:
        VisionError: These faces are not all visible from one position.
    """
    if not faces or len({FACES.index(face) % 3 for face in faces}) != len(faces):
        raise VisionError(f"no camera sees the faces {' '.join(faces) or '(none)'} at once")
    ahead = np.array([FACE_AXES[face].normal for face in faces], dtype=np.float64).sum(axis=0)
    ahead /= np.linalg.norm(ahead)
    distance_mm = HALF_MM + (_BEFORE_FACE_MM if len(faces) == 1 else _BEFORE_EDGE_MM)
    upright = next((face for face in faces if face not in "UD"), faces[0])
    up = -np.array(FACE_AXES[upright].down, dtype=np.float64)
    return Viewpoint(
        name,
        Pinhole.at(distance_mm * ahead, focal_px=_STRAIGHT_FOCAL_PX, up=up),
        Couplers.NONE,
        Background.RIG,
    )


@cache
def straight_view(faces: tuple[str, ...]) -> View:
    """Return the view of `straight_viewpoint`; its centres are read like any sticker.

    Raises:
        VisionError: These faces are not all visible from one position.
    """
    return view_from(straight_viewpoint(faces, "ahead").pinhole, {}, ())


def default_views(scheme: Mapping[str, str] = WESTERN_SCHEME) -> tuple[View, View]:
    """Return the views of the default rig's cameras A and B, from the rig's own geometry.

    Each facelet gets up to four patches, none under a coupler or its shaft; the centres, which the
    couplers hide, get the colours of the scheme.
    """
    first, second = _corner_views()
    return _coloured(first, scheme), _coloured(second, scheme)


@cache
def _corner_views() -> tuple[View, View]:
    """Compute the rig's geometry once: this takes longer than reading a picture."""
    first, second = (view_from(CORNER_CAMERAS[name], WESTERN_SCHEME) for name in "AB")
    return first, second


def _coloured(view: View, scheme: Mapping[str, str]) -> View:
    return structs.replace(view, centres={face: scheme[face] for face in view.centres})


Image = NDArray[np.uint8]

# Rotation of a face from its orientation in the net, and tremor of a hand from picture to picture:
# standard deviations.
_ROLL_DEG, _TILT_DEG, _SHIFT_MM = 5.0, 6.0, 6.0
_TREMBLE_PX, _TREMBLE_DEG = 1.2, 0.4
# Number of stickers under a hand while it turns a face; and motion blur during it.
_FINGERS, _SMEAR_PX = 2, 5
_PICTURES_A_QUARTER = 4
_NAME, _PICTURE_S = "hand", 1 / 15


class HandHeldCube:
    """Delivers the pictures of a webcam; the same seed gives the same pictures.

    Args:
        state: The cube.
        seed: Seed of the hand's movements and of the pictures' noise.
        light: The room.
        optics: The webcam.
    """

    def __init__(
        self,
        state: CubeState,
        seed: int = 0,
        *,
        light: Light | None = None,
        optics: Optics = WEBCAM,
    ) -> None:
        self.state = state
        self.face = "F"
        """The face before the camera."""
        self._rng = np.random.default_rng(seed)
        self._light = Light() if light is None else light
        self._optics = optics
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

    def turn(self, move: Move) -> Iterator[Frame]:
        """Turn a face, with fingers in front of it; afterwards `state` has changed."""
        signed = move.quarter_turns
        pictures = _PICTURES_A_QUARTER * abs(signed)
        for number in range(pictures):
            angle_deg = 90.0 * signed * (number + 0.5) / pictures
            image = self._render(TurningFace(move.face, angle_deg), self._fingers())
            smeared = cv2.blur(image, (_SMEAR_PX, 1 + 2 * (number % 2)))
            yield self._frame(self._trembling(np.asarray(smeared, dtype=np.uint8)))
        self.state = self.state.apply(move)

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
        return Renderer(viewpoint, self._light, self._optics, seed=seed)

    def _render(self, turn: TurningFace | None = None, covered: tuple[str, ...] = ()) -> Image:
        return self._renderer.render(self.state.to_facelets(), self._rng, turn, covered)

    def _fingers(self) -> tuple[str, ...]:
        """Choose stickers at the rim of the visible face."""
        rim = [0, 1, 2, 3, 5, 6, 7, 8]
        first = 9 * FACES.index(self.face)
        chosen = self._rng.choice(rim, size=_FINGERS, replace=False)
        return tuple(facelet_name(first + int(cell)) for cell in chosen)

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
