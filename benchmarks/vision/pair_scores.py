"""Measures what the scores of pairs of colours predict: the colours that readings confuse.

    python benchmarks/vision/pair_scores.py DATA [--seed 2] [--profiles 2] [--readings 6]

DATA is a folder with a `manifest.json` for `thistlebot bench vision`. A profile is measured from
the stickers of each scan arranged as a solved cube, and from a rendered solved cube in each of nine
settings of camera and three lights; then other pictures of the same kind are read with it, and the
confused colours are counted. For each measure of a pair the area under the ROC curve is printed
(does it rank confused pairs below the others?), and for the program's score the frequency of
confusion, by score, and the result of each threshold.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import Figure, Given, Percent, Report, Row, Rows, Tenths, parser_of, run
from benchmarks.vision.labelled_colours import CONDITIONS, Scan, degrade, read_scans
from calibration.colours import describe_colours
from calibration.pair_scores import LEAST_SCORE, pair_scores
from cube.facelets import Facelets
from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from cube.random_states import random_state
from cube.state import SOLVED
from vision.colours.colour_model import seed_models
from vision.colours.profile import ColourProfile
from vision.colours.scheme import labels_of
from vision.colours.sticker_colours import StickerColours, lab_to_srgb, srgb_to_lab
from vision.decoding.decode import decode
from vision.geometry.light import WEBCAM, Light, Optics
from vision.geometry.sampling import sample_view
from vision.virtual.viewpoints import corner_viewpoint, default_views
from vision.virtual.virtual_camera import VirtualCamera

Array = NDArray[np.float64]
Labels = NDArray[np.intp]

PAIRS = tuple(combinations(range(6), 2))
OPTICS = {
    "webcam": WEBCAM,
    "dim": Optics(exposure=0.3, noise_levels=3, drift=0.015),
    "dim, warm": Optics(exposure=0.3, white_balance=(1.25, 1.0, 0.6), noise_levels=3),
    "dark": Optics(exposure=0.12, noise_levels=4),
    "very dark": Optics(exposure=0.05, noise_levels=5),
    "bright": Optics(exposure=1.8, noise_levels=2),
    "overexposed": Optics(exposure=3.0, noise_levels=2),
    "sodium": Optics(exposure=0.8, white_balance=(1.4, 0.8, 0.15), noise_levels=3),
    "red": Optics(exposure=0.8, white_balance=(1.4, 0.5, 0.05), noise_levels=3),
}
LIGHTS = {
    "room": Light(),
    "lamp": Light(ambient=0.25, direct=1.0, gradient=0.3),
    "gloss": Light(gloss=0.4),
}
EDGES = (0.0, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 12.0, np.inf)


@dataclass(frozen=True, slots=True, eq=False)
class ProfileTrial:
    """A profile, and the share of the readings in which each of the fifteen pairs was confused."""

    source: str
    profile: ColourProfile
    exchanged: Array


def exchanged(read: Labels, truth: Labels) -> NDArray[np.bool_]:
    """Return for each pair whether a sticker of one colour was read as the other, (15,)."""
    return np.array(
        [
            bool((((read == a) & (truth == b)) | ((read == b) & (truth == a))).any())
            for a, b in PAIRS
        ]
    )


def scan_trials(
    scans: list[Scan], profiles: int, readings: int, seed: int
) -> Iterator[ProfileTrial]:
    """Measure and read every scan in every condition."""
    for scan in scans:
        truth = labels_of(Facelets(scan.expected))
        solved = scan.rgb[np.argsort(truth, kind="stable")]
        for number, how in enumerate(CONDITIONS.values()):
            for repeat in range(profiles):
                rng = np.random.default_rng([seed, number, repeat])
                labs = srgb_to_lab(degrade(solved, how, rng))
                profile = describe_colours(labs, WESTERN_SCHEME, "bench", "2026-01-01")
                shares = []
                for _ in range(readings):
                    seen = StickerColours.of_srgb(degrade(scan.rgb, how, rng))
                    reading = decode(seen, profile, mistakes=False)
                    shares.append(exchanged(labels_of(reading.best), truth))
                yield ProfileTrial(scan.name, profile, np.mean(shares, axis=0))


def rendered_trials(readings: int, seed: int) -> Iterator[ProfileTrial]:
    """Measure and read the virtual cube in every setting and light."""
    rng = np.random.default_rng(seed)
    views = default_views()
    for optics in OPTICS.values():
        for light in LIGHTS.values():
            state = SOLVED
            cameras = [
                VirtualCamera(
                    lambda: state,  # noqa: B023 (asked at once)
                    corner_viewpoint(name),
                    seed=seed,
                    optics=optics,
                    light=light,
                )
                for name in "AB"
            ]
            labs = sample_view([camera.read() for camera in cameras], views)
            profile = describe_colours(labs, WESTERN_SCHEME, "bench", "2026-01-01")
            shares = []
            for _ in range(readings):
                state = random_state(rng)
                labs = sample_view([camera.read() for camera in cameras], views)
                seen = StickerColours.of_lab(labs)
                reading = decode(seen, profile, WESTERN_SCHEME, mistakes=False)
                shares.append(exchanged(labels_of(reading.best), labels_of(state.to_facelets())))
            yield ProfileTrial("rendered", profile, np.mean(shares, axis=0))


def _colours(profile: ColourProfile) -> tuple[Array, Array]:
    labs = np.array([profile.colours[face] for face in FACES])
    return labs, np.array([profile.spread[face] for face in FACES])


def distances(profile: ColourProfile) -> Array:
    """Return ΔE 1976, (15,)."""
    labs, _ = _colours(profile)
    return np.array([np.linalg.norm(labs[a] - labs[b]) for a, b in PAIRS])


def distances_in_spreads(profile: ColourProfile) -> Array:
    """Return ΔE 1976 over the pooled spread, (15,)."""
    _, spread = _colours(profile)
    pooled: Array = np.array(
        [np.sqrt((spread[a] ** 2 + spread[b] ** 2) / 2 + 1.0) for a, b in PAIRS]
    )
    return distances(profile) / pooled


def distances_of_the_model(profile: ColourProfile) -> Array:
    """Return the classifier's a-priori distances in standard deviations, (15,)."""
    labs, _ = _colours(profile)
    means = lab_to_srgb(labs) / 255.0
    model = seed_models(means[None], np.ones(1), 54)
    return np.array(
        [
            min(np.linalg.norm(model.whitening[0, each] @ (means[a] - means[b])) for each in (a, b))
            for a, b in PAIRS
        ]
    )


