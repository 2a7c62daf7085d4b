"""Measures how often each scan is read right, and how often a reader with known light would.

    python benchmarks/vision/colour_limits.py DATA [--seed 1] [--repeats 4]

DATA is a folder with a `manifest.json` for `thistlebot bench vision`. The second value is the
limit: the light of every place, the mean and the scatter of the six colours of the scan before it
was degraded, and the stickers that reflect a lamp are all given; the cheapest solvable cube under
Gaussians with these parameters is the answer. If it is wrong, the scan does not contain enough
information for any method.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import Given, Percent, Report, Row, Rows, Whole, parser_of, run
from benchmarks.vision.labelled_colours import CONDITIONS, Degradation, Scan, degrade, read_scans
from cube.facelets import Facelets
from vision.colours.scheme import labels_of
from vision.colours.sticker_colours import StickerColours
from vision.decoding.decode import decode
from vision.decoding.legal_search import cheapest_in_orbit
from vision.decoding.piece_costs import piece_costs, piece_labels

Array = NDArray[np.float64]

# Minimum scatter from sampling, levels of 255, and maximum extra cost of any colour of a sticker,
# nats.
_FLOOR, _MOST_COST = 1.5, 12.0


def known_light_costs(scan: Scan, seen: Array, how: Degradation, seed: int) -> Array:
    """Return (54, 6) nats, from the degraded colours `seen` (54, 3) drawn with this seed."""
    labels = labels_of(Facelets(scan.expected))
    light = replace(how, noise=0.0, glare=0, missing=0)

    def lit(colours: Array) -> Array:
        return degrade(colours, light, np.random.default_rng(seed))

    costs = np.empty((54, 6))
    for colour in range(6):
        mine = scan.rgb[labels == colour]
        mean, scatter = mine.mean(axis=0), mine.std(axis=0)
        low, middle, high = (
            lit(np.tile(np.clip(mean + sign * scatter, 0, 255), (54, 1))) for sign in (-1, 0, 1)
        )
        variance = ((high - low) / 2) ** 2 + how.noise**2 + _FLOOR**2
        costs[:, colour] = 0.5 * ((seen - middle) ** 2 / variance + np.log(variance)).sum(axis=1)
    glared = degrade(scan.rgb, replace(how, noise=0.0, missing=0), np.random.default_rng(seed))
    silent = np.isnan(seen).any(axis=1) | (np.abs(glared - lit(scan.rgb)).max(axis=1) > 1e-6)
    costs = np.minimum(costs, costs.min(axis=1, keepdims=True) + _MOST_COST)
    costs[silent] = 0.0
    return np.asarray(costs, dtype=np.float64)


class ColourLimitRow(Row):
    """The share read right under one condition, and its limit, for all scans and for each."""

    condition: str
    right: Percent
    limit: Percent
    right_percent_by_scan: list[Whole]
    limit_percent_by_scan: list[Whole]


def measure(given: Given, report: Report) -> Rows:
    """Read every scan in every condition."""
    scans = read_scans(given.data)
    report.screen.line("scans: " + ", ".join(scan.name for scan in scans))
    for condition, how in CONDITIONS.items():
        table = np.zeros((2, len(scans)))
        for number, scan in enumerate(report.track(scans, condition)):
            truth = labels_of(Facelets(scan.expected))
            for repeat in range(given.repeats):
                seed = given.seed * 1000 + repeat
                seen = degrade(scan.rgb, how, np.random.default_rng(seed))
                costs = known_light_costs(scan, seen, how, seed)
                _, corners, edges = cheapest_in_orbit(*piece_costs(costs))
                table[:, number] += (
                    decode(StickerColours.of_srgb(seen)).best.text == scan.expected,
                    np.array_equal(piece_labels(corners, edges), truth),
                )
        right, limit = table / given.repeats
        each = [*(100 * right)], [*(100 * limit)]
        yield ColourLimitRow(condition, right.mean(), limit.mean(), *each)


if __name__ == "__main__":
    run(parser_of(__doc__, data=Path, seed=1, repeats=4), measure)
