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
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from vision.face_benchmark import false_faces, in_place, labelled_faces, measure_conditions
from vision.face_candidates import find_candidates
from vision.face_check import features, gather_evidence
from vision.face_conditions import CONDITIONS, Labelled, shrunk
from vision.face_lattice import Lattice, vote
from vision.faceless import without_cube

PLACES = np.array([(x, y) for y in range(3) for x in range(3)], dtype=float)


def measure(faces: list[Labelled], seed: int) -> None:
    """Print what is found under each condition, and what is found where there is nothing."""
    print(f"{'condition':14} {'found %':>8} {'elsewhere':>10} {'median ms':>10} {'most ms':>8}")
    for result in measure_conditions(faces, seed):
        print(
            f"{result.condition:14} {100 * result.share:8.1f} {result.elsewhere:10} "
            f"{result.median_ms:10.0f} {max(result.times_ms):8.0f}"
        )
    pictures, false = false_faces(faces, seed)
    print(f"\nfalse faces in {pictures} pictures without a cube: {len(false)} {false}")


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
                labels.append(picture.has_face and in_place(places, picture))
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
