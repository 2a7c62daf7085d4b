"""Measure how well faces are found, and fit the weights of `vision.faces.face_score`.

    python benchmarks/vision/face_finding.py DATA
        [--seed 1] [--part found|stresses|false|varied|live …] [--patterns 40] [--pictures 500]
        [--scenes 24] [--fit]

DATA is a folder with a `manifest.json`, a list of records; those of kind `single_face_photo` have a
`file` and nine `tiles`, each with a `bbox` [x, y, width, height]. Every photo is framed, rolled,
tilted, blurred, dimmed and partly covered in the ways of `benchmarks.vision.face_conditions`.
`stresses` spoils them, and the photos of records of kind `face_photos`, in the 42 ways of
`benchmarks.vision.face_conditions`. Pictures without a cube are the photos' surroundings, and drawn
patterns; `varied` turns, crops and spoils them.

A face counts as found when each of the nine places lies within 0.3 stickers of its own tile. With
--fit the logistic regression behind the score is fitted anew, on the photos and on rendered cubes.
What it would find is cross-validated, all pictures of a photo left out at once, and its weights are
printed.
"""

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from sklearn.linear_model import LogisticRegression

from benchmarks.vision.face_benchmark import (
    ConditionResult,
    false_faces,
    in_place,
    labelled_faces,
    live_false_faces,
    live_times_ms,
    measure_conditions,
    measure_stresses,
    photo_set_faces,
)
from benchmarks.vision.face_conditions import CONDITIONS, Labelled, shrunk
from benchmarks.vision.pictures_without_cube import painted, varied, without_cube
from cube.moves import FACES
from cube.random_states import random_state
from vision.faces.candidates import find_candidates
from vision.faces.copies import large, small
from vision.faces.face_score import crowding, face_scores, features, gather_evidence
from vision.faces.lattice import vote
from vision.geometry.light import Light, Optics
from vision.geometry.scene import STICKERED, STICKERLESS, blocks, facelet_centre
from vision.virtual.background import Background
from vision.virtual.render import Renderer
from vision.virtual.viewpoints import hand_held_viewpoint

PLACES = np.array([(x, y) for y in range(3) for x in range(3)], dtype=float)
PARTS = ("found", "stresses", "false", "varied", "live")
RENDERED, FITTED_PATTERNS = 250, 45
FOLDS = 6
NOTHING_WEIGHT = 8.0
STRICTER = 0.6
"""A false face is worse than a face found one frame later: weight of pictures without a cube, and
log odds that the threshold lies above the fitted one."""


def print_found(results: Iterable[ConditionResult]) -> None:
    """Print what is found under each condition, and in all."""
    print(
        f"{'condition':18} {'found %':>8} {'missed':>7} {'elsewhere':>10} {'median ms':>10} most ms"
    )
    all_results = []
    for result in results:
        print_row(result)
        all_results.append(result)
    print_row(
        ConditionResult(
            "all",
            sum(result.photos for result in all_results),
            sum(result.found for result in all_results),
            sum(result.elsewhere for result in all_results),
            tuple(time for result in all_results for time in result.times_ms),
        )
    )


def print_row(result: ConditionResult) -> None:
    """Print what is found under one condition."""
    print(
        f"{result.condition:18} {100 * result.share:8.1f} {result.photos - result.found:7} "
        f"{result.elsewhere:10} {result.median_ms:10.0f} {max(result.times_ms):7.0f}",
        flush=True,
    )


def measure_false(pictures: Iterable[Labelled]) -> None:
    """Print what is found in pictures without a cube."""
    number, false, times_ms = false_faces(pictures)
    print(
        f"false faces in {number} pictures without a cube: {len(false)} {false}, "
        f"{np.median(times_ms):.0f} ms in the median"
    )


def measure_live(faces: list[Labelled], seed: int, scenes: int) -> None:
    """Print what a live capture takes for a face without a cube, and what its frames cost."""
    live = live_false_faces(faces, seed, scenes)
    print(
        f"live, {live.seconds:.0f} s and {live.frames} frames without a cube: a face seen in "
        f"{live.seen}, {live.captured} captured"
    )
    rng = np.random.default_rng(seed)
    without = [*without_cube(faces, rng, patterns=2), *painted(rng, 4)]
    for name, shown in (("with", faces), ("without", without)):
        some = [shown[number] for number in rng.permutation(len(shown))[:scenes]]
        seen, times_ms = live_times_ms(some, seed)
        middle, late = np.percentile(times_ms, (50, 90))
        print(
            f"live, {len(times_ms)} frames {name} a cube: a face seen in {seen}, {middle:.0f} ms "
            f"of a processor's time in the median, {late:.0f} ms at the ninth tenth"
        )


