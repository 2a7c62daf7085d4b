"""Renders a cube as seen by a camera of the rig, or by a webcam before a hand-held cube."""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from cube.facelets import Facelets, facelet_index
from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from vision.colours.palette import SKIN_SRGB, STICKER_SRGB, bgr
from vision.geometry.couplers import draw_coupler, draw_polygon
from vision.geometry.light import Light, Optics
from vision.geometry.pinhole import Pinhole
from vision.geometry.scene import (
    CELL_MM,
    STICKERED,
    Block,
    CubeStyle,
    Side,
    TurningFace,
    blocks,
    facelet_centre,
    sticker_outline,
)
from vision.geometry.shading import Box, box_of, light_on_side
from vision.virtual.background import Painter, plain_wall
from vision.virtual.sensor import Image, Lighting, Sensor

SUPERSAMPLING = 2
"""Shapes are drawn with smoothed edges at this multiple of the picture's size, then averaged."""

_FINGER_MM = 0.62 * CELL_MM


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """The position of a camera, and its surroundings.

    Attributes:
        name: Its name for people.
        pinhole: The camera.
        coupled: Whether couplers in the colours of the centres cover them.
        background: Paints the background.
    """

    name: str
    pinhole: Pinhole
    coupled: bool = False
    background: Painter = plain_wall


class Renderer:
    """Draws pictures from one viewpoint; constant parts are drawn once.

    It is for one thread at a time.

    Args:
        viewpoint: The camera and its surroundings.
        light: The room.
        optics: Lens, sensor and processing.
        style: The appearance of the cube.
        scheme: Colour name of each face.
        seed: Seed of the background.
    """

    def __init__(
        self,
        viewpoint: Viewpoint,
        light: Light,
        optics: Optics,
        *,
        style: CubeStyle = STICKERED,
        scheme: Mapping[str, str] = WESTERN_SCHEME,
        seed: int = 0,
    ) -> None:
        self._viewpoint = viewpoint
        self._light = light
        self._style = style
        self._inks = {face: bgr(STICKER_SRGB[name]) for face, name in scheme.items()}
        self._canvas_pinhole = viewpoint.pinhole.enlarged(SUPERSAMPLING)
        self._around = _surroundings(viewpoint, light, tuple(scheme.items()), seed)
        self._canvas = np.empty_like(self._around.backdrop)
        self._vignette = _vignette(viewpoint.pinhole.size, optics.vignette)
        self._sensor = Sensor(viewpoint.pinhole.size, optics)
        self._lighting_at_rest = self._vignetted(self._around.lighting_at_rest)

    def render(
        self,
        facelets: Facelets,
        rng: np.random.Generator,
        turn: TurningFace | None = None,
        covered: tuple[str, ...] = (),
    ) -> Image:
        """Draw one picture.

        Args:
            facelets: The stickers; any colours, whether such a cube exists or not.
            rng: Generator for noise and drift.
            turn: A face that is not at its detent.
            covered: Names of facelets that a finger hides.

        Returns:
            (h, w, 3) uint8, BGR, sRGB.
        """
        parts = blocks(turn)
        canvas = self._canvas  # a new array for each picture would cost more than painting it
        np.copyto(canvas, self._around.backdrop)
        for block in _far_to_near(self._viewpoint, parts):
            self._paint_block(canvas, block, facelets)
        for name in covered:
            self._paint_finger(canvas, name)
        cv2.copyTo(self._around.foreground, self._around.mask, canvas)
        picture = cv2.resize(canvas, self._viewpoint.pinhole.size, interpolation=cv2.INTER_AREA)
        lighting = self._lighting_at_rest
        if len(parts) > 1:
            moved = _lighting(self._viewpoint, self._light, self._around.free, parts)
            lighting = self._vignetted(moved)
        return self._sensor.expose(np.asarray(picture, dtype=np.uint8), lighting, rng)

    def _vignetted(self, lighting: Lighting) -> Lighting:
        return Lighting(lighting.factor * self._vignette, lighting.added * self._vignette)

    def _paint_block(self, canvas: Image, block: Block, facelets: Facelets) -> None:
        eye = self._canvas_pinhole.position_mm
        for side in block.sides:
            if not side.seen_from(eye):
                continue
            outlines = [sticker_outline(facelet, self._style) for facelet in side.facelets]
            turned = [outline @ block.rotation.T for outline in outlines]
            ends = np.cumsum([len(side.corners), *map(len, outlines)])[:-1]
            drawn = self._canvas_pinhole.project(np.concatenate([side.corners, *turned]))
            body, *stickers = np.split(drawn, ends)
            draw_polygon(canvas, body, bgr(self._style.body_srgb))
            for facelet, outline in zip(side.facelets, stickers, strict=True):
                draw_polygon(canvas, outline, self._inks[facelets.text[facelet]])

    def _paint_finger(self, canvas: Image, name: str) -> None:
        facelet = facelet_index(name)
        angles = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
        axes = self._canvas_pinhole.axes()
        around = np.outer(np.cos(angles), axes[0]) + np.outer(np.sin(angles), axes[1])
        middle = self._canvas_pinhole.project(facelet_centre(facelet)[None])[0]
        if not np.all((middle >= 0) & (middle < np.array(self._canvas_pinhole.size))):
            return
        outline = self._canvas_pinhole.project(facelet_centre(facelet) + _FINGER_MM * around)
        draw_polygon(canvas, outline, bgr(SKIN_SRGB))


