"""Colours of cubes with a known state, and their degradations, for benchmarks and tests."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cube.moves import FACES
from vision.cameras.photo_camera import read_photo
from vision.errors import PhotoError
from vision.frame import Frame
from vision.geometry.sampling import VIEW_PART, fuse_patches, sample_polygons

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Degradation:
    """A degradation of sRGB colours.

    Attributes:
        noise: Standard deviation on each channel, of 255.
        gain: Standard deviation of the logarithm of each face's light.
        tint: The same for each channel of each face: drift of the white balance.
        gradient: Variation of the light across a face, in a random direction, as a share.
        glare: Number of stickers mixed with white.
        glare_share: Maximum share of white; the minimum is half of it.
        missing: Number of unseen stickers.
    """

    noise: float = 0.0
    gain: float = 0.0
    tint: float = 0.0
    gradient: float = 0.0
    glare: int = 0
    glare_share: float = 0.6
    missing: int = 0


CLEAN = Degradation()

CONDITIONS: Mapping[str, Degradation] = MappingProxyType(
    {
        "clean": CLEAN,
        "glare 2": Degradation(glare=2, glare_share=0.9),
        "missing 4": Degradation(missing=4),
        "mild": Degradation(4, 0.08, 0.03, 0.15, 1, 0.5),
        "hard": Degradation(8, 0.15, 0.06, 0.3, 2, 0.7),
        "severe": Degradation(12, 0.25, 0.1, 0.4, 4, 0.8, 2),
    }
)


def degrade(rgb: Array, how: Degradation, rng: np.random.Generator) -> Array:
    """Apply a degradation.

    Args:
        rgb: (54, 3) sRGB, 0..255, in the order URFDLB.
        how: The degradation.
        rng: Its random generator.

    Returns:
        (54, 3), NaN where a sticker is missing; centres never are.
    """
    light = (rgb.reshape(6, 9, 3) / 255.0) ** 2.2
    light *= np.exp(rng.normal(0, how.gain, (6, 1, 1)) + rng.normal(0, how.tint, (6, 1, 3)))
    y, x = np.mgrid[-1:2, -1:2]
    for face in range(6):
        angle = rng.uniform(0, 2 * np.pi)
        ramp = (np.cos(angle) * x + np.sin(angle) * y).ravel() / np.sqrt(2)
        light[face] *= (1 + how.gradient * ramp)[:, None]
    colours = (np.clip(light, 0, 1) ** (1 / 2.2) * 255).reshape(54, 3)
    for place in rng.choice(54, how.glare, replace=False):
        share = rng.uniform(0.5, 1) * how.glare_share
        colours[place] = colours[place] * (1 - share) + 255 * share
    colours = np.clip(colours + rng.normal(0, how.noise, colours.shape), 0, 255)
    stickers = [i for i in range(54) if i % 9 != 4]
    colours[rng.choice(stickers, how.missing, replace=False)] = np.nan
    return np.asarray(colours)


SCAN_ORDER = "ULFRBD"
RIG_SCHEME = dict(zip(FACES, ("orange", "yellow", "blue", "red", "white", "green"), strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class Scan:
    """Sampled colours of a cube with a known state.

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
    """Colours from fixed cameras; `labs` (54, 3) CIELAB, `scheme` the hidden centres."""

    name: str
    labs: Array
    expected: str
    scheme: Mapping[str, str]


def draws(
    scans: Iterable[Scan], repeats: int, seed: int
) -> Iterator[tuple[Scan, np.random.Generator]]:
    """Yield each scan `repeats` times, with the random generator of them all."""
    rng = np.random.default_rng(seed)
    for scan in scans:
        for _ in range(repeats):
            yield scan, rng


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
        PhotoError: It is missing or not such a list.
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
    """Return (54, 3) sRGB in the order of the scan."""
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
        patches = sample_polygons(frame.image, np.array(polygons, dtype=np.float64), VIEW_PART)
        labs.append(fuse_patches(patches))
    return np.array(labs)
