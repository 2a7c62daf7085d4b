"""Measures the detection of faces, and fits the weights of `vision.faces.face_score`.

    python benchmarks/vision/face_finding.py DATA
        [--seed 1] [--part found|stresses|false|varied|live|edge-on …] [--patterns 40]
        [--pictures 500] [--scenes 24] [--fit]

DATA is a folder with a `manifest.json`, a list of records; those of kind `single_face_photo` have a
`file` and nine `tiles`, each with a `bbox` [x, y, width, height]. Every photo is framed, rolled,
tilted, blurred, dimmed and partly covered by `benchmarks.vision.face_conditions`. `stresses`
degrades them, and the photos of records of kind `face_photos`, in its 42 ways. Pictures without a
cube are the photos' surroundings, and drawn patterns; `varied` rotates, crops and degrades them.
`edge-on` renders cubes that show two faces alike.

A face counts as found if each of the nine places is within 0.3 stickers of its own tile. With --fit
the logistic regression behind the score is fitted again, on the photos and on rendered cubes. The
result is cross-validated, with all pictures of a photo left out at once, and its weights are
printed.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from sklearn.linear_model import LogisticRegression

from benchmarks.report import Figure, Given, Percent, Report, Row, Rows, Whole, parser_of, run
from benchmarks.vision.face_benchmark import (
    ConditionResult,
    false_faces,
    in_place,
    labelled_faces,
    live_false_faces,
    live_times_ms,
    measure_conditions,
    measure_stresses,
    middles,
    photo_set_faces,
)
from benchmarks.vision.face_conditions import CONDITIONS, Labelled, shrunk
from benchmarks.vision.pictures_without_cube import painted, varied, without_cube
from cube.moves import FACES
from cube.random_states import random_state
from vision.faces.candidates import find_candidates
from vision.faces.copies import large, small
from vision.faces.face_score import crowding, face_scores, features, gather_evidence
from vision.faces.finder import find_face
from vision.faces.lattice import vote
from vision.geometry.light import Light, Optics
from vision.geometry.scene import STICKERED, STICKERLESS, blocks, facelet_centre
from vision.virtual.background import Background
from vision.virtual.render import Renderer, Viewpoint
from vision.virtual.viewpoints import hand_held_viewpoint

PLACES = np.array([(x, y) for y in range(3) for x in range(3)], dtype=float)
PARTS = ("found", "stresses", "false", "varied", "live", "edge-on")
EDGE_ON_DEG, EDGE_ON_CUBES = (35, 40, 45), 120
RENDERED, FITTED_PATTERNS = 250, 45
FOLDS = 6
NOTHING_WEIGHT = 8.0
STRICTER = 0.6
"""A false face is worse than a face found one frame later: weight of pictures without a cube, and
log odds by which the threshold exceeds the fitted one.
"""


class FoundRow(Row):
    """The faces found under one condition."""

    condition: str
    found: Percent
    missed: int
    elsewhere: int
    median_ms: Whole
    most_ms: Whole


def found_rows(results: Iterable[ConditionResult]) -> Rows:
    """Return the results under each condition, and in total."""
    photos = found = elsewhere = 0
    times_ms: tuple[float, ...] = ()

    def row(one: ConditionResult) -> FoundRow:
        missed, most_ms = one.photos - one.found, max(one.times_ms)
        return FoundRow(one.condition, one.share, missed, one.elsewhere, one.median_ms, most_ms)

    for result in results:
        yield row(result)
        photos, found = photos + result.photos, found + result.found
        elsewhere, times_ms = elsewhere + result.elsewhere, times_ms + result.times_ms
    yield row(ConditionResult("all", photos, found, elsewhere, times_ms))


def false_figures(what: str, pictures: Iterable[Labelled]) -> Rows:
    """Report the results for pictures without a cube."""
    number, false, times_ms = false_faces(pictures)
    yield Figure(f"false faces, {what}", len(false), f"of {number}")
    yield Figure(f"median time of a picture, {what}", round(float(np.median(times_ms))), "ms")
    yield from (Figure(f"false face: {name}", 1) for name in false)


def live_figures(faces: list[Labelled], seed: int, scenes: int) -> Rows:
    """Report the false faces of a live capture, and the times of its frames."""
    live = live_false_faces(faces, seed, scenes)
    yield Figure("live, no cube: a face seen in frames", live.seen, f"of {live.frames}")
    yield Figure("live, no cube: faces captured", live.captured, f"in {live.seconds:.0f} s")
    rng = np.random.default_rng(seed)
    without = [*without_cube(faces, rng, patterns=2), *painted(rng, 4)]
    for name, shown in (("a cube", faces), ("no cube", without)):
        some = [shown[number] for number in rng.permutation(len(shown))[:scenes]]
        seen, times_ms = live_times_ms(some, seed)
        middle, late = map(float, np.percentile(times_ms, (50, 90)))
        yield Figure(f"watch, {name}: a face seen in frames", seen, f"of {len(times_ms)}")
        yield Figure(f"watch, {name}: a processor's time, median", round(middle), "ms")
        yield Figure(f"watch, {name}: a processor's time, ninth tenth", round(late), "ms")


@dataclass(frozen=True, slots=True)
class FaceSample:
    """One training picture, with every face in it as nine centres of stickers."""

    condition: str
    group: str
    image: np.ndarray
    faces: tuple[np.ndarray, ...]


def edge_on_figures(seed: int) -> Rows:
    """Search cubes that are turned until two faces are seen alike; either of them is right."""
    for pan_deg in EDGE_ON_DEG:
        rng = np.random.default_rng([seed, pan_deg])
        right = wrong = 0
        for number in range(EDGE_ON_CUBES):
            sample = edge_on(f"edge-on {number}", pan_deg, rng)
            found = find_face(sample.image)
            if found is not None:
                faces = (Labelled("", sample.image, places) for places in sample.faces)
                ours = any(in_place(middles(found), face) for face in faces)
                right, wrong = right + ours, wrong + (not ours)
        yield Figure(f"edge-on, {pan_deg}°: one of the faces", right, f"of {EDGE_ON_CUBES}")
        yield Figure(f"edge-on, {pan_deg}°: across two faces", wrong, f"of {EDGE_ON_CUBES}")


def edge_on(name: str, pan_deg: float, rng: np.random.Generator) -> FaceSample:
    """Render a cube in the hand, turned to the left or right."""
    viewpoint = hand_held_viewpoint(
        FACES[rng.integers(6)],
        roll_deg=rng.uniform(-15, 15),
        tilt_deg=rng.uniform(0, 25),
        pan_deg=pan_deg * rng.choice([-1, 1]),
        distance_mm=rng.uniform(200, 420),
        background=list(Background)[rng.integers(3)],
    )
    light = Light(ambient=rng.uniform(0.5, 0.9), direct=rng.uniform(0, 0.6))
    optics = Optics(exposure=rng.uniform(0.6, 1.2), blur_px=rng.choice([0.5, 0.8, 1.2, 2]))
    style = (STICKERED, STICKERLESS)[int(rng.random() < 1 / 3)]
    renderer = Renderer(viewpoint, light, optics, style=style, seed=int(rng.integers(1 << 30)))
    image = renderer.render(random_state(rng).to_facelets(), rng)
    return FaceSample(name, name, image, seen_faces(viewpoint))


def samples(faces: list[Labelled], rng: np.random.Generator) -> Iterator[FaceSample]:
    """Yield photos under every condition, pictures without a cube, rendered cubes."""
    for condition, change in CONDITIONS.items():
        for face in faces:
            picture = shrunk(change(face, rng))
            yield FaceSample(condition, face.name, picture.image, (picture.middles,))
    for picture in without_cube(faces, rng, patterns=FITTED_PATTERNS):
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
        background=list(Background)[rng.integers(3)],
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
    """Measure the chosen parts, or fit."""
    faces = labelled_faces(given.data)
    cv2.setNumThreads(1)
    if given.fit:
        return fit(faces, given.seed)
    return _parts(faces, given, report)


def _parts(faces: list[Labelled], given: Given, report: Report) -> Rows:
    parts = given.part or PARTS
    seed, rng = given.seed, np.random.default_rng(given.seed)
    if "found" in parts:
        yield from found_rows(measure_conditions(faces, seed))
    if "stresses" in parts:
        yield from found_rows(measure_stresses([*faces, *photo_set_faces(given.data)], seed))
    if "false" in parts:
        without = without_cube(faces, rng, given.patterns)
        yield from false_figures("surroundings", report.track(without, "pictures"))
    if "varied" in parts:
        others = varied(faces, rng, given.pictures)
        yield from false_figures("varied", report.track(others, "pictures", given.pictures))
    if "edge-on" in parts:
        yield from edge_on_figures(seed)
    if "live" in parts:
        yield from live_figures(faces, seed, given.scenes)


if __name__ == "__main__":
    sizes = {"patterns": 40, "pictures": 500, "scenes": 24}
    parser = parser_of(__doc__, data=Path, seed=1, fit=False, **sizes)
    parser.add_argument("--part", action="append", choices=PARTS, help="only this; repeat it")
    run(parser, measure)
