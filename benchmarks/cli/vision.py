"""The verb `bench vision`: how well faces are found and cubes are read, on a folder of pictures.

How well frames of fixed cameras are read with colours learnt from the other frames.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from enum import StrEnum
from itertools import chain, groupby
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from benchmarks.report import Percent, Report, Row, Whole, Wide
from benchmarks.vision.colour_benchmark import (
    ReadingOutcome,
    measure_false_alarms,
    measure_frames,
    measure_looked_twice,
    measure_others,
    measure_photos,
    measure_rig_frames,
    measure_scans,
    measure_shown_again,
    measure_turned,
    measure_wrong_cubes,
    outcome,
)
from benchmarks.vision.face_benchmark import false_faces, labelled_faces, measure_conditions
from benchmarks.vision.labelled_colours import (
    CONDITIONS,
    RigFrame,
    Scan,
    labelled_run,
    read_rig_frames,
    read_scans,
)
from benchmarks.vision.mistakes import (
    acceptance_curve,
    measure_caution,
    measure_covered_centres,
    measure_hidden_centres,
    measure_mistakes,
    plot_curve_svg,
)
from benchmarks.vision.pictures_without_cube import without_cube
from calibration.place_colours import KnownLook, learn_places
from cube.facelets import Facelets
from documents.files import write_atomically
from thistlebot.cli import options
from thistlebot.errors import UsageError
from thistlebot.journal.bundle import bundles_in, read_bundle
from vision.colours.profile import ColourProfile
from vision.colours.sticker_colours import StickerColours
from vision.decoding.acceptance import MARGIN_THRESHOLD
from vision.decoding.decode import decode
from vision.reading import ReadingState
from vision.timed import timed

Array = NDArray[np.float64]


# A lamp that is changed between calibration and reading: warmer, cooler, dimmer, greener.
_OTHER_LIGHTS = ((1.15, 1.0, 0.8), (0.85, 1.0, 1.15), (0.6, 0.6, 0.6), (0.9, 1.1, 0.9))


def measure_calibrated(frames: Sequence[RigFrame]) -> Iterator[ReadingOutcome]:
    """Decode each frame with a profile of all the others: leave one out."""
    for frame in frames:
        others = [other for other in frames if other is not frame]
        if others:
            yield _outcome("rig, calibrated", frame, _learnt(others, frame), frame.labs)


def measure_hasty_calibration(frames: Sequence[RigFrame]) -> Iterator[ReadingOutcome]:
    """Decode each frame with a profile of one other frame."""
    for frame in frames:
        for other in frames:
            if other is not frame:
                yield _outcome("rig, one frame", frame, _learnt([other], frame), frame.labs)


def measure_changed_light(frames: Sequence[RigFrame]) -> Iterator[ReadingOutcome]:
    """Decode each frame with a profile of frames in a different light."""
    for frame in frames:
        others = [other for other in frames if other is not frame]
        srgb = StickerColours.of_lab(frame.labs).srgb
        for light in _OTHER_LIGHTS if others else ():
            lit = StickerColours.of_srgb(255.0 * np.clip(srgb * light, 0.0, 1.0))
            yield _outcome("rig, changed light", frame, _learnt(others, frame), lit.lab)


def _learnt(frames: Sequence[RigFrame], reader: RigFrame) -> ColourProfile:
    looks = [KnownLook(frame.labs, Facelets(frame.expected)) for frame in frames]
    return learn_places(looks, reader.scheme, "bench", "2026-01-01")


def _outcome(
    condition: str, frame: RigFrame, profile: ColourProfile, labs: Array
) -> ReadingOutcome:
    reading = timed(decode)(StickerColours.of_lab(labs), profile, frame.scheme, by_hand=False)
    return outcome(condition, frame.name, frame.expected, reading)


class VisionPart(StrEnum):
    """What is measured."""

    SCANS = "scans"
    LOOKS = "looks"
    WRONG = "wrong"
    RIG = "rig"
    PHOTOS = "photos"
    MISTAKES = "mistakes"
    FACES = "faces"
    RUNS = "runs"


def vision(
    data: Annotated[
        Path,
        typer.Argument(metavar="DIR", help="Folder with a manifest.json, or with bundles of runs."),
    ],
    repeats: Annotated[
        int, typer.Option(metavar="N", min=1, help="Number of degraded copies of each scan.")
    ] = 4,
    part: Annotated[
        list[VisionPart] | None,
        typer.Option(help="Measure this part only; repeatable. Default: all."),
    ] = None,
    condition: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help=f"Degrade scans in this way only: {', '.join(CONDITIONS)}; repeatable.",
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the threshold curves as an SVG picture."),
    ] = None,
    without: Annotated[
        str, typer.Option(metavar="ID,…", help="Leave out scans whose ids end with this text.")
    ] = "",
    seed: options.Seed = 1,
    json: options.Json = False,
) -> None:
    """Find faces and read cubes in labelled pictures, both unchanged and degraded.

    `thistlebot manual reading-colours` describes the manifest and the tables.
    """
    report = Report(json=json, guides=False)
    chance = seed or 0
    parts = {VisionPart.SCANS} if condition else set(part or _parts_of(data))
    if unknown := [name for name in condition or () if name not in CONDITIONS]:
        raise UsageError(f"no condition {unknown[0]!r}; choose one of {', '.join(CONDITIONS)}")
    if plot is not None and VisionPart.SCANS not in parts:
        raise UsageError("--plot draws the results of scans: add --part scans")
    left_out = tuple(end for end in without.split(",") if end)
    scans = []
    if parts != {VisionPart.RUNS}:
        scans = [scan for scan in read_scans(data) if not scan.name.endswith(left_out)]
    if condition:
        source = measure_scans(scans, repeats, chance, condition)
    else:
        source = _sources(parts, data, scans, repeats, chance)
    outcomes = _tell_colours(report, source)
    if VisionPart.SCANS in parts:
        _tell_curve(report, outcomes, plot)
    if VisionPart.MISTAKES in parts:
        report.show(_mistakes(scans, repeats, chance))
    if VisionPart.FACES in parts:
        report.show(_faces(data, chance))


def _sources(
    parts: Set[VisionPart], data: Path, scans: list[Scan], repeats: int, seed: int
) -> Iterator[ReadingOutcome]:
    """Readings of all selected parts."""
    if VisionPart.SCANS in parts:
        yield from measure_scans(scans, repeats, seed)
        yield from measure_others(scans, repeats, seed)
        yield from measure_turned(scans, max(1, repeats // 2), seed)
    if VisionPart.LOOKS in parts:
        yield from measure_shown_again(scans, repeats, seed)
        yield from measure_shown_again(scans, repeats, seed, most=6)
        yield from measure_looked_twice(scans, repeats, seed)
        yield from measure_frames(scans, repeats, seed)
        yield from measure_false_alarms(scans, repeats, seed)
    if VisionPart.WRONG in parts:
        yield from measure_wrong_cubes(scans, repeats, seed)
        yield from measure_hidden_centres(scans, repeats, seed)
        yield from measure_covered_centres(scans, repeats, seed)
    if VisionPart.RIG in parts:
        frames = read_rig_frames(data)
        yield from measure_rig_frames(frames)
        yield from measure_calibrated(frames)
        yield from measure_hasty_calibration(frames)
        yield from measure_changed_light(frames)
    if VisionPart.PHOTOS in parts:
        yield from measure_photos(data)
    if VisionPart.RUNS in parts:
        yield from _measure_runs(data)


def _parts_of(data: Path) -> set[VisionPart]:
    """The parts for which a folder has pictures."""
    parts = set(VisionPart)
    if not bundles_in(data):
        parts.remove(VisionPart.RUNS)
    elif not (data / "manifest.json").exists():
        parts = {VisionPart.RUNS}
    return parts


def _measure_runs(data: Path) -> Iterator[ReadingOutcome]:
    """Read the first look of each recorded run whose cube was later seen solved."""
    for file in bundles_in(data):
        found = labelled_run(*read_bundle(file))
        if found is not None:
            yield outcome("recorded runs", found.name, found.truth, found.reading)


class ConditionRow(Row):
    """The readings under one condition, summed; shares are 0..1."""

    condition: Annotated[str, "<28"]
    n: int
    right: Percent
    accepted: Percent
    wrong_accepted: Percent
    suspected: Percent
    ambiguous: Percent
    median_ms: Whole
    max_ms: Whole


def _added_up(outcomes: list[ReadingOutcome]) -> ConditionRow:
    judged = []
    for one in outcomes:
        wrong, ambiguous = one.accepted and not one.right, one.state is ReadingState.AMBIGUOUS
        judged.append((one.right, one.accepted, wrong, one.suspected, ambiguous))
    times, shares = [one.elapsed_ms for one in outcomes], np.mean(judged, axis=0).tolist()
    added = outcomes[0].condition, len(outcomes), *shares, float(np.median(times)), max(times)
    return ConditionRow(*added)


def _tell_colours(report: Report, source: Iterable[ReadingOutcome]) -> list[ReadingOutcome]:
    """Print a row for each condition; return all readings."""
    outcomes: list[ReadingOutcome] = []
    for _, group in groupby(source, key=lambda one: one.condition):
        rows = list(group)
        report.add(_added_up(rows))
        outcomes += rows
    return outcomes


def _tell_curve(report: Report, outcomes: list[ReadingOutcome], plot: Path | None) -> None:
    groups = {
        "clean": [one for one in outcomes if one.condition == "clean"],
        "mild": [one for one in outcomes if one.condition == "mild"],
        "hard": [one for one in outcomes if one.condition == "hard"],
        "all scans": [one for one in outcomes if one.condition in CONDITIONS],
    }
    curves = {name: acceptance_curve(group) for name, group in groups.items() if group}
    report.screen.line(f"\n{'least margin':<14} " + " ".join(f"{name:>16}" for name in curves))
    for row in zip(*curves.values(), strict=True):
        threshold = row[0][0]
        if threshold % 2 == 0 and threshold <= 20:
            cells = " ".join(f"{taken:>8.1%}{wrong:>7.1%} " for _, taken, wrong in row)
            chosen = "  <" if threshold == MARGIN_THRESHOLD else ""
            report.screen.line(f"{threshold:<14g} {cells}{chosen}")
    report.record({"curves": curves, "threshold": MARGIN_THRESHOLD})
    if plot is not None and curves:
        write_atomically(plot, plot_curve_svg(curves, MARGIN_THRESHOLD))
        report.screen.note(f"wrote {plot}")


class MistakeRow(Row):
    """A deliberate mistake: the share of readings that named it, 0..1."""

    mistake: Wide
    n: int
    named: Percent
    wrong_accepted: int
    hidden: int


class CautionRow(Row):
    """Correct readings, 0..1, and the effect of looking for mistakes."""

    caution: Wide
    n: int
    right: Percent
    wrong_accepted: int
    lost: int


def _mistakes(scans: list[Scan], repeats: int, seed: int) -> Iterator[MistakeRow | CautionRow]:
    shown = chain(
        measure_mistakes(scans, repeats, seed),
        measure_mistakes(scans, repeats, seed, any_orientation=True),
    )
    for name, group in groupby(shown, key=lambda one: one.outcome.condition):
        rows = list(group)
        plain = [one for one in rows if not one.hidden]
        named = sum(one.named for one in plain) / max(1, len(plain))
        wrong = sum(one.outcome.accepted and not one.outcome.right for one in plain)
        yield MistakeRow(name, len(plain), named, wrong, len(rows) - len(plain))
    for name, pairs in groupby(measure_caution(scans, repeats, seed), key=lambda one: one[0]):
        readings = [(before, after, truth) for _, before, after, truth in pairs]
        right = [(before, after) for before, after, truth in readings if after.best.text == truth]
        wrong = sum(after.accepted and after.best.text != truth for _, after, truth in readings)
        lost = sum(before.accepted and not after.accepted for before, after in right)
        yield CautionRow(name, len(readings), len(right) / len(readings), wrong, lost)


class FacesRow(Row, omit_defaults=True):
    """The share of faces found under one condition, 0..1, or their number where there is none."""

    faces: str
    n: int
    found: Percent | None = None
    elsewhere: int | None = None
    median_ms: Whole | None = None
    false: int | None = None


def _faces(data: Path, seed: int) -> Iterator[FacesRow]:
    photos = labelled_faces(data)
    if not photos:
        return
    for one in measure_conditions(photos, seed):
        yield FacesRow(one.condition, one.photos, one.share, one.elsewhere, one.median_ms)
    pictures, false, _ = false_faces(without_cube(photos, np.random.default_rng(seed)))
    yield FacesRow("no cube", pictures, false=len(false))
