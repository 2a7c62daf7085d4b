"""Measure how well faces are found, and fit the weights of `vision.face_check`.

    python benchmarks/face_finding.py DATA [--seed 1] [--fit]

DATA is a folder with a `manifest.json`, a list of records; those of kind `single_face_photo` have a
`file` and nine `tiles`, each with a `bbox` [x, y, width, height]. Every photo is framed, rolled,
tilted, blurred, dimmed and partly covered in the ways of `CONDITIONS`. Pictures without a cube are
the photos' surroundings, and drawn patterns.

A face counts as found when each of the nine places lies within 0.3 stickers of its own tile. With
--fit the logistic regression behind the score is fitted anew and its weights printed.
"""

import argparse
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.face_candidates import find_candidates
from vision.face_check import features, gather_evidence
from vision.face_finder import find_face
from vision.face_lattice import Lattice, vote
from vision.photo_camera import read_photo

WIDTH = 640
PLACES = np.array([(x, y) for y in range(3) for x in range(3)], dtype=float)


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """A picture and the nine middles of the stickers, (9, 2) pixels; no middles without a cube."""

    name: str
    image: np.ndarray
    middles: np.ndarray | None

    @property
    def step(self) -> float:
        """Distance of neighbouring stickers in pixels."""
        assert self.middles is not None
        return float(np.linalg.norm(self.middles[1] - self.middles[0]))


Change = Callable[[Labelled, np.random.Generator], Labelled]


def warp(picture: Labelled, mapping: np.ndarray) -> Labelled:
    """Apply a homography to the picture and to the middles."""
    height, width = picture.image.shape[:2]
    image = cv2.warpPerspective(
        picture.image, mapping, (width, height), borderMode=cv2.BORDER_REFLECT
    )
    points = np.column_stack([picture.middles, np.ones(9)]) @ mapping.T
    return Labelled(picture.name, image, points[:, :2] / points[:, 2:])


def framed(share: float) -> Change:
    """Crop to 4:3 so that the face has this share of the height, somewhere in the picture."""

    def change(picture: Labelled, rng: np.random.Generator) -> Labelled:
        height, width = picture.image.shape[:2]
        low = picture.middles.min(axis=0) - picture.step / 2
        high = picture.middles.max(axis=0) + picture.step / 2
        tall = min(height, (high - low)[1] / share)
        wide = max(min(width, tall * 4 / 3), (high - low)[0] * 1.02)
        x = int(np.clip(rng.uniform(high[0] - wide, low[0]), 0, width - wide))
        y = int(np.clip(rng.uniform(high[1] - tall, low[1]), 0, height - tall))
        crop = picture.image[y : y + int(tall), x : x + int(wide)]
        return Labelled(picture.name, crop, picture.middles - (x, y))

    return change


def rolled(angle_deg: float) -> Change:
    """Turn the picture about the face."""

    def change(picture: Labelled, rng: np.random.Generator) -> Labelled:
        del rng
        middle = tuple(picture.middles.mean(axis=0))
        turn = cv2.getRotationMatrix2D(middle, angle_deg, 1.0)
        return warp(picture, np.vstack([turn, [0, 0, 1]]))

    return change


def tilted(angle_deg: float, axis: int) -> Change:
    """Tilt the picture about a horizontal (0) or vertical (1) axis through the face."""

    def change(picture: Labelled, rng: np.random.Generator) -> Labelled:
        del rng
        x, y = picture.middles.mean(axis=0)
        focal = float(max(picture.image.shape[:2]))
        camera = np.array([[focal, 0, x], [0, focal, y], [0, 0, 1.0]])
        axis_angle = np.eye(3)[axis] * np.deg2rad(angle_deg)
        mapping = camera @ cv2.Rodrigues(axis_angle)[0] @ np.linalg.inv(camera)
        centre = mapping @ (x, y, 1.0)
        back = np.eye(3)
        back[:2, 2] = (x, y) - centre[:2] / centre[2]
        return warp(picture, back @ mapping)

    return change


