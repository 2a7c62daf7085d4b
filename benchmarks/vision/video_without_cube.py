"""A moving scene without a cube: a wider picture panned past a camera that shakes and rests."""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.vision.face_conditions import WIDTH, Labelled
from vision.frame import Frame

HEIGHT = 480
"""Height of the frames in pixels; their width is `WIDTH`."""

# How far the camera moves a second, as a share of the frame's width; how long, in seconds, it
# moves, and rests after that; and how much it shakes, in pixels.
_SPEED, _MOVE_S, _SHAKE_PX = 0.3, 1.0, 0.4
# Enlargement of the picture that leaves room for the movement.
_ROOM = 1.4
_NOISE_LEVELS = 3.0


def panned(
    picture: Labelled, rng: np.random.Generator, seconds: float, fps: float
) -> Iterator[Frame]:
    """Yield the frames of a camera that looks about a picture: it moves for a second, then rests.

    A picture that stands still between moves is the hard case, for a live capture asks for nothing
    else than one place in several frames.
    """
    height, width = picture.image.shape[:2]
    scale = _ROOM * max(WIDTH / width, HEIGHT / height)
    wide = cv2.resize(picture.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR)
    room = np.array([wide.shape[1] - WIDTH, wide.shape[0] - HEIGHT], dtype=np.float64)
    place, speed = room * rng.uniform(size=2), np.zeros(2)
    for number in range(round(seconds * fps)):
        if number % round(_MOVE_S * fps) == 0:
            moves = number // round(_MOVE_S * fps) % 2 == 0
            speed = rng.normal(0, _SPEED * WIDTH / fps, 2) * moves
        place = np.clip(place + speed, 0, room)
        x, y = np.clip(place + rng.normal(0, _SHAKE_PX, 2), 0, room)
        middle = (float(x + WIDTH / 2 - 0.5), float(y + HEIGHT / 2 - 0.5))
        seen = cv2.getRectSubPix(wide, (WIDTH, HEIGHT), middle)
        noisy = np.asarray(seen) + rng.normal(0, _NOISE_LEVELS, (HEIGHT, WIDTH, 3))
        image: NDArray[np.uint8] = np.clip(noisy, 0, 255).astype(np.uint8)
        yield Frame(image, f"{picture.name} {number}")
