"""Measure how well colours become cubes, and choose the margin threshold of `vision.decode`.

    python benchmarks/colour_reading.py DATA [--repeats 4] [--seed 1]

DATA is a folder with a `manifest.json`, a list of records with `kind`, `n`, `expected` (Kociemba
order) and

- kind `rgb_scan`: `file`, a JSON object {"1": [r, g, b] … "54"}, faces in the order U L F R B D;
- kind `two_corner_cameras`: `file`, a picture, `boxes`, a text file whose line i has one or more `x
y w h` of
  facelet i in URFDLB order, and `scheme`, face letter to colour name of the hidden centres (or
  --scheme);
- kind `face_photos`: `files`, face letter to photo.

Every RGB scan is decoded as it is and degraded in the ways of `CONDITIONS`, `--repeats` times each.
The table says how often the likeliest cube was right, how many readings were accepted, and how many
of those were wrong; the curve says the same of other thresholds.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from cube.moves import FACES
from vision.colour_space import srgb_to_lab
from vision.decode import MARGIN_THRESHOLD, decode
from vision.errors import VisionError
from vision.frame import Frame
from vision.photo_camera import read_photo
from vision.read_photos import read_photos
from vision.reading import CubeReading
from vision.sampling import VIEW_PART, fuse_patches, sample_polygon

SCAN_ORDER = "ULFRBD"
DEFAULT_SCHEME = "orange yellow blue red white green"


@dataclass(frozen=True, slots=True)
class Degradation:
    """What happens to 54 sRGB colours on their way.

    Attributes:
        noise: standard deviation on each channel, of 255.
        gain: standard deviation of the logarithm of each face's light.
        tint: the same for each channel of each face: white balance that drifts.
        gradient: share by which light rises and falls across a face, in a random direction.
        glare: so many stickers are mixed with white.
        glare_share: by at most this share, at least half of it.
        missing: so many stickers are not seen.
    """

    noise: float = 0.0
    gain: float = 0.0
    tint: float = 0.0
    gradient: float = 0.0
    glare: int = 0
    glare_share: float = 0.6
    missing: int = 0


CONDITIONS = {
    "clean": Degradation(),
    "gradient .3": Degradation(gradient=0.3),
    "noise 10": Degradation(noise=10),
    "glare 2": Degradation(glare=2, glare_share=0.9),
    "missing 4": Degradation(missing=4),
    "gain .2": Degradation(gain=0.2),
    "mild": Degradation(4, 0.08, 0.03, 0.15, 1, 0.5),
    "hard": Degradation(8, 0.15, 0.06, 0.3, 2, 0.7),
    "severe": Degradation(12, 0.25, 0.1, 0.4, 4, 0.8, 2),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """One reading held against the truth."""

    condition: str
    name: str
    right: bool
    repaired: bool
    accepted: bool
    margin: float
    elapsed_ms: float


def degrade(rgb: np.ndarray, how: Degradation, rng: np.random.Generator) -> np.ndarray:
    """Apply a degradation to (54, 3) sRGB colours, 0..255."""
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
    return colours


def read_scan(path: Path) -> np.ndarray:
    """(54, 3) sRGB colours in URFDLB order."""
    record = json.loads(path.read_text())
    colours = np.array([record[str(i)] for i in range(1, 55)], dtype=float).reshape(6, 9, 3)
    return np.concatenate([colours[SCAN_ORDER.index(face)] for face in FACES])


def read_boxes(frame: Frame, boxes: Path) -> np.ndarray:
    """(54, 3) CIELAB from the boxes of every facelet."""
    labs = []
    for line in boxes.read_text().splitlines():
        numbers = np.array(line.split(), dtype=float).reshape(-1, 4)
        polygons = [[(x, y), (x + w, y), (x + w, y + h), (x, y + h)] for x, y, w, h in numbers]
        patches = [sample_polygon(frame.image, p, VIEW_PART).lab for p in polygons]
        labs.append(fuse_patches(np.array(patches)))
    return np.array(labs)


def outcome(condition: str, name: str, truth: str, reading: CubeReading) -> Outcome:
    """Hold a reading against the truth."""
    return Outcome(
        condition,
        name,
        reading.best.text == truth,
        reading.proposal != reading.best,
        reading.accepted,
        reading.margin,
        reading.elapsed_ms,
    )


def measure(data: Path, repeats: int, seed: int, scheme: dict[str, str]) -> Iterator[Outcome]:
    """Decode everything in the folder."""
    records = json.loads((data / "manifest.json").read_text())
    cubes = [record for record in records if record.get("n", 3) == 3]
    scans = [record for record in cubes if record["kind"] == "rgb_scan"]
    for condition, how in CONDITIONS.items():
        rng = np.random.default_rng(seed)
        for record in scans:
            rgb = read_scan(data / record["file"])
            for _ in range(1 if how == Degradation() else repeats):
                reading = decode(srgb_to_lab(degrade(rgb, how, rng)))
                yield outcome(condition, record["id"], record["expected"], reading)
    for record in cubes:
        if record["kind"] == "two_corner_cameras":
            labs = read_boxes(read_photo(data / record["file"]), data / record["boxes"])
            reading = decode(labs, centres=record.get("scheme_by_face", scheme))
        elif record["kind"] == "face_photos":
            photos = {face: read_photo(data / file) for face, file in record["files"].items()}
            try:
                reading = read_photos(photos)
            except VisionError as error:
                print(f"{record['id']}: {error}")
                continue
        else:
            continue
        yield outcome(record["kind"], record["id"], record["expected"], reading)


def print_table(outcomes: list[Outcome]) -> None:
    """One line a condition."""
    print(
        f"{'condition':20} {'n':>4} {'right %':>8} {'accepted %':>11} {'wrong accepted':>15}",
        end="",
    )
    print(f" {'median ms':>10}  margins of wrong ones")
    for condition in dict.fromkeys(o.condition for o in outcomes):
        rows = [o for o in outcomes if o.condition == condition]
        wrong = sorted((o.margin for o in rows if not o.right), reverse=True)
        print(
            f"{condition:20} {len(rows):4} {100 * np.mean([o.right for o in rows]):8.1f}"
            f" {100 * np.mean([o.accepted for o in rows]):11.1f}"
            f" {sum(o.accepted and not o.right for o in rows):15}"
            f" {np.median([o.elapsed_ms for o in rows]):10.0f}"
            f"  {', '.join(f'{m:.1f}' for m in wrong[:4])}"
        )


def print_curve(outcomes: list[Outcome]) -> None:
    """What other thresholds would accept."""
    print(
        f"\n{'threshold':>9} {'accepted':>9} {'wrong':>6}   (the threshold is {MARGIN_THRESHOLD})"
    )
    sure = [o for o in outcomes if not o.repaired]
    for threshold in np.arange(0.0, 16.1, 1.0):
        taken = [o for o in sure if o.margin >= threshold]
        print(f"{threshold:9.1f} {len(taken):9} {sum(not o.right for o in taken):6}")


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--repeats", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--scheme",
        default=DEFAULT_SCHEME,
        help="colours of the hidden centres of the corner cameras, in the order U R F D L B",
    )
    arguments = parser.parse_args()
    scheme = dict(zip(FACES, arguments.scheme.split(), strict=True))
    outcomes = list(measure(arguments.data, arguments.repeats, arguments.seed, scheme))
    print_table(outcomes)
    print_curve(outcomes)


if __name__ == "__main__":
    main()
