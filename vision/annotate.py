"""Draws a reading over its picture, so that people can check it at a glance, and writes it."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from cube.net import WESTERN_SCHEME
from documents.files import write_atomically
from vision.colours.palette import STICKER_SRGB, Srgb, bgr
from vision.frame import Frame
from vision.geometry.view import View
from vision.reading import CubeReading, Point, Polygon, StickerReading

Image = NDArray[np.uint8]

DOUBTFUL_BELOW = 0.999
"""Stickers with a lower confidence are marked; accepted readings have none."""

_DOUBT_BGR = (255, 0, 255)  # magenta: no sticker has it
_DARK_BGR = (24, 22, 20)
_LIGHT_BGR = (250, 250, 250)
_UNKNOWN_SRGB: Srgb = (128, 128, 128)
_SUBPIXEL = 16
_DESIGN_HEIGHT = 480.0  # line widths and letter sizes are given for this picture height


def annotate_reading(frames: Sequence[Frame], reading: CubeReading) -> tuple[Image, ...]:
    """Draw a cube's reading over its pictures.

    Every patch is outlined in the colour read, every sticker has its letter, and doubtful ones are
    framed in magenta with a question mark.

    Args:
        frames: The pictures, in the order of the stickers' cameras.
        reading: The reading.

    Returns:
        One (h, w, 3) uint8 BGR picture per frame; the frames are not changed.
    """
    scheme = dict(reading.scheme) or WESTERN_SCHEME
    return tuple(_annotated(frame, camera, reading, scheme) for camera, frame in enumerate(frames))


def annotate_view(frame: Frame, view: View, corners: Mapping[str, Point]) -> Image:
    """Draw where a view expects the stickers; (h, w, 3) uint8 BGR.

    Args:
        frame: The picture.
        view: The patches.
        corners: Position of each corner of the cube, by its name.
    """
    image = frame.image.copy()
    scale = _scale(image)
    for entry in view.facelet:
        outlines = [_points(polygon) for polygon in entry.polygons]
        cv2.polylines(image, outlines, True, _DARK_BGR, _px(3.6, scale), cv2.LINE_AA, 4)
        cv2.polylines(image, outlines, True, _LIGHT_BGR, _px(1.6, scale), cv2.LINE_AA, 4)
        middle = np.concatenate(entry.polygons).mean(axis=0)
        _disc(image, middle, 10.0 * scale, _DARK_BGR)
        _centred_text(image, entry.name, middle, _LIGHT_BGR, 10.5 * scale)
    for name, place in corners.items():
        middle = np.array(place)
        _disc(image, middle, 4.0 * scale, _DOUBT_BGR)
        _centred_text(image, name, middle + np.array([0.0, 13.0 * scale]), _DOUBT_BGR, 13.0 * scale)
    return image


def is_doubtful(reading: CubeReading, facelet: int) -> bool:
    """Return whether a person should check a sticker of the reading.

    Such a sticker is uncertain, or had another colour before the laws of the cube were applied.
    """
    sticker = reading.stickers[facelet]
    overruled = (
        reading.proposal is not None
        and reading.proposal.text[facelet] != reading.best.text[facelet]
    )
    return overruled or sticker.confidence < DOUBTFUL_BELOW


def _annotated(frame: Frame, camera: int, reading: CubeReading, scheme: Mapping[str, str]) -> Image:
    image = frame.image.copy()
    scale = _scale(image)
    # Doubtful stickers are drawn last, so that their marks cover their neighbours.
    stickers = sorted(
        (sticker for sticker in reading.stickers if sticker.camera == camera and sticker.polygons),
        key=lambda sticker: is_doubtful(reading, sticker.facelet),
    )
    for sticker in stickers:
        doubtful = is_doubtful(reading, sticker.facelet)
        if doubtful:
            _draw_doubt(image, sticker, scale)
        colour = STICKER_SRGB.get(scheme.get(sticker.colour, ""), _UNKNOWN_SRGB)
        letter = sticker.colour + ("?" if doubtful else "")
        _draw_sticker(image, sticker, colour, letter, scale)
    return image


def _draw_sticker(
    image: Image, sticker: StickerReading, colour: Srgb, letter: str, scale: float
) -> None:
    """Outline a sticker's patches and put its letter in their middle."""
    outlines = [_points(polygon) for polygon in sticker.polygons]
    cv2.polylines(image, outlines, True, _DARK_BGR, _px(3.6, scale), cv2.LINE_AA, 4)
    cv2.polylines(image, outlines, True, bgr(colour), _px(1.8, scale), cv2.LINE_AA, 4)
    if not letter:
        return
    middle = np.concatenate(sticker.polygons).mean(axis=0)
    radius = 9.0 * scale
    _disc(image, middle, radius + 1.6 * scale, _DARK_BGR)
    _disc(image, middle, radius, bgr(colour))
    _centred_text(image, letter, middle, _ink_on(colour), 12.5 * scale)


