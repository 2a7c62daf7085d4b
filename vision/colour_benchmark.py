"""How well colours become cubes: scans, degraded scans, photos, rig frames, wrong cubes."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cube.facelets import Facelets
from cube.laws import examine
from cube.moves import FACES
from cube.pieces import CORNER_FACELETS, EDGE_FACELETS
from vision.colour_conditions import CLEAN, CONDITIONS, degrade
from vision.colour_space import srgb_to_lab
from vision.decode import decode
from vision.errors import PhotoError, VisionError
from vision.frame import Frame
from vision.photo_camera import read_photo
from vision.placing import make_placing
from vision.read_photos import read_photos
from vision.reading import CubeReading, ReadingState
from vision.sampling import VIEW_PART, fuse_patches, sample_polygon
from vision.second_look import confirm

Array = NDArray[np.float64]

SCAN_ORDER = "ULFRBD"
RIG_SCHEME = dict(zip(FACES, ("orange", "yellow", "blue", "red", "white", "green"), strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class Scan:
    """Sampled colours of a cube whose state is known.

    Attributes:
        name: the record's id.
        rgb: (54, 3) sRGB 0..255, URFDLB.
        expected: the state.
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


@dataclass(frozen=True, slots=True)
class Outcome:
    """One reading held against the truth.

    Attributes:
        condition: what was done to the colours.
        name: the record.
        right: the likeliest cube is the truth, or called ambiguous and the truth with faces turned;
            for wrong cubes: it was named exactly.
        accepted: whether the reading was trusted.
        state: which of the five states.
        margin: nats.
        suspected: a mis-assembled cube was suspected.
        elapsed_ms: time of the decoding.
    """

    condition: str
    name: str
    right: bool
    accepted: bool
    state: ReadingState
    margin: float
    suspected: bool
    elapsed_ms: float


def read_scans(data: Path) -> list[Scan]:
    """Read the scans of a folder: records of kind `rgb_scan` in its `manifest.json`.

    Each `file` is a JSON object {"1": [r, g, b] … "54"}, faces in the order U L F R B D.

    Raises:
        PhotoError: the manifest or a scan is missing or damaged.
    """
    scans = []
    for record in manifest(data):
        if record["kind"] == "rgb_scan" and record.get("n", 3) == 3:
            colours = json.loads((data / record["file"]).read_text())
            rgb = np.array([colours[str(i)] for i in range(1, 55)], float).reshape(6, 9, 3)
            rgb = np.concatenate([rgb[SCAN_ORDER.index(face)] for face in FACES])
            scans.append(Scan(record["id"], rgb, record["expected"]))
    return scans


def read_rig_frames(data: Path) -> list[RigFrame]:
    """Read the frames of fixed cameras: records of kind `two_corner_cameras`.

    `boxes` is a text file whose line i has one or more `x y w h` of facelet i in URFDLB order;
    `scheme_by_face` gives the hidden centres, by default those of `RIG_SCHEME`.

    Raises:
        PhotoError: the manifest or a picture is missing or damaged.
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
        PhotoError: it is missing or no such list.
    """
    try:
        records = json.loads((data / "manifest.json").read_text())
    except (OSError, ValueError) as error:
        raise PhotoError(f"{data} holds no manifest.json that can be read ({error})") from None
    if not isinstance(records, list):
        raise PhotoError(f"{data / 'manifest.json'} is no list of records")
    return records


def _box_colours(frame: Frame, boxes: Path) -> Array:
    labs = []
    for line in boxes.read_text().splitlines():
        numbers = np.array(line.split(), dtype=float).reshape(-1, 4)
        polygons = [[(x, y), (x + w, y), (x + w, y + h), (x, y + h)] for x, y, w, h in numbers]
        patches = [sample_polygon(frame.image, p, VIEW_PART).lab for p in polygons]
        labs.append(fuse_patches(np.array(patches)))
    return np.array(labs)


