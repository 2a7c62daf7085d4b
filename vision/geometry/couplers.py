"""Couplers and shafts on the faces' centres, drawn with their shading."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colours.palette import METAL_SRGB, Srgb, bgr
from vision.geometry.light import Light
from vision.geometry.pinhole import Pinhole
from vision.geometry.scene import COUPLER, FACE_AXES, HALF_MM, Points, Ring
from vision.geometry.shading import shade_factor

SIDES = 24  # of the prism that approximates a cylinder
SUBPIXEL_BITS = 4


def draw_polygon(
    image: NDArray[np.uint8], outline: NDArray[np.float64], colour: tuple[int, ...]
) -> None:
    """Fill a polygon (n, 2), given in fractional pixels, with smoothed edges."""
    points = np.rint(outline * (1 << SUBPIXEL_BITS)).astype(np.int32)
    cv2.fillPoly(image, [points], colour, cv2.LINE_AA, SUBPIXEL_BITS)


def draw_coupler(
    image: NDArray[np.uint8],
    mask: NDArray[np.uint8] | None,
    camera: Pinhole,
    *,
    face: str,
    colour: Srgb,
    light: Light,
    rings: tuple[Ring, ...] = COUPLER,
) -> None:
    """Draw one face's coupler.

    Args:
        image: (h, w, 3) uint8 BGR, painted on.
        mask: (h, w) uint8, set to 255 under the coupler; or None.
        camera: A camera with the size of the image.
        face: The face that it is on.
        colour: Colour of its coloured rings.
        light: The room.
        rings: Its pieces, from the face outwards.
    """
    eye, axis = camera.position_mm, np.array(FACE_AXES[face].normal, dtype=np.float64)
    # From behind, the far end is the one nearer to the face.
    for ring in rings if eye @ axis > HALF_MM else rings[::-1]:
        ink = colour if ring.coloured else METAL_SRGB
        near, far = _circle(face, ring, ring.start_mm), _circle(face, ring, ring.end_mm)
        for number in range(SIDES):
            following = (number + 1) % SIDES
            quad = np.array([near[number], near[following], far[following], far[number]])
            middle = quad.mean(axis=0)
            outward = near[number] + near[following]
            outward = outward - (outward @ axis) * axis
            outward /= np.linalg.norm(outward)
            if outward @ (eye - middle) > 0.0:
                rib = 0.86 if ring.coloured and number % 6 == 0 else 1.0
                shade = rib * float(shade_factor(light, middle[None], outward)[0])
                _paint(image, mask, camera.project(quad), ink, shade)
        for place, circle, direction in ((ring.start_mm, near, -axis), (ring.end_mm, far, axis)):
            if direction @ (eye - (HALF_MM + place) * axis) > 0.0:
                shade = float(shade_factor(light, circle.mean(axis=0)[None], direction)[0])
                _paint(image, mask, camera.project(circle), ink, shade)


def _circle(face: str, ring: Ring, height_mm: float) -> Points:
    axes = FACE_AXES[face]
    angles = np.arange(SIDES) * 2.0 * math.pi / SIDES
    around = np.outer(np.cos(angles), axes.right) + np.outer(np.sin(angles), axes.down)
    return np.asarray((HALF_MM + height_mm) * np.array(axes.normal) + ring.radius_mm * around)


def _paint(
    image: NDArray[np.uint8],
    mask: NDArray[np.uint8] | None,
    outline: NDArray[np.float64],
    colour: Srgb,
    shade: float,
) -> None:
    # A factor on light is about its 2.2th root on encoded levels.
    factor = shade ** (1.0 / 2.2)
    draw_polygon(image, outline, tuple(min(255, round(level * factor)) for level in bgr(colour)))
    if mask is not None:
        draw_polygon(mask, outline, (255,))
