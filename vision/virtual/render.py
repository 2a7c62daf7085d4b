"""Renders a cube as a camera of the rig, or one held before a person's cube, would see it."""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from cube.facelets import Facelets, facelet_index
from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from vision.colours.colour_space import linearise
from vision.colours.palette import GREY_SRGB, SKIN_SRGB, STICKER_SRGB, bgr
from vision.geometry.couplers import draw_coupler, draw_polygon
from vision.geometry.light import Light, Optics
from vision.geometry.pinhole import Pinhole
from vision.geometry.scene import (
    CELL_MM,
    STICKERED,
    Block,
    Couplers,
    CubeStyle,
    Side,
    Turn,
    blocks,
    facelet_centre,
    sticker_outline,
)
from vision.geometry.shading import light_on_side
from vision.virtual.background import Background, paint_background
from vision.virtual.lens import Lens, smeared

Image = NDArray[np.uint8]

SUPERSAMPLING = 2
"""Shapes are drawn with smoothed edges at this multiple of the picture's size, then averaged."""

_CODES = 1 << 14  # steps of linear light that are told apart when it is encoded
_FINGER_MM = 0.62 * CELL_MM


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """A camera's place and what surrounds the cube there.

    Attributes:
        name: What a person would call it.
        pinhole: The camera.
        couplers: What covers the centres.
        background: What is behind the cube.
    """

    name: str
    pinhole: Pinhole
    couplers: Couplers = Couplers.NONE
    background: Background = Background.PLAIN


@dataclass(frozen=True, slots=True, eq=False)
class _Lighting:
    """Factor and addition of light for each pixel; (h, w, 1) float32, linear."""

    factor: NDArray[np.float32]
    added: NDArray[np.float32]


