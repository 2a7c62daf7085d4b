"""The detection of faces in labelled photos: complete, framed, and degraded as in a real room."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.vision.face_conditions import CONDITIONS, STRESSES, Labelled, shrunk
from benchmarks.vision.labelled_colours import manifest
from benchmarks.vision.pictures_without_cube import painted, panned, without_cube
from vision.cameras.photo_camera import read_photo
from vision.faces.finder import find_face
from vision.live.capture import LiveScan
from vision.live.face_watch import FaceWatch
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


Find = Callable[[NDArray[np.uint8]], FaceReading | None]
FindAny = Callable[[NDArray[np.uint8]], object | None]


def measure_condition(
    faces: Sequence[Labelled], condition: str, seed: int, find: Find = find_face
) -> ConditionResult:
    """Search every photo for the face under one of `CONDITIONS`."""
    rng = np.random.default_rng(seed)
    pictures = (shrunk(CONDITIONS[condition](face, rng)) for face in faces)
    return _measured(condition, pictures, find)


def _measured(condition: str, pictures: Iterable[Labelled], find: Find) -> ConditionResult:
    found, elsewhere, times = 0, 0, []
    for picture in pictures:
        started = time.thread_time()
        reading = find(picture.image)
        times.append((time.thread_time() - started) * 1e3)
        if reading is not None:
            right = in_place(middles(reading), picture)
            found += right
            elsewhere += not right
    return ConditionResult(condition, len(times), found, elsewhere, tuple(times))


def measure_stresses(
    faces: Sequence[Labelled], seed: int, find: Find = find_face
) -> Iterator[ConditionResult]:
    """Measure every stress of `STRESSES` in turn.

    Each picture has its own random generator: a measurement of some photos repeats those of all.
    """
    for number, (stress, change) in enumerate(STRESSES.items()):
        pictures = (
            shrunk(change(face, np.random.default_rng([seed, number, *face.name.encode()])))
            for face in faces
        )
        yield _measured(stress, pictures, find)


def measure_conditions(faces: Sequence[Labelled], seed: int) -> Iterator[ConditionResult]:
    """Measure every condition in turn."""
    for condition in CONDITIONS:
        yield measure_condition(faces, condition, seed)


def false_faces(
    pictures: Iterable[Labelled], find: FindAny = find_face
) -> tuple[int, list[str], Array]:
    """Search for faces where there are none.

    Returns:
        The number of pictures, the names of those with a face, and the processor time of each
        search in milliseconds, (n,).
    """
    false, times = [], []
    for picture in pictures:
        started = time.thread_time()
        face = find(shrunk(picture).image)
        times.append((time.thread_time() - started) * 1e3)
        if face is not None:
            false.append(picture.name)
    return len(times), false, np.array(times)


@dataclass(frozen=True, slots=True)
class LiveFalse:
    """The false faces of a live capture without a cube."""

    seconds: float
    frames: int
    seen: int
    captured: int


def live_false_faces(
    faces: Sequence[Labelled], seed: int, pictures: int = 24, seconds: float = 5.0, fps: float = 10
) -> LiveFalse:
    """Show moving scenes without a cube to a live capture, each for some seconds.

    They are photos' surroundings, drawn patterns, and painted rooms and machines.
    """
    rng = np.random.default_rng(seed)
    some = max(2, pictures // 12)
    scenes = [*without_cube(faces, rng, patterns=some), *painted(rng, some)]
    order = [
        number for _ in range(0, pictures, len(scenes)) for number in rng.permutation(len(scenes))
    ]
    frames = seen = captured = 0
    for number in order[:pictures]:
        scan = LiveScan(scheme=None)
        for frame in panned(scenes[number], rng, seconds, fps):
            step = scan.feed(frame)
            frames += 1
            seen += step.face is not None
            captured += step.captured is not None
    return LiveFalse(frames / fps, frames, seen, captured)


def live_times_ms(
    scenes: Iterable[Labelled], seed: int, seconds: float = 2.0, fps: float = 10
) -> tuple[int, Array]:
    """Show moving scenes to a new `FaceWatch` each.

    Returns:
        The number of frames with a face, and the processor time of each frame in milliseconds,
        (n,).
    """
    rng = np.random.default_rng(seed)
    seen, times = 0, []
    for scene in scenes:
        watch = FaceWatch()
        for frame in panned(scene, rng, seconds, fps):
            started = time.thread_time()
            seen += watch.find(frame.image) is not None
            times.append((time.thread_time() - started) * 1e3)
    return seen, np.array(times)


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


def photo_set_faces(data: Path) -> list[Labelled]:
    """Read the sets of six photos of a cube, each photo with the place of its face.

    These places were not measured, so the finder's own results in the unchanged photo are used;
    faces missed there are left out.

    Args:
        data: A folder with `manifest.json`; records of kind `face_photos` have `files`, the face's
            letter to its photo, and `n`, the stickers in a row, of which only 3 are used.

    Raises:
        PhotoError: A photo is missing or damaged.
    """
    faces = []
    for record in manifest(data):
        if record["kind"] == "face_photos" and record["n"] == 3:
            for letter, file in sorted(record["files"].items()):
                image = read_photo(data / file).image
                if (reading := find_face(image)) is not None:
                    faces.append(Labelled(f"{record['id']} {letter}", image, middles(reading)))
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
