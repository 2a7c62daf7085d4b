"""Photos from files: exact content, upright, and a clear word about every file that fails."""

import os
import re
import struct
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.cameras.photo_camera import photos_by_face, picture_files, read_photo
from vision.errors import PhotoError

PICTURE = np.random.default_rng(1).integers(0, 255, (24, 40, 3), dtype=np.uint8)


def write(path, image=PICTURE):
    suffix = path.suffix.lower().replace(".jfif", ".jpg")
    encoded, data = cv2.imencode(suffix, image)
    assert encoded
    path.write_bytes(data.tobytes())
    return path


def fill(folder, names=("U.jpg", "r.PNG", "F.gif", "D.jfif", "L.bmp", "B.webp")):
    for name in names:
        write(folder / name)


def with_exif_orientation(jpeg, orientation):
    """Insert an APP1 segment with one TIFF entry, 0x0112 Orientation, after the start marker."""
    tiff = b"II*\0" + struct.pack("<IHHHIHHI", 8, 1, 0x0112, 3, 1, orientation, 0, 0)
    body = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]


def test_lossless_pictures_are_exact_and_grey_deep_and_transparent_ones_become_8_bit(tmp_path):
    path = tmp_path / "würfel 魔方.png"
    frame = read_photo(write(path))
    np.testing.assert_array_equal(frame.image, PICTURE)
    assert frame.source == str(path)
    clear = np.dstack([PICTURE, np.full((24, 40, 1), 9, dtype=np.uint8)])
    for image, expected in (
        (PICTURE[:, :, 0], np.repeat(PICTURE[:, :, :1], 3, axis=2)),
        (PICTURE.astype(np.uint16) * 257, PICTURE),
        (clear, PICTURE),
    ):
        np.testing.assert_array_equal(read_photo(write(path, image)).image, expected)


def test_exif_orientation_is_honoured(tmp_path):
    plain = write(tmp_path / "plain.jpg")
    turned = tmp_path / "turned.jpg"
    for orientation, upright in (
        (1, lambda image: image),
        (3, lambda image: image[::-1, ::-1]),
        (6, lambda image: np.rot90(image, -1)),
        (8, np.rot90),
    ):
        turned.write_bytes(with_exif_orientation(plain.read_bytes(), orientation))
        np.testing.assert_array_equal(read_photo(turned).image, upright(read_photo(plain).image))


def test_files_that_are_no_pictures_are_named(tmp_path, capfd):
    path = tmp_path / "F.jpg"
    huge = b"BM" + bytes(12) + struct.pack("<IiiHHI", 40, 2**30, 2**30, 1, 24, 0)
    half = write(tmp_path / "half.png").read_bytes()[:40]
    for content, named in (
        (b"", ""),
        (b"hello", ""),
        (b"\0\0\0\x18ftypheic\0\0\0\0", "HEIC .*JPEG"),
        (huge, ""),
        (half, ""),
    ):
        path.write_bytes(content)
        with pytest.raises(PhotoError, match=rf"F\.jpg .*{named}"):
            read_photo(path)
    assert capfd.readouterr().err == ""
    with pytest.raises(PhotoError, match=r"gone\.jpg"):
        read_photo(tmp_path / "gone.jpg")
    with pytest.raises(PhotoError, match=tmp_path.name):
        read_photo(tmp_path)
    for name in ("gone", "half.png"):
        with pytest.raises(PhotoError, match=re.escape(name)):
            photos_by_face(tmp_path / name)


def test_a_folder_knows_the_photos_of_the_six_faces(tmp_path):
    fill(tmp_path)
    (tmp_path / "notes.txt").write_text("U")
    write(tmp_path / "whole cube.png")
    write(tmp_path / ".U.jpg")
    photos = photos_by_face(tmp_path)
    assert [(face, path.name[0].upper()) for face, (path,) in photos.items()] == [
        (face, face) for face in "URFDLB"
    ]
    np.testing.assert_array_equal(read_photo(photos["R"][0]).image, PICTURE)


def test_missing_doubled_and_unreadable_faces_are_named_together(tmp_path):
    fill(tmp_path, ("U.jpg", "F.png", "D.png", "L.png"))
    with pytest.raises(PhotoError, match=r" R \w+ B; .*R\.jpg"):
        photos_by_face(tmp_path)
    fill(tmp_path, ("R.jpg",))
    (tmp_path / "B.heic").write_bytes(b"x")
    with pytest.raises(PhotoError, match=r" B; .*B\.jpg .*B\.heic"):
        photos_by_face(tmp_path)
    (tmp_path / "B.heic").rename(tmp_path / "photo.HEIC")
    with pytest.raises(PhotoError, match=r" B; .*photo\.HEIC"):
        photos_by_face(tmp_path)
    fill(tmp_path, ("photo.jpg",))
    with pytest.raises(PhotoError, match="--any-order"):
        photos_by_face(tmp_path)
    fill(tmp_path, ("B.png", "U.png"))
    with pytest.raises(PhotoError, match=r"U\.jpg .*U\.png .* U\b"):
        photos_by_face(tmp_path)


def test_pictures_of_a_folder_come_by_name_and_a_number_names_one_more_look(tmp_path):
    fill(tmp_path, ("b.png", "a.jpg", "C.PNG"))
    (tmp_path / "readme.md").write_text("")
    assert [path.name for path in picture_files(tmp_path)] == ["C.PNG", "a.jpg", "b.png"]
    (tmp_path / "b.png").unlink()
    fill(tmp_path)
    fill(tmp_path, ("U2.png", "u10.png", "R1.png", "U2a.png", "UF.png"))
    names = [[path.name for path in photos] for photos in photos_by_face(tmp_path).values()]
    assert names[:2] == [["U.jpg", "U2.png", "u10.png"], ["r.PNG", "R1.png"]]
    write(tmp_path / "U02.png")
    with pytest.raises(PhotoError, match=r"U02\.png .*U2\.png .* U2\b"):
        photos_by_face(tmp_path)


@pytest.mark.parametrize("path", ["/dev/zero", "U.png"])
def test_a_picture_without_end_is_refused(tmp_path: Path, path: str) -> None:
    os.mkfifo(tmp_path / "U.png")
    with pytest.raises(PhotoError):
        read_photo(tmp_path / path)
