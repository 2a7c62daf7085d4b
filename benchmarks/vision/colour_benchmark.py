"""The accuracy of colour decoding: scans, degraded scans, photos, rig frames, wrong cubes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.vision.labelled_colours import (
    CLEAN,
    CONDITIONS,
    RigFrame,
    Scan,
    degrade,
    draws,
    manifest,
)
from cube.facelets import Facelets
from cube.laws import examine
from cube.pieces import CORNER_FACELETS, EDGE_FACELETS
from vision.cameras.photo_camera import read_photo
from vision.colours.sticker_colours import StickerColours
from vision.decoding.classifiers import CLASSIFIERS, JOINT
from vision.decoding.decode import decode
from vision.decoding.face_turns import make_placement
from vision.errors import VisionError
from vision.read_photos import read_cube_faces, read_faces
from vision.reading import CubeReading, ReadingState
from vision.timed import timed

Array = NDArray[np.float64]

_decode = timed(decode)


@dataclass(frozen=True, slots=True)
class ReadingOutcome:
    """One reading compared with the truth.

    Attributes:
        condition: The change of the colours.
        name: The record.
        right: The likeliest cube is the truth, or the reading is ambiguous and the truth has
            rotated faces; for wrong cubes: it was named exactly.
        accepted: Whether the reading was trusted.
        state: One of the five states.
        margin: Nats.
        suspected: Whether a mis-assembled cube was suspected.
        elapsed_ms: Time of the decoding.
    """

    condition: str
    name: str
    right: bool
    accepted: bool
    state: ReadingState
    margin: float
    suspected: bool
    elapsed_ms: float


def outcome(condition: str, name: str, truth: str, reading: CubeReading) -> ReadingOutcome:
    """Compare a reading with the truth; a wrong cube is right if its stickers were named."""
    suspected = reading.suspicion is not None
    sound = examine(Facelets(truth)).solvable
    named = reading.suspicion.facelets if reading.suspicion is not None else None
    shown = reading.best if sound or named is None else named
    ambiguous = reading.state is ReadingState.AMBIGUOUS
    return ReadingOutcome(
        condition,
        name,
        shown.text == truth or (ambiguous and _same_when_turned(shown.text, truth)),
        reading.accepted,
        reading.state,
        reading.margin,
        suspected,
        reading.elapsed_ms,
    )


def _same_when_turned(one: str, other: str) -> bool:
    """Return whether every face of one cube is that of the other, rotated in its plane."""
    faces = [np.array(list(text)).reshape(6, 3, 3) for text in (one, other)]
    return all(
        any(np.array_equal(np.rot90(a, turn), b) for turn in range(4))
        for a, b in zip(*faces, strict=True)
    )


def measure_scans(scans: Sequence[Scan], repeats: int, seed: int) -> Iterator[ReadingOutcome]:
    """Decode every scan under every condition, `repeats` times."""
    for condition, how in CONDITIONS.items():
        for scan, rng in draws(scans, 1 if how == CLEAN else repeats, seed):
            reading = _decode(StickerColours.of_srgb(degrade(scan.rgb, how, rng)))
            yield outcome(condition, scan.name, scan.expected, reading)


def measure_others(scans: Sequence[Scan], repeats: int, seed: int) -> Iterator[ReadingOutcome]:
    """Read scans with each of the other classifiers, if every sticker was seen."""
    for condition in ("clean", "mild", "hard"):
        how = CONDITIONS[condition]
        for scan, rng in draws(scans, 1 if how == CLEAN else repeats, seed):
            colours = StickerColours.of_srgb(degrade(scan.rgb, how, rng))
            if not np.isfinite(colours.lab).all():
                continue
            for name, classify in CLASSIFIERS.built_in.items():
                if name != JOINT:
                    reading = timed(classify)(colours)
                    yield outcome(f"{condition}, {name}", scan.name, scan.expected, reading)


def measure_turned(scans: Sequence[Scan], repeats: int, seed: int) -> Iterator[ReadingOutcome]:
    """Decode scans whose faces are rotated at random, unchanged and mildly degraded."""
    for condition in ("clean", "mild"):
        for scan, rng in draws(scans, repeats, seed):
            placement = make_placement(range(6), [int(turn) for turn in rng.integers(0, 4, 6)])
            pictures = np.empty_like(scan.rgb)
            pictures[placement.cells] = degrade(scan.rgb, CONDITIONS[condition], rng)
            reading = _decode(StickerColours.of_srgb(pictures), any_orientation=True)
            yield outcome(f"turned, {condition}", scan.name, scan.expected, reading)


def measure_wrong_cubes(scans: Sequence[Scan], repeats: int, seed: int) -> Iterator[ReadingOutcome]:
    """Decode cubes that were taken apart: a corner twisted, an edge flipped, two edges swapped."""
    for kind in ("corner twisted", "edge flipped", "edges swapped"):
        for scan, rng in draws(scans, repeats, seed):
            there, source = _taken_apart(kind, rng)
            rgb, letters = scan.rgb.copy(), np.array(list(scan.expected))
            rgb[there], letters[there] = scan.rgb[source], letters[source]
            if (text := "".join(letters)) != scan.expected:
                yield outcome(kind, scan.name, text, _decode(StickerColours.of_srgb(rgb)))


def _taken_apart(kind: str, rng: np.random.Generator) -> tuple[list[int], list[int]]:
    """Return the changed stickers, and the origins of their colours."""
    if kind == "corner twisted":
        place = CORNER_FACELETS[rng.integers(8)]
        turn = int(rng.integers(1, 3))
        return list(place), [*place[turn:], *place[:turn]]
    first, second = (EDGE_FACELETS[i] for i in rng.choice(12, 2, replace=False))
    if kind == "edge flipped":
        return list(first), list(first[::-1])
    return [*first, *second], [*second, *first]


def measure_rig_frames(frames: Sequence[RigFrame]) -> Iterator[ReadingOutcome]:
    """Decode every frame without calibration; the centres are configured."""
    for frame in frames:
        yield outcome(
            "rig, blind",
            frame.name,
            frame.expected,
            _decode(StickerColours.of_lab(frame.labs), centres=frame.scheme),
        )


def measure_photos(data: Path) -> Iterator[ReadingOutcome]:
    """Read the sets of six photos, records of kind `face_photos`."""
    for record in manifest(data):
        if record["kind"] != "face_photos" or record.get("n", 3) != 3:
            continue
        files: Mapping[str, str] = record["files"]
        try:
            faces = read_faces([(face, read_photo(data / file)) for face, file in files.items()])
        except VisionError:
            continue
        reading = timed(read_cube_faces)(faces)
        yield outcome("six photos", record["id"], Facelets(record["expected"]).text, reading)
