"""Measures the detection of faces, and fits the weights of `vision.faces.face_score`.

    python -m benchmarks.vision.face_finding DATA --pictures 5000
    python -m benchmarks.vision.face_finding DATA --fit

DATA is a folder with a `manifest.json`, a list of records; those of kind `single_face_photo` have a
`file` and nine `tiles`, each with a `bbox` [x, y, width, height]. They are framed, rolled, tilted,
blurred, dimmed and partly covered. Pictures without a cube, rotated and cropped, are the photos'
surroundings and drawn patterns.

A face counts as found if each of the nine places is within 0.3 stickers of its own tile. With --fit
the logistic regression behind the score is fitted again, on the photos and on rendered cubes. The
result is cross-validated, with all pictures of a photo left out at once, and its weights are
printed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from sklearn.linear_model import LogisticRegression

from benchmarks.report import Figure, Given, Report, Rows, parser_of, run
from benchmarks.vision.face_benchmark import false_figures, found_rows, in_place, labelled_faces
from benchmarks.vision.face_conditions import CONDITIONS, Labelled, shrunk
from benchmarks.vision.hand_held import desk, hand_held_viewpoint
from benchmarks.vision.pictures_without_cube import drawn, surroundings, varied
from cube.moves import FACES
from cube.random_states import random_state
from vision.faces.candidates import find_candidates
from vision.faces.copies import large, small
from vision.faces.face_score import crowding, face_scores, features, gather_evidence
from vision.faces.lattice import vote
from vision.geometry.light import Light, Optics
from vision.geometry.scene import STICKERED, STICKERLESS, blocks, facelet_centre
from vision.virtual.background import plain_wall, rig_clutter
from vision.virtual.render import Renderer, Viewpoint

PLACES = np.array([(x, y) for y in range(3) for x in range(3)], dtype=float)
RENDERED, FITTED_PATTERNS = 250, 45
FOLDS = 6
NOTHING_WEIGHT = 8.0
STRICTER = 0.6
"""A false face is worse than a face found one frame later: weight of pictures without a cube, and
log odds by which the threshold exceeds the fitted one.
"""


@dataclass(frozen=True, slots=True)
class FaceSample:
    """One training picture, with every face in it as nine centres of stickers."""

    condition: str
    group: str
    image: np.ndarray
    faces: tuple[np.ndarray, ...]


def samples(faces: list[Labelled], rng: np.random.Generator) -> Iterator[FaceSample]:
    """Yield photos under every condition, pictures without a cube, rendered cubes."""
    for condition, change in CONDITIONS.items():
        for face in faces:
            picture = shrunk(change(face, rng))
            yield FaceSample(condition, face.name, picture.image, (picture.middles,))
    for picture in chain(surroundings(faces), drawn(rng, FITTED_PATTERNS)):
        yield FaceSample("nothing", picture.name, shrunk(picture).image, ())
    for number in range(RENDERED):
        yield rendered(f"rendered {number}", rng)


def rendered(name: str, rng: np.random.Generator) -> FaceSample:
    """Render a hand-held cube in any pose, light and camera; sometimes two stickers are covered."""
    face = FACES[rng.integers(6)]
    viewpoint = hand_held_viewpoint(
        face,
        roll_deg=rng.uniform(-45, 45),
        tilt_deg=rng.uniform(-38, 38),
        pan_deg=rng.uniform(-38, 38),
        distance_mm=float(np.exp(rng.uniform(np.log(110), np.log(600)))),
        shift_mm=tuple(rng.uniform(-25, 25, 2)),
        background=(plain_wall, rig_clutter, desk)[rng.integers(3)],
    )
    light = Light(
        ambient=rng.uniform(0.4, 0.9),
        direct=rng.uniform(0, 0.7),
        gradient=rng.uniform(0, 0.3),
        gloss=rng.uniform(0, 0.35),
    )
    optics = Optics(
        exposure=float(np.exp(rng.uniform(np.log(0.12), np.log(1.4)))),
        white_balance=tuple(np.exp(rng.normal(0, 0.15, 3))),
        vignette=rng.uniform(0, 0.3),
        blur_px=rng.choice([0.5, 0.8, 1.2, 2, 3, 4]),
        noise_levels=rng.choice([1, 2, 4, 8]),
        jpeg_quality=int(rng.integers(60, 96)),
    )
    style = (STICKERED, STICKERLESS)[rng.integers(2)]
    covered = [f"{face}{1 + place}" for place in rng.choice(9, 2, replace=False)]
    image = Renderer(viewpoint, light, optics, style=style, seed=int(rng.integers(1 << 30))).render(
        random_state(rng).to_facelets(), rng, None, tuple(covered) if rng.random() < 0.25 else ()
    )
    return FaceSample("rendered", name, image, seen_faces(viewpoint))


def seen_faces(viewpoint: Viewpoint) -> tuple[np.ndarray, ...]:
    """Return the centres of the stickers of each visible face, (9, 2) pixels."""
    eye = viewpoint.pinhole.position_mm
    seen = [FACES.index(side.face) for side in blocks()[0].sides if side.seen_from(eye)]
    centres = [[facelet_centre(9 * number + place) for place in range(9)] for number in seen]
    return tuple(viewpoint.pinhole.project(points) for points in centres)


@dataclass(frozen=True, slots=True)
class Table:
    """Every lattice with votes that may be a face.

    Features (n, k), deductions from the score (n,), right (n,), index of the sample (n,).
    """

    features: np.ndarray
    crowding: np.ndarray
    right: np.ndarray
    sample: np.ndarray


def tabulate(pictures: list[FaceSample]) -> Table:
    """Vote in the plain copies of each picture, and check which lattices are faces."""
    rows: list[Any] = []
    crowded: list[Any] = []
    right, origin = [], []
    for number, sample in enumerate(pictures):
        for copy in (small(sample.image), large(sample.image)):
            if copy is None:
                continue
            candidates = find_candidates(copy.image)
            lattices = list(vote(candidates))
            if not lattices:
                continue
            lab = cv2.cvtColor(copy.image, cv2.COLOR_BGR2Lab).astype(np.uint8, copy=False)
            evidence = gather_evidence(lab, candidates.edges, lattices)
            kept = np.isfinite(face_scores(lattices, evidence))
            rows.extend(features(lattices, evidence)[kept])
            crowded.extend(crowding(evidence)[kept])
            for lattice in np.array(lattices, dtype=object)[kept]:
                places = copy.to_picture(lattice.to_pixels(PLACES))
                faces = (Labelled("", sample.image, middles) for middles in sample.faces)
                right.append(any(in_place(places, face) for face in faces))
                origin.append(number)
    return Table(np.array(rows), np.array(crowded), np.array(right), np.array(origin))


def fit(faces: list[Labelled], seed: int) -> Rows:
    """Fit the logistic regression of `vision.faces.face_score`, and cross-validate it."""
    rng = np.random.default_rng(seed)
    pictures = list(samples(faces, rng))
    table = tabulate(pictures)
    weight = np.array([NOTHING_WEIGHT if not s.faces else 1.0 for s in pictures])[table.sample]
    groups = sorted({sample.group for sample in pictures})
    fold_of = dict(zip(groups, rng.permutation(len(groups)) % FOLDS, strict=True))
    fold = np.array([fold_of[sample.group] for sample in pictures])[table.sample]
    scores = np.zeros(len(table.right))
    for number in range(FOLDS):
        model = LogisticRegression(C=3, max_iter=20000)
        known = fold != number
        model.fit(table.features[known], table.right[known], sample_weight=weight[known])
        scores[~known] = model.decision_function(table.features[~known])
    for condition in dict.fromkeys(sample.condition for sample in pictures):
        numbers = [i for i, sample in enumerate(pictures) if sample.condition == condition]
        yield from verdict(condition, numbers, table, scores - STRICTER - table.crowding)
    model = LogisticRegression(C=3, max_iter=20000)
    model.fit(table.features, table.right, sample_weight=weight)
    for number, weight in enumerate((*model.intercept_, *model.coef_[0])):
        yield Figure(f"weight {number}" if number else "bias", round(float(weight), 1))


def verdict(name: str, numbers: list[int], table: Table, scores: np.ndarray) -> Rows:
    """Report how many of these pictures have a face found in its place or elsewhere."""
    found = elsewhere = 0
    for number in numbers:
        rows = np.flatnonzero(table.sample == number)
        if len(rows) and scores[rows].max() >= 0.0:
            right = bool(table.right[rows[np.argmax(scores[rows])]])
            found += right
            elsewhere += not right
    yield Figure(f"cross-validated, {name}: found", round(100 * found / len(numbers), 1), "%")
    yield Figure(f"cross-validated, {name}: elsewhere", elsewhere)


def measure(given: Given, report: Report) -> Rows:
    """Measure the program as it is, or fit."""
    faces = labelled_faces(given.data)
    cv2.setNumThreads(1)
    if given.fit:
        yield from fit(faces, given.seed)
        return
    yield from found_rows(faces, given.seed)
    others = varied(faces, np.random.default_rng(given.seed), given.pictures)
    yield from false_figures(report.track(others, "pictures", given.pictures))


if __name__ == "__main__":
    run(parser_of(__doc__, data=Path, seed=1, pictures=500, fit=False), measure)