class Renderer:
    """Draws pictures from one viewpoint; what does not change between them is drawn once.

    Args:
        viewpoint: The camera and its surroundings.
        light: The room.
        optics: Lens, sensor and processing.
        style: How the cube is made.
        scheme: Colour name of each face.
        seed: Of the background.
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
        self._optics = optics
        self._style = style
        self._inks = {face: bgr(STICKER_SRGB[name]) for face, name in scheme.items()}
        self._scheme = dict(scheme)
        self._canvas_pinhole = _enlarged_pinhole(viewpoint.pinhole)
        width, height = self._canvas_pinhole.size
        self._backdrop = self._paint_backdrop(_backdrop_rng(seed, viewpoint.name))
        self._foreground = np.zeros((height, width, 3), dtype=np.uint8)
        self._foreground_mask = np.zeros((height, width), dtype=np.uint8)
        self._paint_couplers(self._foreground, self._foreground_mask, self._faces_seen())
        self._vignette = _vignette(viewpoint.pinhole.size, optics.vignette)
        self._lens = Lens(viewpoint.pinhole, optics.distortion)
        self._lighting_at_rest = self._lighting(blocks())
        self._linear = linearise(np.arange(256) / 255.0).astype(np.float32)
        self._encoded = _encoding()

    def render(
        self,
        facelets: Facelets,
        rng: np.random.Generator,
        turn: Turn | None = None,
        covered: tuple[str, ...] = (),
    ) -> Image:
        """Draw one picture.

        Args:
            facelets: What the stickers show; any colours, a cube that exists or not.
            rng: For noise and drift.
            turn: A face that is not on its detent.
            covered: Names of facelets that a finger hides.

        Returns:
            (h, w, 3) uint8, BGR, sRGB.
        """
        parts = blocks(turn)
        canvas = self._backdrop.copy()
        for block in self._far_to_near(parts):
            self._paint_block(canvas, block, facelets)
        for name in covered:
            self._paint_finger(canvas, name)
        cv2.copyTo(self._foreground, self._foreground_mask, canvas)
        picture = cv2.resize(canvas, self._viewpoint.pinhole.size, interpolation=cv2.INTER_AREA)
        lighting = self._lighting_at_rest if len(parts) == 1 else self._lighting(parts)
        return self._exposed(np.asarray(picture, dtype=np.uint8), lighting, rng)

    def _paint_backdrop(self, rng: np.random.Generator) -> Image:
        """Paint the surroundings, and the shafts that come out of the faces that are not seen."""
        small = paint_background(self._viewpoint.background, self._viewpoint.pinhole.size, rng)
        backdrop = np.asarray(
            cv2.resize(small, self._canvas_pinhole.size, interpolation=cv2.INTER_LINEAR),
            dtype=np.uint8,
        )
        self._paint_couplers(backdrop, None, set(FACES) - self._faces_seen())
        return backdrop

    def _paint_couplers(self, canvas: Image, mask: Image | None, faces: set[str]) -> None:
        if self._viewpoint.couplers is not Couplers.NONE:
            for face in sorted(faces):
                ink = self._coupler_ink(face)
                pinhole, light = self._canvas_pinhole, self._light
                draw_coupler(canvas, mask, pinhole, face=face, colour=ink, light=light)

    def _coupler_ink(self, face: str) -> tuple[int, int, int]:
        if self._viewpoint.couplers is Couplers.GREY:
            return GREY_SRGB
        return STICKER_SRGB[self._scheme[face]]

    def _faces_seen(self) -> set[str]:
        eye = self._viewpoint.pinhole.position_mm
        return {side.face for side in blocks()[0].sides if side.seen_from(eye)}

    def _far_to_near(self, parts: tuple[Block, ...]) -> tuple[Block, ...]:
        """Order two blocks that a plane separates: the one on the camera's side comes last."""
        if len(parts) == 1:
            return parts
        rest, layer = parts
        middle = np.mean([side.corners.mean(axis=0) for side in layer.sides], axis=0)
        outward = middle / np.linalg.norm(middle)
        beyond = float(outward @ np.asarray(self._viewpoint.pinhole.position_mm)) > CELL_MM / 2.0
        return (rest, layer) if beyond else (layer, rest)

    def _paint_block(self, canvas: Image, block: Block, facelets: Facelets) -> None:
        eye = self._canvas_pinhole.position_mm
        for side in block.sides:
            if not side.seen_from(eye):
                continue
            draw_polygon(
                canvas, self._canvas_pinhole.project(side.corners), bgr(self._style.body_srgb)
            )
            for facelet in side.facelets:
                outline = sticker_outline(facelet, self._style) @ block.rotation.T
                ink = self._inks[facelets.text[facelet]]
                draw_polygon(canvas, self._canvas_pinhole.project(outline), ink)

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

    def _lighting(self, parts: tuple[Block, ...]) -> _Lighting:
        """Compute the light on every pixel: on the cube by its sides, elsewhere as painted."""
        width, height = self._viewpoint.pinhole.size
        factor = np.ones((height, width), dtype=np.float32)
        added = np.zeros((height, width), dtype=np.float32)
        coupled = self._viewpoint.couplers is not Couplers.NONE
        for block in self._far_to_near(parts):
            for side in block.sides:
                if not side.seen_from(self._viewpoint.pinhole.position_mm):
                    continue
                share = self._share(side)
                with_coupler = coupled and any(facelet % 9 == 4 for facelet in side.facelets)
                on_side, mirrored = light_on_side(
                    self._viewpoint.pinhole, side, self._light, with_coupler
                )
                factor += share * (on_side - factor)
                added += share * (mirrored - added)
        free = np.float32(1.0) - _shrunk(self._foreground_mask, self._viewpoint.pinhole.size)
        factor = np.float32(1.0) + free * (factor - np.float32(1.0))
        return _Lighting(
            np.ascontiguousarray((factor * self._vignette)[:, :, None]),
            np.ascontiguousarray((added * free * self._vignette)[:, :, None]),
        )

    def _share(self, side: Side) -> NDArray[np.float32]:
        """Return which share of each pixel a side covers, (h, w), 0..1."""
        width, height = self._canvas_pinhole.size
        mask = np.zeros((height, width), dtype=np.uint8)
        draw_polygon(mask, self._canvas_pinhole.project(side.corners), (255,))
        return _shrunk(mask, self._viewpoint.pinhole.size)

    def _exposed(self, picture: Image, lighting: _Lighting, rng: np.random.Generator) -> Image:
        """Turn painted colours into what the sensor and its processing deliver."""
        optics = self._optics
        wander = 1.0 + optics.drift * np.clip(rng.standard_normal(4), -2.0, 2.0)
        red, green, blue = (np.array(optics.white_balance) * wander[:3]).tolist()
        gains = optics.exposure * float(wander[3]) * np.array((blue, green, red), dtype=np.float32)
        linear = np.asarray(cv2.LUT(picture, self._linear)) * lighting.factor
        linear += lighting.added
        linear *= gains
        linear = smeared(self._lens.bend(linear), optics.motion_px)
        if optics.blur_px > 0.0:
            linear = np.asarray(cv2.GaussianBlur(linear, (0, 0), optics.blur_px))
        np.clip(linear, 0.0, 1.0, out=linear)
        levels = np.take(self._encoded, (linear * (_CODES - 1) + 0.5).astype(np.uint16))
        if optics.noise_levels > 0.0:
            levels = levels + optics.noise_levels * rng.standard_normal(
                levels.shape, dtype=np.float32
            )
        image = np.clip(np.rint(levels), 0, 255).astype(np.uint8)
        if optics.jpeg_quality is None:
            return image
        _, packed = cv2.imencode(".jpg", image, (cv2.IMWRITE_JPEG_QUALITY, optics.jpeg_quality))
        return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.uint8)


def _enlarged_pinhole(pinhole: Pinhole) -> Pinhole:
    width, height = pinhole.size
    return replace(
        pinhole,
        size=(SUPERSAMPLING * width, SUPERSAMPLING * height),
        focal_px=SUPERSAMPLING * pinhole.focal_px,
    )


def _backdrop_rng(seed: int, name: str) -> np.random.Generator:
    """Give each viewpoint surroundings of its own, the same ones every time."""
    return np.random.default_rng((seed, zlib.crc32(name.encode())))


def _shrunk(mask: Image, size: tuple[int, int]) -> NDArray[np.float32]:
    small = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.float32) / np.float32(255.0)


def _vignette(size: tuple[int, int], strength: float) -> NDArray[np.float32]:
    """Return (h, w): 1 in the middle, 1 - strength in the corners, falling by the square."""
    x = np.linspace(-1.0, 1.0, size[0], dtype=np.float32)
    y = np.linspace(-1.0, 1.0, size[1], dtype=np.float32)
    return np.float32(1.0) - np.float32(strength / 2.0) * (x[None, :] ** 2 + y[:, None] ** 2)


def _encoding() -> NDArray[np.float32]:
    """Return the sRGB level, 0..255 with parts, of each step of linear light (IEC 61966-2-1)."""
    linear = np.linspace(0.0, 1.0, _CODES)
    encoded = np.where(
        linear <= 0.0031308, 12.92 * linear, 1.055 * np.maximum(linear, 1e-9) ** (1 / 2.4) - 0.055
    )
    return np.asarray(255.0 * encoded, dtype=np.float32)