@dataclass(frozen=True, slots=True, eq=False)
class _Surroundings:
    """The parts of the picture that do not depend on the cube, at the canvas's size.

    Attributes:
        backdrop: Behind the cube: the background, and the shafts of the hidden faces.
        foreground: In front of it: the couplers of the visible faces.
        mask: (h, w) uint8, 255 in the foreground.
        free: (h, w) at the picture's size, 0..1, the share that the foreground leaves free.
        lighting_at_rest: While no face turns, without vignette.
    """

    backdrop: Image
    foreground: Image
    mask: Image
    free: NDArray[np.float32]
    lighting_at_rest: Lighting


@lru_cache(maxsize=6)  # cameras are opened repeatedly; one takes 12 MB
def _surroundings(
    viewpoint: Viewpoint, light: Light, scheme: tuple[tuple[str, str], ...], seed: int
) -> _Surroundings:
    pinhole, colours = viewpoint.pinhole.enlarged(SUPERSAMPLING), dict(scheme)
    rng = np.random.default_rng((seed, zlib.crc32(viewpoint.name.encode())))  # one for each
    small = viewpoint.background(viewpoint.pinhole.size, rng)
    backdrop = np.asarray(
        cv2.resize(small, pinhole.size, interpolation=cv2.INTER_LINEAR), dtype=np.uint8
    )
    mask = np.zeros(backdrop.shape[:2], dtype=np.uint8)
    foreground = np.zeros_like(backdrop)
    seen = {side.face for side in blocks()[0].sides if side.seen_from(pinhole.position_mm)}
    for face in sorted(FACES) if viewpoint.coupled else ():
        ink = STICKER_SRGB[colours[face]]
        image, covered = (foreground, mask) if face in seen else (backdrop, None)
        draw_coupler(image, covered, pinhole, face=face, colour=ink, light=light)
    free = np.float32(1.0) - _shrunk(mask, viewpoint.pinhole.size)
    at_rest = _lighting(viewpoint, light, free, blocks())
    return _Surroundings(backdrop, foreground, mask, free, at_rest)


def _far_to_near(viewpoint: Viewpoint, parts: tuple[Block, ...]) -> tuple[Block, ...]:
    """Order two blocks that a plane separates: the one on the camera's side is drawn last."""
    if len(parts) == 1:
        return parts
    rest, layer = parts
    middle = np.mean([side.corners.mean(axis=0) for side in layer.sides], axis=0)
    outward = middle / np.linalg.norm(middle)
    beyond = float(outward @ viewpoint.pinhole.position_mm) > CELL_MM / 2.0
    return (rest, layer) if beyond else (layer, rest)


def _lighting(
    viewpoint: Viewpoint, light: Light, free: NDArray[np.float32], parts: tuple[Block, ...]
) -> Lighting:
    """Compute the light on every pixel: on the cube by its sides, elsewhere as painted."""
    width, height = viewpoint.pinhole.size
    factor = np.ones((height, width), dtype=np.float32)
    added = np.zeros((height, width), dtype=np.float32)
    for block in _far_to_near(viewpoint, parts):
        for side in block.sides:
            if not side.seen_from(viewpoint.pinhole.position_mm):
                continue
            box = box_of(viewpoint.pinhole, side)
            if not all(part.stop > part.start for part in box):
                continue  # outside the picture
            share = _share(viewpoint.pinhole.enlarged(SUPERSAMPLING), side, box)
            with_coupler = viewpoint.coupled and any(facelet % 9 == 4 for facelet in side.facelets)
            on_side, mirrored = light_on_side(viewpoint.pinhole, side, light, with_coupler, box)
            factor[box] += share * (on_side - factor[box])
            added[box] += share * (mirrored - added[box])
    factor -= np.float32(1.0)
    factor *= free
    factor += np.float32(1.0)
    added *= free
    return Lighting(factor, added)


def _share(canvas: Pinhole, side: Side, box: Box) -> NDArray[np.float32]:
    """Return the share of each pixel of a box that a side covers, (h, w), 0..1."""
    rows, columns = box
    size = (columns.stop - columns.start, rows.stop - rows.start)
    mask = np.zeros((SUPERSAMPLING * size[1], SUPERSAMPLING * size[0]), dtype=np.uint8)
    corner = SUPERSAMPLING * np.array([columns.start, rows.start])
    draw_polygon(mask, canvas.project(side.corners) - corner, (255,))
    return _shrunk(mask, size)


def _shrunk(mask: Image, size: tuple[int, int]) -> NDArray[np.float32]:
    small = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.float32) / np.float32(255.0)


def _vignette(size: tuple[int, int], strength: float) -> NDArray[np.float32]:
    """Return (h, w): 1 in the middle, 1 - strength in the corners, falling quadratically."""
    x = np.linspace(-1.0, 1.0, size[0], dtype=np.float32)
    y = np.linspace(-1.0, 1.0, size[1], dtype=np.float32)
    return np.float32(1.0) - np.float32(strength / 2.0) * (x[None, :] ** 2 + y[:, None] ** 2)