def pixels(alter: Callable[[np.ndarray, np.random.Generator], np.ndarray]) -> Change:
    """Change the pixels of the shrunk picture only."""

    def change(picture: Labelled, rng: np.random.Generator) -> Labelled:
        small = shrunk(picture)
        image = np.clip(np.rint(alter(small.image, rng)), 0, 255).astype(np.uint8)
        return Labelled(small.name, image, small.middles)

    return change


def covered(picture: Labelled, rng: np.random.Generator) -> Labelled:
    """Put a finger over two stickers."""
    image = picture.image.copy()
    for place in rng.choice(9, 2, replace=False):
        x, y = picture.middles[place] + rng.normal(0, 0.08 * picture.step, 2)
        box = ((float(x), float(y)), (1.0 * picture.step, 1.1 * picture.step), rng.uniform(0, 180))
        cv2.ellipse(image, box, (120, 150, 205), -1)
    return Labelled(picture.name, image, picture.middles)


CONDITIONS: dict[str, Change] = {
    "whole photo": lambda picture, _: picture,
    **{f"face {share}": framed(share) for share in (0.14, 0.25, 0.35, 0.5, 0.7, 0.9)},
    **{f"roll {angle}": rolled(angle) for angle in (15, 30, 45)},
    **{f"tilt {angle} {'xy'[axis]}": tilted(angle, axis) for angle in (25, 40) for axis in (0, 1)},
    "blur 2": pixels(lambda image, _: cv2.GaussianBlur(image, (0, 0), 2.0)),
    "blur 4": pixels(lambda image, _: cv2.GaussianBlur(image, (0, 0), 4.0)),
    "light 0.3": pixels(lambda image, _: image * 0.3),
    "light 0.1": pixels(lambda image, _: image * 0.1),
    "noise 10": pixels(lambda image, rng: image + rng.normal(0, 10, image.shape)),
    "2 covered": covered,
}


