"""The detection of faces in labelled photos: complete, framed, tilted, blurred, dimmed, covered."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class ConditionResult:
    """The results for all photos under one condition.

    Attributes:
        condition: Its name.
        photos: Number of photos.
        found: Number in which the face was found, every sticker within 0.3 stickers of its place.
        elsewhere: Number in which a face was reported somewhere else.
        times_ms: Processor time of each search.
    """

    condition: str
    photos: int
    found: int
    elsewhere: int
    times_ms: tuple[float, ...]

    @property
    def share(self) -> float:
        """Share of the faces found, 0..1."""
        return self.found / self.photos

    @property
    def median_ms(self) -> float:
        """Median processor time of a search in milliseconds."""
        return float(np.median(self.times_ms))


class FoundRow(Row):
    """The faces found under one condition."""

    condition: str
    found: Percent
    missed: int
    elsewhere: int
    median_ms: Whole
    most_ms: Whole


Find = Callable[[NDArray[np.uint8]], Array | None]
"""Returns the centres of the stickers of the face in a picture, if it finds one."""


def find_middles(image: NDArray[np.uint8]) -> Array | None:
    """Find a face as the program does."""
    reading = find_face(image)
    return None if reading is None else middles(reading)


def measure_condition(
    faces: Sequence[Labelled], condition: str, seed: int, find: Find = find_middles
) -> ConditionResult:
    """Search every photo for the face under one of `CONDITIONS`."""
    rng = np.random.default_rng(seed)
    pictures = (shrunk(CONDITIONS[condition](face, rng)) for face in faces)
    return measured(condition, pictures, find)


def measured(condition: str, pictures: Iterable[Labelled], find: Find) -> ConditionResult:
    """Search pictures for their faces."""
    found, elsewhere, times = 0, 0, []
    for picture in pictures:
        started = time.thread_time()
        places = find(picture.image)
        times.append((time.thread_time() - started) * 1e3)
        if places is not None:
            right = in_place(places, picture)
            found += right
            elsewhere += not right
    return ConditionResult(condition, len(times), found, elsewhere, tuple(times))


def measure_conditions(faces: Sequence[Labelled], seed: int) -> Iterator[ConditionResult]:
    """Measure every condition in turn."""
    for condition in CONDITIONS:
        yield measure_condition(faces, condition, seed)


def false_faces(
    pictures: Iterable[Labelled], find: Find = find_middles
) -> tuple[int, list[str], Array]:
    """Search for faces where there are none.

    Returns:
        The number of pictures, the names of those with a face, and the processor time of each
        search in milliseconds, (n,).
    """
    false, times = [], []
    for picture in pictures:
        started = time.thread_time()
        places = find(shrunk(picture).image)
        times.append((time.thread_time() - started) * 1e3)
        if places is not None:
            false.append(picture.name)
    return len(times), false, np.array(times)


def found_rows(results: Iterable[ConditionResult]) -> Rows:
    """Report the results under each condition, and in total."""
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


def false_figures(pictures: Iterable[Labelled], find: Find = find_middles) -> Rows:
    """Report the faces found where there are none."""
    number, false, times_ms = false_faces(pictures, find)
    yield Figure("false faces", len(false), f"of {number}")
    yield Figure("median time of a picture without a cube", round(np.median(times_ms)), "ms")
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
