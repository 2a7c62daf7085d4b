"""Photos of a cube from files: single pictures, and a folder with pictures of each face."""

import contextlib
import re
import zlib
from pathlib import Path

import cv2
import numpy as np

from cube.moves import FACES
from documents.errors import ConfigError
from documents.files import read_bytes
from vision.cameras.driver_calls import silence_opencv
from vision.cameras.picture_size import MOST_PIXELS
from vision.errors import PhotoError
from vision.frame import Frame

PICTURE_SUFFIXES = frozenset(
    {".jpg", ".jpeg", ".jfif", ".png", ".bmp", ".webp", ".gif", ".avif", ".tif", ".tiff"}
)
"""Formats that OpenCV reads."""
# Formats of phones and cameras that OpenCV does not read.
_UNREADABLE_SUFFIXES = frozenset(
    {".heic", ".heif", ".jxl", ".dng", ".cr2", ".cr3", ".nef", ".arw", ".raf", ".orf", ".rw2"}
)

_LARGEST = 60_000_000
"""Maximum size of a picture file in bytes; those of large cameras have 30 MB."""
_SIZES = (
    cv2.IMREAD_COLOR,
    cv2.IMREAD_REDUCED_COLOR_2,
    cv2.IMREAD_REDUCED_COLOR_4,
    cv2.IMREAD_REDUCED_COLOR_8,
)
_PHOTO_NAME = re.compile(f"(?P<face>[{FACES}])(?P<number>[0-9]{{0,3}})")
_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
# Size of a PNG chunk besides its content: size, name and checksum, 4 bytes each.
_CHUNK_FRAME = 12
_HEIC_BRANDS = (b"heic", b"heix", b"mif1", b"msf1", b"hevc", b"avif")


def read_photo(path: Path | str) -> Frame:
    """Read a picture file, rotated according to its EXIF orientation and otherwise unchanged.

    Grey, 16-bit and transparent pictures become 8-bit colour. In a program that called
    `limit_pixels`, a larger JPEG is read at a reduced size, and other larger pictures are refused.

    Raises:
        PhotoError: The file is missing, unreadable, or not a picture; the message names it.
    """
    path = Path(path)
    if path.is_dir():
        raise PhotoError(f"{path} is a folder; pass a picture, or the folder with --photos")
    try:
        content = read_bytes(path, _LARGEST)
    except ConfigError as error:
        raise PhotoError(str(error)) from None
    if not content:
        raise PhotoError(f"{path} is empty; take the picture again")
    image = _decode(content)
    if image is None:
        raise PhotoError(f"{path} {_why_no_picture(content)}")
    return Frame(np.asarray(image, dtype=np.uint8), str(path))


def picture_files(folder: Path | str) -> tuple[Path, ...]:
    """Return the picture files of a folder, by name.

    Raises:
        PhotoError: The folder is missing, not a folder or unreadable.
    """
    folder = Path(folder)
    if not folder.exists():
        raise PhotoError(f"the folder {folder} does not exist; check the path")
    if not folder.is_dir():
        raise PhotoError(f"{folder} is not a folder; pass the folder that contains the six photos")
    try:
        entries = sorted(folder.iterdir(), key=lambda path: path.name)
    except OSError as error:
        raise PhotoError(f"cannot read the folder {folder} ({error.strerror})") from None
    return tuple(
        path
        for path in entries
        if path.suffix.lower() in PICTURE_SUFFIXES and not path.name.startswith(".")
    )


def unreadable_text(folder: Path) -> str:
    """Return which pictures of a folder are ignored, in brackets, and what to do; or nothing."""
    others = [
        path.name
        for path in sorted(folder.iterdir())
        if path.suffix.lower() in _UNREADABLE_SUFFIXES and not path.name.startswith(".")
    ]
    if not others:
        return ""
    it = "it" if len(others) == 1 else "them"
    return f" ({', '.join(others)} cannot be read here: export {it} as JPEG or PNG)"


def photos_by_face(folder: Path) -> dict[str, list[Path]]:
    """Return the photos in a folder that are named by face: U.jpg, r.PNG …, in the order URFDLB.

    A number after the letter marks one more look at the face (U2.jpg, U3.jpg …); these come after
    the photo without a number, in the order of their numbers. Other files are ignored.

    Raises:
        PhotoError: The folder is missing, a face has no photo, or two files have the same name.
    """
    found: dict[tuple[str, int], Path] = {}
    for path in picture_files(folder):
        name = _PHOTO_NAME.fullmatch(path.stem.upper())
        if name is None:
            continue
        look = (name["face"], int(name["number"] or 0))
        if look in found:
            raise PhotoError(
                f"{found[look]} and {path.name} are both photos of face {path.stem.upper()}; "
                "keep one of them"
            )
        found[look] = path
    faces = {face for face, _ in found}
    if missing := [face for face in FACES if face not in faces]:
        raise PhotoError(_missing_text(folder, missing))
    return {face: [found[look] for look in sorted(found) if look[0] == face] for face in FACES}


def _missing_text(folder: Path, missing: list[str]) -> str:
    faces = " and ".join([", ".join(missing[:-1]), missing[-1]] if missing[1:] else missing)
    text = f"{folder} has no photo of face {faces}; add {missing[0]}.jpg"
    if missing[1:]:
        text += " and so on"
    if len(picture_files(folder)) == len(FACES):
        text += ", or add --any-order if its six photos show one face each"
    return text + unreadable_text(folder)


def _decode(content: bytes) -> np.ndarray | None:
    """Decode a picture to BGR, or return None if it is invalid or has too many pixels.

    A JPEG with more than OpenCV's limit is decoded at a half, a quarter or an eighth of its size.
    """
    if content.startswith(_PNG_SIGNATURE) and not _is_whole_png(content):
        return None  # libpng would write about it to stderr
    data = np.frombuffer(content, dtype=np.uint8)
    silence_opencv()
    for size in _SIZES:
        with contextlib.suppress(cv2.error):  # raised for too many pixels
            return cv2.imdecode(data, size)
    return None


def _is_whole_png(content: bytes) -> bool:
    """Return whether every chunk of a PNG file, up to the last one, has the stated checksum."""
    start = len(_PNG_SIGNATURE)
    while start + _CHUNK_FRAME <= len(content):
        size = int.from_bytes(content[start : start + 4])
        chunk = content[start + 4 : start + 8 + size]
        stated = content[start + 8 + size : start + _CHUNK_FRAME + size]
        if int.from_bytes(stated) != zlib.crc32(chunk) or len(stated) != 4:
            return False
        if chunk.startswith(b"IEND"):
            return True
        start += _CHUNK_FRAME + size
    return False


def _why_no_picture(content: bytes) -> str:
    if content[4:8] == b"ftyp" and content[8:12] in _HEIC_BRANDS:
        return "is a HEIC or AVIF picture, which cannot be read here; export it as JPEG"
    return (
        "is damaged, not a picture, or larger than "
        f"{MOST_PIXELS // 1_000_000} megapixels; take it again, or export it as JPEG"
    )
