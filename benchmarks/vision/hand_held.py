"""A webcam with a hand-held face before it, in front of a desk."""

import cv2
import numpy as np

from cube.moves import FACES
from vision.errors import VisionError
from vision.geometry.pinhole import Pinhole
from vision.geometry.scene import FACE_AXES, HALF_MM, rotation_about
from vision.virtual.background import Image, Painter, blurred, box, disc
from vision.virtual.render import Viewpoint


def desk(size: tuple[int, int], rng: np.random.Generator) -> Image:
    """Paint a wooden table before a wall with books and a lamp, out of focus."""
    width, height = size
    scale = height / 480.0
    grain = rng.normal(0.0, 1.0, (height // 3 + 1, 6)).astype(np.float32)
    streaks = cv2.resize(grain, (width, height), interpolation=cv2.INTER_CUBIC)
    fall = np.linspace(0.72, 1.08, height, dtype=np.float32)[:, None]
    wood = np.array((62, 98, 146), dtype=np.float32)
    table = wood * (fall + 0.05 * streaks)[:, :, None]
    image = np.clip(table, 0, 255).astype(np.uint8)
    horizon = int(height * rng.uniform(0.30, 0.45))
    wall = np.array((176, 190, 196), dtype=np.float32) * rng.uniform(0.55, 0.9)
    image[:horizon] = np.clip(wall * np.linspace(1.0, 0.8, horizon)[:, None, None], 0, 255).astype(
        np.uint8
    )
    left = rng.uniform(-30.0, 20.0)
    while left < width:
        book = rng.uniform((16.0, 60.0), (42.0, 150.0)) * scale
        colour = tuple(int(v) for v in rng.uniform(30, 150, 3))
        if rng.random() < 0.75:
            middle = np.array((left + book[0] / 2.0, horizon - book[1] / 2.0))
            box(image, middle, book / 2.0, rng.normal(0.0, 0.03), colour)
        left += book[0] + 2.0
    disc(image, rng.uniform((0.0, 0.0), (width, horizon)), 16.0 * scale, (225, 240, 250))
    return blurred(image, 2.4 * scale)


def hand_held_viewpoint(
    face: str,
    *,
    roll_deg: float = 0.0,
    tilt_deg: float = 0.0,
    pan_deg: float = 0.0,
    distance_mm: float = 160.0,
    shift_mm: tuple[float, float] = (0.0, 0.0),
    size: tuple[int, int] = (640, 480),
    background: Painter = desk,
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
        background: Paints the background.

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
        background=background,
    )
