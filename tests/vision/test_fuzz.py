"""Whatever comes in, nothing crashes, and what is no cube turns no motor."""

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from cube.laws import examine
from vision.cameras.photo_camera import read_photo
from vision.colours.sticker_colours import StickerColours
from vision.decoding.decode import decode
from vision.errors import VisionError
from vision.faces.finder import find_face
from vision.frame import Frame
from vision.geometry.sampling import as_bgr8
from vision.pocket.faces import find_pocket_face
from vision.read_photos import read_faces
from vision.reading import CubeReading

Rng = np.random.Generator


def truncated_picture(rng: Rng) -> bytes:
    suffix = str(rng.choice([".png", ".jpg", ".bmp", ".webp"]))
    picture = rng.integers(0, 256, (24, 32, 3), dtype=np.uint8)
    data = bytearray(cv2.imencode(suffix, picture)[1].tobytes())
    for _ in range(int(rng.integers(0, 4))):
        data[int(rng.integers(len(data)))] = int(rng.integers(256))
    return bytes(data[: int(rng.integers(0, len(data) + 1))])


def boastful_header(rng: Rng) -> bytes:
    """A PNG that promises up to 2^31 pixels a side."""
    sides = [int(2 ** rng.uniform(0, 31)) for _ in range(2)]
    body = b"IHDR" + struct.pack(">IIBBBBB", *sides, 8, 2, 0, 0, 0)
    head = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + body
    return head + struct.pack(">I", zlib.crc32(body)) + rng.bytes(20)


def odd_picture(rng: Rng) -> np.ndarray:
    shapes = [(1, 1), (1, 64), (64, 1), (2, 2), (48, 64), (33, 47, 1), (48, 64, 3), (48, 64, 4)]
    shape = shapes[int(rng.integers(len(shapes)))]
    kind = int(rng.integers(4))
    if kind == 0:
        return rng.integers(0, 65536, shape, dtype=np.uint16)
    if kind == 1:
        return np.full(shape, rng.integers(256), np.uint8)
    if kind == 2:
        return rng.choice([np.nan, np.inf, 0.5], shape).astype(np.float32)
    return rng.integers(0, 256, shape, dtype=np.uint8)


def odd_colours(rng: Rng) -> np.ndarray:
    kind = int(rng.integers(5))
    labs = rng.uniform(-300, 300, (54, 3)) * float(rng.choice([1.0, 1e-6, 1e9]))
    if kind == 0:
        labs[rng.random((54, 3)) < rng.random()] = rng.choice([np.nan, np.inf, -np.inf])
    elif kind == 1:
        labs[:] = labs[0]
    elif kind == 2:
        return rng.uniform(0, 100, tuple(rng.integers(0, 60, 2)))
    elif kind == 3:
        labs = np.repeat(labs[:6], 9, axis=0)[rng.permutation(54)]
    return labs


def never_trusted(reading: CubeReading) -> None:
    assert not reading.accepted
    assert reading.facelets is None
    assert reading.reread or reading.mirrored or reading.alternatives
    assert examine(reading.best).solvable


def feed(rng: Rng, folder: Path) -> None:
    kind = int(rng.integers(5))
    if kind < 3:
        file = folder / "any.png"
        makers = (
            lambda _: rng.bytes(int(rng.integers(0, 400))),
            truncated_picture,
            boastful_header,
        )
        file.write_bytes(makers[kind](rng))
        try:
            picture = read_photo(file)
        except VisionError:
            return
        assert find_face(picture.image) is None
        assert find_pocket_face(picture.image) is None
    elif kind == 3:
        try:
            picture = as_bgr8(odd_picture(rng))
        except VisionError:
            return
        assert find_face(picture) is None
        frame = Frame(picture, "fuzz", 0.0)
        with pytest.raises(VisionError):
            read_faces([(face, frame) for face in "URFDLB"])
    else:
        options = [{}, {"any_orientation": True}, {"any_order": True}][int(rng.integers(3))]
        try:
            never_trusted(decode(StickerColours.of_lab(odd_colours(rng)), **options))
        except VisionError:
            return


def test_a_sample_of_nonsense(tmp_path: Path) -> None:
    for seed in (*range(7), *range(8, 26)):  # 7 takes as long as all the others
        feed(np.random.default_rng(seed), tmp_path)
