"""Photos from files: exact content, upright, and a clear word about every file that fails."""

import os
import struct

import cv2
import numpy as np
import pytest

from vision.cameras.camera import Camera
from vision.cameras.photo_camera import PhotoFolder, picture_files, read_photo
from vision.errors import EndOfVideoError, PhotoError

PICTURE = np.random.default_rng(1).integers(0, 255, (24, 40, 3), dtype=np.uint8)


def write(path, image=PICTURE):
    encoded, data = cv2.imencode(path.suffix.lower(), image)
    assert encoded
    path.write_bytes(data.tobytes())
    return path


def fill(folder, names=("U.jpg", "r.PNG", "F.png", "D.jpeg", "L.bmp", "B.webp")):
    for name in names:
        write(folder / name)


def with_exif_orientation(jpeg, orientation):
    """Insert an APP1 segment with one TIFF entry, 0x0112 Orientation, after the start marker."""
    tiff = b"II*\0" + struct.pack("<IHHHIHHI", 8, 1, 0x0112, 3, 1, orientation, 0, 0)
    body = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]


def test_lossless_pictures_are_exact(tmp_path):
    frame = read_photo(write(tmp_path / "a.png"))
    np.testing.assert_array_equal(frame.image, PICTURE)
    assert frame.source == str(tmp_path / "a.png")


def test_names_in_any_script_are_read(tmp_path):
    np.testing.assert_array_equal(read_photo(write(tmp_path / "würfel 魔方.png")).image, PICTURE)


@pytest.mark.parametrize(
    ("orientation", "upright"),
    [
        (1, lambda image: image),
        (3, lambda image: image[::-1, ::-1]),
        (6, lambda image: np.rot90(image, -1)),
        (8, np.rot90),
    ],
)
def test_exif_orientation_is_honoured(tmp_path, orientation, upright):
    plain = write(tmp_path / "plain.jpg")
    turned = tmp_path / "turned.jpg"
    turned.write_bytes(with_exif_orientation(plain.read_bytes(), orientation))
    np.testing.assert_array_equal(read_photo(turned).image, upright(read_photo(plain).image))


def test_grey_deep_and_transparent_pictures_become_8_bit_colour(tmp_path):
    grey = read_photo(write(tmp_path / "grey.png", PICTURE[:, :, 0])).image
    np.testing.assert_array_equal(grey, np.repeat(PICTURE[:, :, :1], 3, axis=2))
    deep = read_photo(write(tmp_path / "deep.png", PICTURE.astype(np.uint16) * 257)).image
    np.testing.assert_array_equal(deep, PICTURE)
    clear = np.dstack([PICTURE, np.full((24, 40, 1), 9, dtype=np.uint8)])
    np.testing.assert_array_equal(read_photo(write(tmp_path / "c.png", clear)).image, PICTURE)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", "is empty"),
        (b"hello", "damaged, not a picture"),
        (b"\0\0\0\x18ftypheic\0\0\0\0", "HEIC .* export it as JPEG"),
        (b"BM" + bytes(12) + struct.pack("<IiiHHI", 40, 2**30, 2**30, 1, 24, 0), "damaged"),
    ],
    ids=["empty", "text", "heic", "too large"],
)
def test_files_that_are_no_pictures_are_named(tmp_path, content, text, capfd):
    path = tmp_path / "F.jpg"
    path.write_bytes(content)
    with pytest.raises(PhotoError, match=f"F.jpg .*{text}"):
        read_photo(path)
    assert capfd.readouterr().err == ""


def test_half_a_png_is_never_a_whole_picture(tmp_path):
    path = write(tmp_path / "F.png")
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(PhotoError, match=r"F.png is damaged"):
        read_photo(path)


def test_missing_files_and_folders_are_named(tmp_path):
    with pytest.raises(PhotoError, match=r"gone.jpg does not exist"):
        read_photo(tmp_path / "gone.jpg")
    with pytest.raises(PhotoError, match="is a folder"):
        read_photo(tmp_path)
    with pytest.raises(PhotoError, match="gone does not exist"):
        PhotoFolder(tmp_path / "gone")
    with pytest.raises(PhotoError, match=r"a.png is not a folder"):
        PhotoFolder(write(tmp_path / "a.png"))


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="this user may read all files")
def test_a_file_without_permission_is_named(tmp_path):
    path = write(tmp_path / "a.png")
    path.chmod(0)
    with pytest.raises(PhotoError, match=r"a.png cannot be read"):
        read_photo(path)


def test_a_folder_delivers_the_six_faces_in_order_and_then_ends(tmp_path):
    fill(tmp_path)
    (tmp_path / "notes.txt").write_text("U")
    write(tmp_path / "whole cube.png")
    write(tmp_path / ".U.jpg")
    with PhotoFolder(tmp_path) as folder:
        assert isinstance(folder, Camera)
        assert folder.light is None
        assert "".join(folder.paths) == "URFDLB"
        sources = [folder.read().source for _ in range(6)]
        assert [source[len(str(tmp_path)) + 1].upper() for source in sources] == list("URFDLB")
        with pytest.raises(EndOfVideoError, match="all six photos"):
            folder.read()
    np.testing.assert_array_equal(folder.read_face("R").image, PICTURE)
    assert folder.read().source.endswith("U.jpg")  # closed and started again


def test_missing_faces_are_named_together(tmp_path):
    fill(tmp_path, ("U.jpg", "F.png", "D.png", "L.png"))
    with pytest.raises(PhotoError, match=r"has no photo of face R and B; add R.jpg and so on"):
        PhotoFolder(tmp_path)


def test_a_face_in_a_format_that_cannot_be_read_is_pointed_out(tmp_path):
    fill(tmp_path, ("U.jpg", "R.jpg", "F.png", "D.png", "L.png"))
    (tmp_path / "B.heic").write_bytes(b"x")
    with pytest.raises(PhotoError, match=r"no photo of face B; add B.jpg \(B.heic cannot be read"):
        PhotoFolder(tmp_path)


def test_two_photos_of_one_face_are_not_chosen_between(tmp_path):
    fill(tmp_path)
    write(tmp_path / "U.png")
    with pytest.raises(PhotoError, match=r"U.jpg and U.png both claim face U"):
        PhotoFolder(tmp_path)


def test_pictures_of_a_folder_come_by_name(tmp_path):
    fill(tmp_path, ("b.png", "a.jpg", "C.PNG"))
    (tmp_path / "readme.md").write_text("")
    assert [path.name for path in picture_files(tmp_path)] == ["C.PNG", "a.jpg", "b.png"]


def test_a_number_names_one_more_look_at_a_face(tmp_path):
    fill(tmp_path)
    for name in ("U2.png", "u10.png", "R1.png", "U2a.png", "UF.png"):
        write(tmp_path / name)
    folder = PhotoFolder(tmp_path)
    assert [folder.paths[face].name for face in "UR"] == ["U.jpg", "r.PNG"]
    assert [(face, path.name) for face, path in folder.further] == [
        ("U", "U2.png"),
        ("U", "u10.png"),
        ("R", "R1.png"),
    ]
    write(tmp_path / "U02.png")
    with pytest.raises(PhotoError, match=r"U02.png and U2.png both claim face U2"):
        PhotoFolder(tmp_path)