@dataclass(frozen=True, slots=True)
class FaceSample:
    """One picture to learn from, and every face in it as nine middles of stickers."""

    condition: str
    group: str
    image: np.ndarray
    faces: tuple[np.ndarray, ...]


def samples(faces: list[Labelled], rng: np.random.Generator) -> Iterator[FaceSample]:
    """Photos under every condition, pictures without a cube, rendered cubes."""
    for condition, change in CONDITIONS.items():
        for face in faces:
            picture = shrunk(change(face, rng))
            yield FaceSample(condition, face.name, picture.image, (picture.middles,))
    for picture in without_cube(faces, rng, patterns=FITTED_PATTERNS):
        yield FaceSample("nothing", picture.name, shrunk(picture).image, ())
    for number in range(RENDERED):
        yield rendered(f"rendered {number}", rng)


def rendered(name: str, rng: np.random.Generator) -> FaceSample:
    """A cube in a hand, in any pose, light and camera; sometimes two stickers covered."""
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
    eye = viewpoint.pinhole.position_mm
    seen = [FACES.index(side.face) for side in blocks()[0].sides if side.seen_from(eye)]
    middles = [[facelet_centre(9 * number + place) for place in range(9)] for number in seen]
    return FaceSample(
        "rendered", name, image, tuple(viewpoint.pinhole.project(points) for points in middles)
    )


@dataclass(frozen=True, slots=True)
class Table:
    """Every lattice voted for that may be a face.

    Features (n, k), what the score is lowered by (n,), right (n,), the sample it comes from (n,).
    """

    features: np.ndarray
    crowding: np.ndarray
    right: np.ndarray
    sample: np.ndarray


def tabulate(pictures: list[FaceSample]) -> Table:
    """Vote in the plain copies of each picture, and look which lattices are faces."""
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


def fit(faces: list[Labelled], seed: int) -> None:
    """Fit the logistic regression of `vision.faces.face_score`, cross-validate and print it."""
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
    print("cross-validated")
    for condition in dict.fromkeys(sample.condition for sample in pictures):
        numbers = [i for i, sample in enumerate(pictures) if sample.condition == condition]
        print(f"{condition:14}", *verdict(numbers, table, scores - STRICTER - table.crowding))
    model = LogisticRegression(C=3, max_iter=20000)
    model.fit(table.features, table.right, sample_weight=weight)
    print("weights", model.coef_[0].round(1).tolist(), "bias", model.intercept_.round(1).tolist())


def verdict(numbers: list[int], table: Table, scores: np.ndarray) -> tuple[str, str]:
    """Say how many of these pictures show a face found in its place, and how many one elsewhere."""
    found = elsewhere = 0
    for number in numbers:
        rows = np.flatnonzero(table.sample == number)
        if len(rows) and scores[rows].max() >= 0.0:
            right = bool(table.right[rows[np.argmax(scores[rows])]])
            found += right
            elsewhere += not right
    return f"{100 * found / len(numbers):6.1f} % found", f"{elsewhere} elsewhere"


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--patterns", type=int, default=40, help="drawn patterns of each kind")
    parser.add_argument("--pictures", type=int, default=500, help="varied ones without a cube")
    parser.add_argument("--scenes", type=int, default=24, help="moving scenes, 5 s each")
    parser.add_argument(
        "--part", action="append", choices=PARTS, help="measure only this; may be repeated"
    )
    parser.add_argument("--fit", action="store_true", help="fit the weights instead of measuring")
    arguments = parser.parse_args()
    faces = labelled_faces(arguments.data)
    cv2.setNumThreads(1)
    if arguments.fit:
        fit(faces, arguments.seed)
        return
    parts = arguments.part or PARTS
    rng = np.random.default_rng(arguments.seed)
    if "found" in parts:
        print_found(measure_conditions(faces, arguments.seed))
    if "stresses" in parts:
        print_found(measure_stresses([*faces, *photo_set_faces(arguments.data)], arguments.seed))
    if "false" in parts:
        measure_false(without_cube(faces, rng, arguments.patterns))
    if "varied" in parts:
        measure_false(varied(faces, rng, arguments.pictures))
    if "live" in parts:
        measure_live(faces, arguments.seed, arguments.scenes)


if __name__ == "__main__":
    main()