def used_scores(profile: ColourProfile) -> Array:
    """Return the program's score, (15,)."""
    return np.array([each.score for each in pair_scores(profile)])


MEASURES: dict[str, Callable[[ColourProfile], Array]] = {
    "ΔE": distances,
    "σ of the classifier's prior": distances_of_the_model,
    "ΔE over spread": distances_in_spreads,
    "score": used_scores,
}


def area(values: Array, found: NDArray[np.bool_]) -> float:
    """Return the area under the ROC curve for values that rank below (Mann, Whitney 1947)."""
    if found.all() or not found.any():
        return float("nan")
    low, high = values[found][:, None], values[~found][None]
    return float(np.mean((low < high) + 0.5 * (low == high)))


class ScoreRow(Row):
    """Pairs in a range of scores: the share of confused ones, and of readings concerned."""

    trials: str
    score: Tenths
    below: Tenths
    pairs: int
    exchanged: Percent
    in_readings_percent: float


def told(name: str, trials: list[ProfileTrial]) -> Rows:
    """Report the results of some trials."""
    shares = np.concatenate([trial.exchanged for trial in trials])
    found = shares > 0.0
    yield Figure(
        f"{name}: pairs of {len(trials)} profiles exchanged", found.sum(), f"of {len(found)}"
    )
    for measure, values in MEASURES.items():
        both = np.concatenate([values(trial.profile) for trial in trials])
        yield Figure(f"{name}: area under the ROC curve, {measure}", round(area(both, found), 3))
    scores = np.concatenate([used_scores(trial.profile) for trial in trials])
    for low, high in pairwise(EDGES):
        within = (scores >= low) & (scores < high)
        if within.any():
            rates = found[within].mean(), 100 * shares[within].mean()
            yield ScoreRow(name, low, high, int(within.sum()), *rates)
    for least in (2.0, 2.5, LEAST_SCORE, 3.5, 4.0, 5.0):
        fails = scores < least
        for what, share in (("finds", fails[found].mean()), ("alarms", fails[~found].mean())):
            yield Figure(f"{name}: threshold {least} {what}", round(100 * float(share)), "%")


def measure(given: Given, report: Report) -> Rows:
    """Report them for every second scan, for the others, and for the virtual cube."""
    scans = sorted(read_scans(given.data), key=lambda scan: scan.name)
    drawn = scan_trials(scans, given.profiles, given.readings, given.seed)
    trials = list(report.track(drawn, "profiles"))
    for first, name in enumerate(("every second scan", "the other scans")):
        chosen = {scan.name for scan in scans[first::2]}
        yield from told(name, [trial for trial in trials if trial.source in chosen])
    yield from told("all scans", trials)
    drawn = rendered_trials(given.readings, given.seed)
    yield from told("rendered", list(report.track(drawn, "profiles")))


if __name__ == "__main__":
    run(parser_of(__doc__, data=Path, seed=2, profiles=2, readings=6), measure)