def _draw_doubt(image: Image, sticker: StickerReading, scale: float) -> None:
    """Draw a frame around a sticker: the hull of its patches, slightly enlarged."""
    corners = np.concatenate(sticker.polygons).astype(np.float32)
    hull = np.asarray(cv2.convexHull(corners), dtype=np.float64).reshape(-1, 2)
    away = hull - hull.mean(axis=0)
    length = np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1.0)
    outline = _points(hull + 5.0 * scale * away / length)
    cv2.polylines(image, [outline], True, _LIGHT_BGR, _px(5, scale), cv2.LINE_AA, 4)
    cv2.polylines(image, [outline], True, _DOUBT_BGR, _px(3, scale), cv2.LINE_AA, 4)


def _centred_text(
    image: Image, text: str, middle: NDArray[np.float64], colour: tuple[int, int, int], size: float
) -> None:
    font, pixels = cv2.FontFace("sans"), max(6, round(size))
    extent = (image.shape[1], image.shape[0])
    x, y, width, height = cv2.getTextSize(extent, text, (0, 0), font, pixels, 700)
    place = (round(middle[0] - x - width / 2.0), round(middle[1] - y - height / 2.0))
    cv2.putText(image, text, place, colour, font, pixels, 700)


def _disc(
    image: Image, middle: NDArray[np.float64], radius: float, colour: tuple[int, int, int]
) -> None:
    centre = (round(float(middle[0]) * _SUBPIXEL), round(float(middle[1]) * _SUBPIXEL))
    cv2.circle(image, centre, round(radius * _SUBPIXEL), colour, cv2.FILLED, cv2.LINE_AA, 4)


def _points(polygon: Polygon | NDArray[np.float64]) -> NDArray[np.int32]:
    return np.rint(np.array(polygon, dtype=np.float64) * _SUBPIXEL).astype(np.int32)


def _ink_on(colour: Srgb) -> tuple[int, int, int]:
    """Return black or white, whichever contrasts more with the colour (weights of ITU-R BT.601)."""
    return _DARK_BGR if np.dot(colour, (0.299, 0.587, 0.114)) > 118.0 else _LIGHT_BGR


def _scale(image: Image) -> float:
    return max(0.5, float(image.shape[0]) / _DESIGN_HEIGHT)


def _px(length: float, scale: float) -> int:
    return max(1, round(length * scale))


def save_reading(
    folder: Path, name: str, frames: tuple[Frame, ...], reading: CubeReading
) -> list[Path]:
    """Write each frame with its part of the reading as ``name-1.png``, ``name-2.png`` ….

    Raises:
        UnwritableError: There is not enough room, or no permission.
    """
    files = []
    for number, image in enumerate(annotate_reading(frames, reading), start=1):
        file = folder / f"{name}-{number}.png"
        write_png(file, image)
        files.append(file)
    return files


def write_png(file: Path, image: Image) -> None:
    """Write one picture, BGR.

    Raises:
        UnwritableError: There is not enough room, or no permission; no partial file is left.
    """
    encoded, data = cv2.imencode(".png", image)
    if not encoded:
        raise AssertionError("OpenCV writes every 8-bit picture as PNG")
    write_atomically(file, data.tobytes())
