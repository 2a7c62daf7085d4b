"""Colours of cubes whose state is known: sampled scans, and frames of fixed cameras."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cube.moves import FACES
from vision.cameras.photo_camera import read_photo
from vision.errors import PhotoError
from vision.frame import Frame
from vision.geometry.sampling import VIEW_PART, fuse_patches, sample_polygon

Array = NDArray[np.float64]

SCAN_ORDER = "ULFRBD"
RIG_SCHEME = dict(zip(FACES, ("orange", "yellow", "blue", "red", "white", "green"), strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class Scan:
    """Sampled colours of a cube whose state is known.

    Attributes:
        name: The record's id.
        rgb: (54, 3) sRGB 0..255, URFDLB.
        expected: The state.
    """

    name: str
    rgb: Array
    expected: str


@dataclass(frozen=True, slots=True, eq=False)
class RigFrame:
    """Colours that fixed cameras saw; `labs` (54, 3) CIELAB, `scheme` the hidden centres."""

    name: str
    labs: Array
    expected: str
    scheme: Mapping[str, str]


def read_scans(data: Path) -> list[Scan]:
    """Read the scans of a folder: records of kind `rgb_scan` in its `manifest.json`.

    Each `file` is a JSON object {"1": [r, g, b] … "54"}, faces in the order U L F R B D.

    Raises:
        PhotoError: The manifest or a scan is missing or damaged.
    """
    scans = []
    for record in manifest(data):
        if record["kind"] == "rgb_scan" and record.get("n", 3) == 3:
            rgb = _scan_colours(data / record["file"]).reshape(6, 9, 3)
            rgb = np.concatenate([rgb[SCAN_ORDER.index(face)] for face in FACES])
            scans.append(Scan(record["id"], rgb, record["expected"]))
    return scans


def read_rig_frames(data: Path) -> list[RigFrame]:
    """Read the frames of fixed cameras: records of kind `two_corner_cameras`.

    `boxes` is a text file whose line i has one or more `x y w h` of facelet i in URFDLB order;
    `scheme_by_face` gives the hidden centres, by default those of `RIG_SCHEME`.

    Raises:
        PhotoError: The manifest or a picture is missing or damaged.
    """
    return [
        RigFrame(
            record["id"],
            _box_colours(read_photo(data / record["file"]), data / record["boxes"]),
            record["expected"],
            record.get("scheme_by_face", RIG_SCHEME),
        )
        for record in manifest(data)
        if record["kind"] == "two_corner_cameras"
    ]


def manifest(data: Path) -> list[dict[str, Any]]:
    """Read `manifest.json`, a list of records with `kind`, `expected` and files.

    Raises:
        PhotoError: It is missing or no such list.
    """
    try:
        records = json.loads(_text(data / "manifest.json"))
    except ValueError as error:
        raise PhotoError(f"{data} holds no manifest.json that can be read ({error})") from None
    if not isinstance(records, list):
        raise PhotoError(f"{data / 'manifest.json'} is no list of records")
    for number, record in enumerate(records, start=1):
        if not isinstance(record, dict) or "kind" not in record:
            raise PhotoError(f"{data / 'manifest.json'}: record {number} has no kind")
    return records


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise PhotoError(
            f"{file} cannot be read ({reason}); `thistlebot manual reading-colours` says what it "
            "holds"
        ) from None


def _scan_colours(file: Path) -> Array:
    """(54, 3) sRGB in the order of the scan."""
    text = _text(file)
    try:
        colours = json.loads(text)
        return np.array([colours[str(i)] for i in range(1, 55)], dtype=float).reshape(54, 3)
    except (ValueError, KeyError, TypeError) as error:
        raise PhotoError(f'{file} is no scan {{"1": [r, g, b] … "54"}}: {error!r}') from None


def _box_colours(frame: Frame, boxes: Path) -> Array:
    labs = []
    for number, line in enumerate(_text(boxes).splitlines(), start=1):
        try:
            numbers = np.array(line.split(), dtype=float).reshape(-1, 4)
        except ValueError:
            raise PhotoError(f"{boxes}, line {number}: write x y w h for each box") from None
        polygons = [[(x, y), (x + w, y), (x + w, y + h), (x, y + h)] for x, y, w, h in numbers]
        patches = [sample_polygon(frame.image, p, VIEW_PART).lab for p in polygons]
        labs.append(fuse_patches(np.array(patches)))
    return np.array(labs)
