"""Pictures of 2×2×2 cubes from pictures of 3×3×3 ones, without the middle row and column.

Measures the detection of 2×2×2 cubes' faces, and fits `vision.pocket.faces`.

    python -m benchmarks.vision.pocket_finding DATA [--seed 5] [--pictures 600] [--fit]

DATA is a folder as for `benchmarks.vision.face_finding`. Its photos of 3×3×3 cubes become photos
of 2×2×2 ones when the middle row and column of the face are removed. Every second of them is
degraded in 16 of the 42 ways of `benchmarks.vision.face_conditions`. A face counts as found if each
of the four places is within 0.3 stickers of its own. The same number of varied pictures shows no
cube. With --fit the logistic regression behind the score is fitted again, and cross-validated with
all pictures of a photo left out at once.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from benchmarks.report import Figure, Given, Report, Rows, parser_of, run
from benchmarks.vision.face_benchmark import (
    false_figures,
    found_rows,
    in_place,
    labelled_faces,
    measured,
    photo_set_faces,
)
from benchmarks.vision.face_conditions import NO_FACE, STRESSES, Labelled, shrunk, warp
from benchmarks.vision.pictures_without_cube import varied
from vision.faces.candidates import find_candidates
from vision.faces.copies import COPIES
from vision.pocket.faces import features, find_pocket_face, propose_squares

_CORNERS = [0, 2, 6, 8]


def as_pocket(picture: Labelled) -> Labelled:
    """Remove the middle row and the middle column of a face, across the whole picture.

    The picture is first warped so that the face is upright and the cuts are straight.

    Args:
        picture: A face of nine stickers, row by row.

    Returns:
        A picture with four stickers in the middle of its face, (4, 2) centres row by row.
    """
    corners = picture.middles[_CORNERS].astype(np.float32)
    step = picture.step
    middle = corners.mean(axis=0)
    upright = middle + step * np.array([(-1, -1), (1, -1), (-1, 1), (1, 1)], dtype=np.float32)
    mapping = cv2.getPerspectiveTransform(corners, upright.astype(np.float32))
    flat = warp(picture, np.asarray(mapping, dtype=np.float64))
    height, width = flat.image.shape[:2]
    low = np.rint(middle - step / 2).astype(int)
    high = low + round(step)
    columns = np.delete(np.arange(width), np.arange(max(0, low[0]), min(width, high[0])))
    rows = np.delete(np.arange(height), np.arange(max(0, low[1]), min(height, high[1])))
    middles = flat.middles[_CORNERS]
    return Labelled(
        picture.name,
        np.ascontiguousarray(flat.image[np.ix_(rows, columns)]),
        np.where(middles > middle, middles - round(step), middles),
    )


SHOWN = [
    name
    for number, name in enumerate(STRESSES)
    if number % 3 == 0 or name in ("blur 4", "tilt 40 y", "roll 20")
]
NOTHING_WEIGHT = 4.0
"""Weight of a square in a picture without a cube, relative to one beside a face."""
FOLDS = 5
LEAST_SCORES = (0.5, 1.0, 1.5, 2.0)


def pockets(faces: list[Labelled], seed: int) -> Iterator[tuple[str, Labelled]]:
    """Yield stress and picture of 2×2×2 faces, every second photo under each stress."""
    for number, stress in enumerate(SHOWN):
        for face in faces[number % 2 :: 2]:
            chances = [seed, list(STRESSES).index(stress), *face.name.encode()]
            spoilt = STRESSES[stress](as_pocket(face), np.random.default_rng(chances))
            yield stress, shrunk(spoilt)


def find_pocket_middles(image: NDArray[np.uint8]) -> NDArray[np.float64] | None:
    """Find a face of a 2×2×2 cube as the program does."""
    outlines = find_pocket_face(image)
    return None if outlines is None else np.mean(outlines, axis=1)


def found_figures(faces: list[Labelled], given: Given, report: Report) -> Rows:
    """Report the results for pictures with a face and without."""
    shown = groupby(pockets(faces, given.seed), key=lambda each: each[0])
    results = (
        measured(stress, (picture for _, picture in group), find_pocket_middles)
        for stress, group in report.track(shown, "stresses", len(SHOWN))
    )
    yield from found_rows(results)
    without = varied(faces, np.random.default_rng(given.seed), given.pictures)
    without = report.track(without, "no cube", given.pictures)
    yield from false_figures(without, find_pocket_middles)
    whole = sum(find_pocket_face(shrunk(face).image) is not None for face in faces)
    yield Figure("faces of 3×3×3 cubes taken for 2×2×2 ones", whole, f"of {len(faces)}")


@dataclass(frozen=True, slots=True, eq=False)
class PocketSample:
    """The squares of one picture: for each copy their features (k, 14), and which are the face."""

    fold: int
    nothing: bool
    copies: list[tuple[np.ndarray, np.ndarray]]


def sample(picture: Labelled, fold: int) -> PocketSample:
    """Return the squares of all copies, the plain ones first."""
    copies = []
    for number in (0, 4, 1, 2, 3, 5, 6, 7):
        copy = COPIES[number](picture.image)
        candidates = None if copy is None else find_candidates(copy.image)
        squares, fits = (NO_FACE, NO_FACE) if candidates is None else propose_squares(candidates)
        if copy is None or candidates is None or not len(squares):
            copies.append((np.zeros((0, 14)), np.zeros(0, bool)))
            continue
        lab = np.asarray(cv2.cvtColor(copy.image, cv2.COLOR_BGR2Lab), dtype=np.uint8)
        places = copy.to_picture(squares.reshape(-1, 2)).reshape(-1, 4, 2)
        right = np.array([in_place(each, picture) for each in places])
        copies.append((features(lab, candidates.edges, squares, fits), right))
    return PocketSample(fold, not len(picture.middles), copies)


def fit(faces: list[Labelled], seed: int, pictures: int) -> Rows:
    """Fit the logistic regression of `vision.pocket.faces`, and cross-validate it."""
    names = sorted({face.name for face in faces})
    samples = [sample(each, names.index(each.name) % FOLDS) for _, each in pockets(faces, seed)]
    nothing = varied(faces, np.random.default_rng(seed), pictures)
    samples += [sample(shrunk(each), number % FOLDS) for number, each in enumerate(nothing)]
    models = [trained([each for each in samples if each.fold != fold]) for fold in range(FOLDS)]
    shown = sum(not each.nothing for each in samples)
    for least in LEAST_SCORES:
        results = [outcome(each, models[each.fold], least) for each in samples]
        pairs = list(zip(samples, results, strict=True))
        found = sum(result is True for each, result in pairs if not each.nothing)
        elsewhere = sum(result is False for each, result in pairs if not each.nothing)
        false = sum(result is not None for each, result in pairs if each.nothing)
        yield Figure(f"least score {least}: found", found, f"of {shown}")
        yield Figure(f"least score {least}: elsewhere", elsewhere)
        yield Figure(f"least score {least}: false faces", false, f"of {pictures}")
    model = trained(samples)
    for number, weight in enumerate((*model.intercept_, *model.coef_[0])):
        yield Figure(f"weight {number}" if number else "bias", round(float(weight), 1))


def trained(samples: list[PocketSample]) -> LogisticRegression:
    """Fit to these pictures."""
    rows = np.concatenate([row for each in samples for row, _ in each.copies])
    right = np.concatenate([truth for each in samples for _, truth in each.copies])
    weights = [NOTHING_WEIGHT if each.nothing else 1.0 for each in samples]
    many = [sum(len(row) for row, _ in each.copies) for each in samples]
    model = LogisticRegression(C=3, max_iter=20000)
    model.fit(rows, right, sample_weight=np.repeat(weights, many))
    return model


def outcome(each: PocketSample, model: LogisticRegression, least: float) -> bool | None:
    """Search like `find_pocket_face`; return whether the result is right, None if there is none."""
    best, right = least, None
    for number, (rows, truth) in enumerate(each.copies):
        if number >= 2 and right is not None:
            break
        if len(rows):
            scores = model.decision_function(rows)
            if scores.max() >= best:
                best, right = scores.max(), bool(truth[scores.argmax()])
    return right


def measure(given: Given, report: Report) -> Rows:
    """Measure, or fit."""
    cv2.setNumThreads(1)
    faces = [*labelled_faces(given.data), *photo_set_faces(given.data)]
    if given.fit:
        return fit(faces, given.seed, given.pictures)
    return found_figures(faces, given, report)


if __name__ == "__main__":
    run(parser_of(__doc__, data=Path, seed=5, pictures=600, fit=False), measure)
