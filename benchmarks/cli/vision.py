"""The verb `bench vision`: how well cubes are read, on a folder of labelled pictures."""

from collections.abc import Iterator, Set
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
    measure_others,
    measure_photos,
    measure_rig_frames,
    measure_scans,
    measure_turned,
    measure_wrong_cubes,
)
from benchmarks.vision.labelled_colours import (
    CONDITIONS,
    Scan,
    read_rig_frames,
    read_scans,
)
from benchmarks.vision.mistakes import (
    measure_centres,
    measure_mistakes,
)
from thistlebot.cli import options
from vision.reading import MARGIN_THRESHOLD, ReadingState

Array = NDArray[np.float64]


class VisionPart(StrEnum):
    """What is measured."""

    SCANS = "scans"
    WRONG = "wrong"
    RIG = "rig"
    PHOTOS = "photos"
    MISTAKES = "mistakes"


def vision(
    data: Annotated[
        Path,
        typer.Argument(metavar="DIR", help="Folder with a manifest.json."),
    ],
    repeats: Annotated[
        int, typer.Option(metavar="N", min=1, help="Number of degraded copies of each scan.")
    ] = 4,
    part: Annotated[
        list[VisionPart] | None,
        typer.Option(help="Measure this part only; repeatable. Default: all."),
    ] = None,
    seed: options.Seed = 1,
    json: options.Json = False,
) -> None:
    """Read cubes in labelled pictures, both unchanged and degraded.

    `thistlebot manual reading-colours` describes the manifest and the tables.
    """
    report = Report(json=json, guides=False)
    chance = seed or 0
    parts = set(part or VisionPart)
    scans = read_scans(data)
    outcomes: list[ReadingOutcome] = []
    source = _sources(parts, data, scans, repeats, chance)
    for _, group in groupby(source, key=lambda one: one.condition):
        outcomes += (rows := list(group))
        report.add(_added_up(rows))
    if VisionPart.SCANS in parts:
        report.show(_thresholds([one for one in outcomes if one.condition in CONDITIONS]))
    if VisionPart.MISTAKES in parts:
        report.show(_mistakes(scans, repeats, chance))


def _sources(
    parts: Set[VisionPart], data: Path, scans: list[Scan], repeats: int, seed: int
) -> Iterator[ReadingOutcome]:
    """Readings of all selected parts."""
    if VisionPart.SCANS in parts:
        yield from measure_scans(scans, repeats, seed)
        yield from measure_others(scans, repeats, seed)
        yield from measure_turned(scans, max(1, repeats // 2), seed)
    if VisionPart.WRONG in parts:
        yield from measure_wrong_cubes(scans, repeats, seed)
        yield from measure_centres(scans, repeats, seed)
    if VisionPart.RIG in parts:
        yield from measure_rig_frames(read_rig_frames(data))
    if VisionPart.PHOTOS in parts:
        yield from measure_photos(data)


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


class MistakeRow(Row):
    """A deliberate mistake: the share of readings accepted, and of those that named it, 0..1."""

    mistake: Wide
    n: int
    accepted: Percent
    named: Percent
    wrong_accepted: int
    hidden: int


class ThresholdRow(Row):
    """What a threshold on the margin would accept of the degraded scans, and wrongly, 0..1."""

    least_margin: float
    accepted: Percent
    wrong: Annotated[float, ".2%"]
    chosen: bool


def _thresholds(outcomes: list[ReadingOutcome]) -> Iterator[ThresholdRow]:
    """Try some thresholds; readings refused for another reason stay refused."""
    total = max(1, len(outcomes))
    open_to = [o for o in outcomes if not o.suspected and o.state is not ReadingState.AMBIGUOUS]
    for least in (0.0, 3.0, 6.0, 9.0, 12.0, 15.0, 20.0):
        taken = [one for one in open_to if one.margin >= least]
        wrong = sum(not one.right for one in taken)
        yield ThresholdRow(least, len(taken) / total, wrong / total, least == MARGIN_THRESHOLD)


def _mistakes(scans: list[Scan], repeats: int, seed: int) -> Iterator[MistakeRow]:
    shown = chain(
        measure_mistakes(scans, repeats, seed),
        measure_mistakes(scans, repeats, seed, any_orientation=True),
    )
    for name, group in groupby(shown, key=lambda one: one.outcome.condition):
        rows = list(group)
        plain = [one for one in rows if not one.hidden]
        accepted = sum(one.outcome.accepted for one in rows) / len(rows)
        named = sum(one.named for one in plain) / max(1, len(plain))
        wrong = sum(one.outcome.accepted and not one.outcome.right for one in plain)
        yield MistakeRow(name, len(rows), accepted, named, wrong, len(rows) - len(plain))