def outcome(condition: str, name: str, truth: str, reading: CubeReading) -> Outcome:
    """Hold a reading against the truth; a wrong cube is right when its stickers were named."""
    suspected = reading.suspicion is not None
    sound = examine(Facelets(truth)).solvable
    named = reading.suspicion.facelets if reading.suspicion is not None else None
    shown = reading.best if sound or named is None else named
    ambiguous = reading.state is ReadingState.AMBIGUOUS
    return Outcome(
        condition,
        name,
        shown.text == truth or (ambiguous and _same_when_turned(shown.text, truth)),
        reading.accepted,
        reading.state,
        reading.margin,
        suspected,
        reading.elapsed_ms,
    )


def _same_when_turned(one: str, other: str) -> bool:
    """Whether every face of one cube is that of the other, turned in its plane."""
    faces = [np.array(list(text)).reshape(6, 3, 3) for text in (one, other)]
    return all(
        any(np.array_equal(np.rot90(a, turn), b) for turn in range(4))
        for a, b in zip(*faces, strict=True)
    )


def measure_scans(scans: Sequence[Scan], repeats: int, seed: int) -> Iterator[Outcome]:
    """Decode every scan under every condition, `repeats` times."""
    for condition, how in CONDITIONS.items():
        rng = np.random.default_rng(seed)
        for scan in scans:
            for _ in range(1 if how == CLEAN else repeats):
                reading = decode(srgb_to_lab(degrade(scan.rgb, how, rng)))
                yield outcome(condition, scan.name, scan.expected, reading)


def measure_shown_again(scans: Sequence[Scan], repeats: int, seed: int) -> Iterator[Outcome]:
    """Decode hard readings; show the most doubtful face again when one is asked for.

    The face that is shown again has other noise, light and glare, milder than before, and takes the
    place of the first look.
    """
    rng = np.random.default_rng(seed)
    for scan in scans:
        for _ in range(repeats):
            first = degrade(scan.rgb, CONDITIONS["hard"], rng)
            reading = decode(srgb_to_lab(first))
            if not reading.accepted and reading.reread:
                face = FACES.index(reading.reread[0])
                again = degrade(scan.rgb, CONDITIONS["mild"], rng)
                first[9 * face : 9 * face + 9] = again[9 * face : 9 * face + 9]
                reading = decode(srgb_to_lab(first))
            yield outcome("hard, one face again", scan.name, scan.expected, reading)


def measure_false_alarms(scans: Sequence[Scan], repeats: int, seed: int) -> Iterator[Outcome]:
    """Look twice at sound cubes: `suspected` when both looks suspect the same wrong cube."""
    rng = np.random.default_rng(seed)
    for scan in scans:
        for _ in range(repeats):
            first, second = (
                decode(srgb_to_lab(degrade(scan.rgb, CONDITIONS["hard"], rng))) for _ in range(2)
            )
            both = confirm(first, second)
            alarm = both.state is ReadingState.MISASSEMBLED
            yield replace(
                outcome("hard, two looks", scan.name, scan.expected, both), suspected=alarm
            )


def measure_turned(scans: Sequence[Scan], repeats: int, seed: int) -> Iterator[Outcome]:
    """Decode scans whose faces are turned at random, as they are and mildly degraded."""
    for condition in ("clean", "mild"):
        rng = np.random.default_rng(seed)
        for scan in scans:
            for _ in range(repeats):
                placing = make_placing(range(6), [int(turn) for turn in rng.integers(0, 4, 6)])
                pictures = np.empty_like(scan.rgb)
                pictures[placing.cells] = degrade(scan.rgb, CONDITIONS[condition], rng)
                reading = decode(srgb_to_lab(pictures), any_orientation=True)
                yield outcome(f"turned, {condition}", scan.name, scan.expected, reading)