def shrunk(picture: Labelled) -> Labelled:
    """Bring the longer side to the width of a webcam."""
    scale = WIDTH / max(picture.image.shape[:2])
    image = cv2.resize(picture.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    middles = None if picture.middles is None else (picture.middles + 0.5) * scale - 0.5
    return Labelled(picture.name, image, middles)


def labelled_faces(data: Path) -> list[Labelled]:
    """The photos of single faces."""
    faces = []
    for record in json.loads((data / "manifest.json").read_text()):
        if record["kind"] == "single_face_photo":
            boxes = np.array([tile["bbox"] for tile in record["tiles"]], dtype=float)
            middles = boxes[:, :2] + boxes[:, 2:] / 2
            image = np.array(read_photo(data / record["file"]).image)
            faces.append(Labelled(record["id"], image, middles))
    return faces


def without_cube(faces: list[Labelled], rng: np.random.Generator) -> Iterator[Labelled]:
    """What surrounds the faces in their photos, and drawn patterns."""
    for face in faces:
        left, top = (face.middles.min(axis=0) - 1.1 * face.step).astype(int)
        right, bottom = (face.middles.max(axis=0) + 1.1 * face.step).astype(int)
        for part in (
            face.image[:, : max(0, left)],
            face.image[:, right:],
            face.image[: max(0, top)],
            face.image[bottom:],
        ):
            if min(part.shape[:2]) > 150:
                yield Labelled(face.name, part, None)
    for number in range(40):
        for draw in (chessboard, tiles, mosaic, rectangles):
            image = draw(rng, int(rng.integers(20, 90))) + rng.normal(0, 3, (480, WIDTH, 3))
            picture = np.clip(image, 0, 255).astype(np.uint8)
            yield Labelled(f"{draw.__name__} {number}", picture, None)


def chessboard(rng: np.random.Generator, size: int) -> np.ndarray:
    """Squares of two shades."""
    y, x = np.mgrid[0:480, 0:WIDTH] // size
    shades = rng.uniform(20, 240, (2, 3))
    return shades[(x + y) % 2]


def tiles(rng: np.random.Generator, size: int) -> np.ndarray:
    """A floor: tiles of nearly one colour with grout between."""
    return _grid(rng.uniform(90, 200, 3) + rng.normal(0, 6, (40, 40, 3)), size, rng)


def mosaic(rng: np.random.Generator, size: int) -> np.ndarray:
    """Tiles of any colour with grout between."""
    return _grid(rng.uniform(0, 255, (40, 40, 3)), size, rng)


def _grid(colours: np.ndarray, size: int, rng: np.random.Generator) -> np.ndarray:
    y, x = np.mgrid[0:480, 0:WIDTH]
    image = colours[y // size, x // size]
    image[(y % size < 3) | (x % size < 3)] = rng.uniform(0, 255)
    return image


def rectangles(rng: np.random.Generator, size: int) -> np.ndarray:
    """Rectangles anywhere, of similar size."""
    image = np.full((480, WIDTH, 3), rng.uniform(0, 255))
    for _ in range(60):
        x, y = rng.integers(0, WIDTH), rng.integers(0, 480)
        width, height = (size * rng.uniform(0.7, 1.4, 2)).astype(int)
        image[y : y + height, x : x + width] = rng.uniform(0, 255, 3)
    return image


def in_place(places: np.ndarray, picture: Labelled) -> bool:
    """Whether each place lies on its own tile, in whichever rotation."""
    distance = np.linalg.norm(places[:, None] - picture.middles[None], axis=2)
    near = distance.min(axis=1) < 0.3 * picture.step
    return bool(near.all() and len(set(distance.argmin(axis=1))) == 9)


def measure(faces: list[Labelled], seed: int) -> None:
    """Print what is found under each condition, and what is found where there is nothing."""
    print(f"{'condition':14} {'found %':>8} {'elsewhere':>10} {'median ms':>10} {'most ms':>8}")
    for condition, change in CONDITIONS.items():
        rng = np.random.default_rng(seed)
        found, elsewhere, times = 0, 0, []
        for face in faces:
            picture = shrunk(change(face, rng))
            started = time.perf_counter()
            reading = find_face(picture.image)
            times.append((time.perf_counter() - started) * 1e3)
            if reading is not None:
                places = np.array([np.mean(s.polygons[0], axis=0) for s in reading.stickers])
                right = in_place(places, picture)
                found += right
                elsewhere += not right
        share = 100 * found / len(faces)
        print(
            f"{condition:14} {share:8.1f} {elsewhere:10} {np.median(times):10.0f} {max(times):8.0f}"
        )
    nothing = [shrunk(p) for p in without_cube(faces, np.random.default_rng(seed))]
    false = [p.name for p in nothing if find_face(p.image) is not None]
    print(f"\nfalse faces in {len(nothing)} pictures without a cube: {len(false)} {false}")


def fit(faces: list[Labelled], seed: int) -> None:
    """Fit the logistic regression of `vision.face_check` and print it."""
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 - only here

    rng = np.random.default_rng(seed)
    pictures = [
        (shrunk(change(face, rng)), 1.0) for change in CONDITIONS.values() for face in faces
    ]
    pictures += [(shrunk(picture), 4.0) for picture in without_cube(faces, rng)]
    rows, labels, weights = [], [], []
    for picture, weight in pictures:
        for scale in (1.0, 0.5):
            for lattice, row in lattices(picture.image, scale):
                places = (lattice.to_pixels(PLACES) + 0.5) / scale - 0.5
                rows.append(row)
                labels.append(picture.middles is not None and in_place(places, picture))
                weights.append(weight)
    model = LogisticRegression(C=3, max_iter=20000)
    model.fit(np.array(rows), np.array(labels), sample_weight=np.array(weights))
    print("weights", model.coef_[0].round(1).tolist(), "bias", model.intercept_.round(1).tolist())


def lattices(image: np.ndarray, scale: float) -> Iterator[tuple[Lattice, np.ndarray]]:
    """Every lattice voted for in a shrunk copy, with its features."""
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    candidates = find_candidates(small)
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2Lab)
    for lattice in vote(candidates):
        yield lattice, features(lattice, gather_evidence(lab, candidates.edges, lattice))


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fit", action="store_true", help="fit the weights instead of measuring")
    arguments = parser.parse_args()
    faces = labelled_faces(arguments.data)
    (fit if arguments.fit else measure)(faces, arguments.seed)


if __name__ == "__main__":
    main()
