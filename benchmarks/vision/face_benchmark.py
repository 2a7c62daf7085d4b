"""The detection of faces in labelled photos: complete, framed, tilted, blurred, dimmed, covered."""

import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import Figure, Percent, Row, Rows, Whole
from benchmarks.vision.face_conditions import CONDITIONS, Labelled, shrunk
from benchmarks.vision.labelled_colours import manifest
from vision.cameras.photo_camera import read_photo
from vision.faces.finder import find_face
from vision.reading import FaceReading

Array = NDArray[np.float64]
Search = tuple[Labelled, Array | None, float]
"""A picture, the centres of the stickers of the face found in it, and the processor time in ms."""


class FoundRow(Row):
    """The faces found under one condition: every sticker within 0.3 stickers of its place.

    Attributes:
        condition: Its name.
        found: Share of the photos, 0..1.
        missed: Number of the others.
        elsewhere: Number in which a face was reported somewhere else.
        median_ms: Median processor time of a search.
        most_ms: The longest one.
    """

    condition: str
    found: Percent
    missed: int
    elsewhere: int
    median_ms: Whole
    most_ms: Whole


def searched(pictures: Iterable[Labelled]) -> Iterator[Search]:
    """Search pictures for a face, as the program does."""
    for picture in pictures:
        started = time.thread_time()
        reading = find_face(picture.image)
        elapsed_ms = (time.thread_time() - started) * 1e3
        yield picture, None if reading is None else middles(reading), elapsed_ms


def measure_condition(faces: Sequence[Labelled], condition: str, seed: int) -> list[Search]:
    """Search every photo for the face under one of `CONDITIONS`."""
    rng = np.random.default_rng(seed)
    return list(searched(shrunk(CONDITIONS[condition](face, rng)) for face in faces))


def found_row(condition: str, searches: Sequence[Search]) -> FoundRow:
    """Compare the faces found with the labels."""
    places = [(picture, found) for picture, found, _ in searches if found is not None]
    right = sum(in_place(found, picture) for picture, found in places)
    times_ms = [elapsed_ms for _, _, elapsed_ms in searches]
    return FoundRow(
        *(condition, right / len(searches), len(searches) - right, len(places) - right),
        *(float(np.median(times_ms)), max(times_ms)),
    )


def found_rows(faces: Sequence[Labelled], seed: int) -> Rows:
    """Report the results under each condition, and in total."""
    everything: list[Search] = []
    for condition in CONDITIONS:
        everything += (searches := measure_condition(faces, condition, seed))
        yield found_row(condition, searches)
    yield found_row("all", everything)


def false_figures(pictures: Iterable[Labelled]) -> Rows:
    """Report the faces found where there are none."""
    searches = list(searched(map(shrunk, pictures)))
    false = [picture.name for picture, found, _ in searches if found is not None]
    median_ms = np.median([elapsed_ms for _, _, elapsed_ms in searches])
    yield Figure("false faces", len(false), f"of {len(searches)}")
    yield Figure("median time of a picture without a cube", round(median_ms), "ms")
    yield from (Figure(f"false face: {name}", 1) for name in false)


def labelled_faces(data: Path) -> list[Labelled]:
    """Read the photos of single faces.

    Args:
        data: A folder with `manifest.json`, a list of records; those of kind `single_face_photo`
            have a `file` and nine `tiles`, each with a `bbox` [x, y, width, height] in pixels.

    Raises:
        PhotoError: A photo is missing or damaged.
    """
    faces = []
    for record in manifest(data):
        if record["kind"] == "single_face_photo":
            boxes = np.array([tile["bbox"] for tile in record["tiles"]], dtype=float)
            middles = boxes[:, :2] + boxes[:, 2:] / 2
            image = read_photo(data / record["file"]).image
            faces.append(Labelled(record["id"], image, middles))
    return faces


def middles(reading: FaceReading) -> Array:
    """Return the centres of a face's stickers, (9, 2) pixels."""
    return np.array([np.mean(sticker.polygons[0], axis=0) for sticker in reading.stickers])


def in_place(places: Array, picture: Labelled) -> bool:
    """Return whether each place is on its own tile, in any rotation; False for no tiles."""
    if not len(picture.middles):
        return False
    distance = np.linalg.norm(places[:, None] - picture.middles[None], axis=2)
    near = distance.min(axis=1) < 0.3 * picture.step
    return bool(near.all() and len(set(distance.argmin(axis=1))) == len(places))