def measure_wrong_cubes(scans: Sequence[Scan], repeats: int, seed: int) -> Iterator[Outcome]:
    """Decode cubes that were taken apart: a corner twisted, an edge flipped, two edges swapped."""
    for kind in ("corner twisted", "edge flipped", "edges swapped"):
        rng = np.random.default_rng(seed)
        for scan in scans:
            for _ in range(repeats):
                there, source = _taken_apart(kind, rng)
                rgb = scan.rgb.copy()
                rgb[there] = scan.rgb[source]
                letters = np.array(list(scan.expected))
                letters[there] = letters[source]
                if "".join(letters) != scan.expected:
                    yield outcome(kind, scan.name, "".join(letters), decode(srgb_to_lab(rgb)))


def _taken_apart(kind: str, rng: np.random.Generator) -> tuple[list[int], list[int]]:
    """Stickers that change, and where their colours come from."""
    if kind == "corner twisted":
        place = CORNER_FACELETS[rng.integers(8)]
        turn = int(rng.integers(1, 3))
        return list(place), [*place[turn:], *place[:turn]]
    first, second = (EDGE_FACELETS[i] for i in rng.choice(12, 2, replace=False))
    if kind == "edge flipped":
        return list(first), list(first[::-1])
    return [*first, *second], [*second, *first]


def measure_rig_frames(frames: Sequence[RigFrame]) -> Iterator[Outcome]:
    """Decode every frame without calibration; the centres are configured."""
    for frame in frames:
        yield outcome(
            "rig, blind", frame.name, frame.expected, decode(frame.labs, centres=frame.scheme)
        )


def measure_photos(data: Path) -> Iterator[Outcome]:
    """Read the sets of six photos, records of kind `face_photos`."""
    for record in manifest(data):
        if record["kind"] != "face_photos" or record.get("n", 3) != 3:
            continue
        files: Mapping[str, str] = record["files"]
        try:
            reading = read_photos({face: read_photo(data / file) for face, file in files.items()})
        except VisionError:
            continue
        yield outcome("six photos", record["id"], Facelets(record["expected"]).text, reading)


def threshold_curve(outcomes: Sequence[Outcome]) -> list[tuple[float, float, float]]:
    """For every threshold on the margin: share accepted, and share wrong of all, 0..1.

    Readings that are refused for another reason stay refused.
    """
    total = max(1, len(outcomes))
    open_to = [o for o in outcomes if not o.suspected and o.state is not ReadingState.AMBIGUOUS]
    curve = []
    for step in range(51):
        threshold = step / 2
        taken = [o for o in open_to if o.margin >= threshold]
        curve.append((threshold, len(taken) / total, sum(not o.right for o in taken) / total))
    return curve


def plot_curve_svg(
    curves: Mapping[str, Sequence[tuple[float, float, float]]], chosen: float
) -> str:
    """Draw what each threshold would accept, and how much of it wrongly, as an SVG picture."""
    width, row, left = 640, 150, 60
    height = 40 + row * len(curves)
    scale = (width - left - 20) / 25.0
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{left}" y="18">accepted (green) and wrong (red, ×10) by least margin, nats; '
        f"chosen {chosen:g}</text>",
    ]
    for number, (name, curve) in enumerate(curves.items()):
        base = 30 + row * (number + 1) - 30
        parts.append(f'<text x="8" y="{base - 104}">{name}</text>')
        parts.append(
            f'<path d="M{left} {base}H{width - 20}M{left} {base}V{base - 100}" stroke="black"/>'
        )
        x = left + chosen * scale
        parts.append(f'<path d="M{x:.1f} {base}V{base - 100}" stroke="gray"/>')
        for column, colour, factor in ((1, "#2a7", 1.0), (2, "#d33", 10.0)):
            points = " ".join(
                f"{left + point[0] * scale:.1f},{base - min(1.0, factor * point[column]) * 100:.1f}"
                for point in curve
            )
            parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}"/>')
        parts += [
            f'<text x="{left + mark * scale:.1f}" y="{base + 14}">{mark}</text>'
            for mark in range(0, 26, 5)
        ]
    return "\n".join([*parts, "</svg>", ""])
