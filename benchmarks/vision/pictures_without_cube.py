"""Pictures without a cube: the surroundings of faces in photos, and drawn patterns."""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.vision.face_conditions import NO_FACE, WIDTH, Labelled, shrunk
from benchmarks.vision.hand_held import desk
from vision.virtual.background import rig_clutter

Array = NDArray[np.float64]

# Minimum shorter side of a part of a photo.
_LEAST_PART_PX = 150


def surroundings(faces: Sequence[Labelled]) -> Iterator[Labelled]:
    """Yield the regions left, right, above and below the faces in photos."""
    for face in faces:
        left, top = (face.middles.min(axis=0) - 1.1 * face.step).astype(int)
        right, bottom = (face.middles.max(axis=0) + 1.1 * face.step).astype(int)
        for part in (
            face.image[:, : max(0, left)],
            face.image[:, right:],
            face.image[: max(0, top)],
            face.image[bottom:],
        ):
            if min(part.shape[:2]) > _LEAST_PART_PX:
                yield Labelled(face.name, part, NO_FACE)


def varied(
    faces: Sequence[Labelled], rng: np.random.Generator, pictures: int
) -> Iterator[Labelled]:
    """Yield different pictures without a cube: photos' surroundings, patterns, rooms.

    Each is rotated, mirrored, cropped, and its colours exchanged.
    """
    photos = list(surroundings(faces))
    for number in range(pictures):
        if number % 4 == 1 or not photos:
            picture = list(drawn(rng, 2))[rng.integers(8)]
        elif number % 4 == 3:
            picture = list(painted(rng, 1))[rng.integers(2)]
        else:
            picture = photos[rng.integers(len(photos))]
        yield _turned_and_cropped(picture, rng)


def _turned_and_cropped(picture: Labelled, rng: np.random.Generator) -> Labelled:
    """Rotate by quarters, mirror, exchange the colours, and crop to at least half of each side."""
    image = np.rot90(picture.image, int(rng.integers(4)))
    if rng.random() < 0.5:
        image = image[:, ::-1]
    sides = np.maximum(_LEAST_PART_PX, np.multiply(image.shape[:2], rng.uniform(0.5, 1.0, 2)))
    tall, wide = np.minimum(sides.astype(int), image.shape[:2])
    y, x = rng.integers(0, np.array(image.shape[:2]) - (tall, wide) + 1)
    crop = image[y : y + tall, x : x + wide][..., rng.permutation(3)]
    return shrunk(Labelled(picture.name, np.ascontiguousarray(crop), NO_FACE))


def drawn(rng: np.random.Generator, patterns: int) -> Iterator[Labelled]:
    """Yield some drawn patterns of each kind, half of them tilted and out of focus."""
    for number in range(patterns):
        for draw in (chessboard, tiles, mosaic, rectangles):
            image = draw(rng, int(np.exp(rng.uniform(np.log(20), np.log(140)))))
            if number % 2:
                image = _askew(image, rng)
            image = image + rng.normal(0, 3, (480, WIDTH, 3))
            picture = np.clip(image, 0, 255).astype(np.uint8)
            yield Labelled(f"{draw.__name__} {number}", picture, NO_FACE)


def painted(rng: np.random.Generator, pictures: int) -> Iterator[Labelled]:
    """Yield some painted surroundings of each kind that is not a plain colour."""
    for number in range(pictures):
        for paint in (desk, rig_clutter):
            image = paint((WIDTH, 480), rng)
            yield Labelled(f"{paint.__name__} {number}", image, NO_FACE)


def _askew(image: Array, rng: np.random.Generator) -> Array:
    """Rotate a pattern about the middle of the picture, tilt it, and blur it."""
    turn = cv2.getRotationMatrix2D((WIDTH / 2, 240), rng.uniform(-45, 45), rng.uniform(1.2, 1.8))
    mapping = np.vstack([turn, [*rng.uniform(-4e-4, 4e-4, 2), 1.0]])
    seen = cv2.warpPerspective(
        image, mapping, (WIDTH, 480), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    return np.asarray(cv2.GaussianBlur(seen, (0, 0), rng.uniform(0.5, 2.5)), dtype=np.float64)


def chessboard(rng: np.random.Generator, size: int) -> Array:
    """Draw squares of two shades."""
    y, x = np.mgrid[0:480, 0:WIDTH] // size
    shades = rng.uniform(20, 240, (2, 3))
    return np.asarray(shades[(x + y) % 2])


def tiles(rng: np.random.Generator, size: int) -> Array:
    """Draw a floor: tiles of nearly one colour with grout between."""
    return _grid(rng.uniform(90, 200, 3) + rng.normal(0, 6, (40, 40, 3)), size, rng)


def mosaic(rng: np.random.Generator, size: int) -> Array:
    """Draw tiles of any colour with grout between."""
    return _grid(rng.uniform(0, 255, (40, 40, 3)), size, rng)


def _grid(colours: Array, size: int, rng: np.random.Generator) -> Array:
    y, x = np.mgrid[0:480, 0:WIDTH]
    image = colours[y // size, x // size]
    image[(y % size < 3) | (x % size < 3)] = rng.uniform(0, 255)
    return np.asarray(image)


def rectangles(rng: np.random.Generator, size: int) -> Array:
    """Draw rectangles anywhere, of similar size."""
    image = np.full((480, WIDTH, 3), rng.uniform(0, 255))
    for _ in range(60):
        x, y = rng.integers(0, WIDTH), rng.integers(0, 480)
        width, height = (size * rng.uniform(0.7, 1.4, 2)).astype(int)
        image[y : y + height, x : x + width] = rng.uniform(0, 255, 3)
    return image
