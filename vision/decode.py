"""From 54 measured colours to a cube, with a margin, or to the faces to show again."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cube.facelets import Facelets, facelet_index
from cube.laws import examine
from vision.classify import (
    cluster_colours,
    facelets_of,
    labels_of,
    nine_per_colour,
    seed_colours,
)
from vision.colour_model import (
    ColourModel,
    fit_model,
    seed_model,
    seen_stickers,
    sticker_costs,
)
from vision.doubt import faces_to_reread, sticker_gaps
from vision.errors import VisionError
from vision.legal_search import LegalSearch, cheapest_legal, search_legal
from vision.piece_costs import piece_costs, state_of
from vision.profile import ColourProfile
from vision.reading import CubeReading, StickerReading

Array = NDArray[np.float64]

MARGIN_THRESHOLD = 8.0
"""Least margin, in nats, of an accepted reading.

Chosen with benchmarks/colour_reading.py on eleven scans of real cubes, as they are and degraded in
eight ways (light gradient, noise, glare, missing stickers, a gain for each face, and three mixtures
of these), fifteen times each, five sets of real photos, and eleven frames of a rig with two corner
cameras: 1347 readings. Of those whose stickers, nine a colour, were the likeliest cube,

    margin at least     0    2    4    6    8   12
    readings          752  744  723  673  637  560
    of them wrong       9    6    3    0    0    0

so the threshold lies two nats above the last wrong one: likelier by a factor of seven.
"""

# Widths of the first guess's covariances: a narrow start keeps good seeds, a wide one forgets bad
# ones.
_CAUTIONS = (1.5, 6.0)
_ROUNDS = 6
# Two starts that agree with at least this margin make further starts unnecessary.
_SURE_MARGIN = 14.0


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """A legal cube, the colours fitted to it, and its cost under them."""

    cost: float
    facelets: Facelets
    model: ColourModel


def decode(
    labs: ArrayLike,
    profile: ColourProfile | None = None,
    centres: Mapping[str, str] | None = None,
) -> CubeReading:
    """Decide which cube shows these colours.

    k-means seeded by the centres or the profile proposes colours; then colours, one gain of light
    per face and the likeliest legal cube are estimated in turn, from several starts, and the best
    fit wins. The reading is accepted when the stickers taken one by one, nine a colour, are that
    same cube, and no other legal cube is nearly as likely.

    Args:
        labs: (54, 3) CIELAB (D65, L 0..100), URFDLB order, each face in the orientation of the
            usual net; NaN for stickers not seen.
        profile: measured colours to start from.
        centres: face letter to colour name of centres that couplers hide; their measured colours
            are not used.

    Raises:
        VisionError: `labs` has another shape, or `centres` makes no sense.
    """
    started = time.perf_counter()
    values = np.array(labs, dtype=np.float64)
    if values.shape != (54, 3):
        raise VisionError(
            f"a cube has 54 stickers with L, a, b; these colours have shape {values.shape}"
        )
    values[~seen_stickers(values)] = np.nan
    for face in centres or {}:
        if len(face) == 1 and face in "URFDLB":
            values[facelet_index(f"{face}5")] = np.nan
    if profile is not None:
        for name, offset in profile.offsets.items():
            values[facelet_index(name)] -= offset
    best, found, margin = _fit_cube(values, profile, centres)
    return _judge(values, best, found, margin, started)


def _fit_cube(
    labs: Array, profile: ColourProfile | None, centres: Mapping[str, str] | None
) -> tuple[_Fit, LegalSearch, float]:
    """Fit from one start after the other until no doubt is left; best fit, search, margin."""
    fits: list[_Fit] = []
    found, margin = None, 0.0
    for number, start in enumerate(_starts(labs, profile, centres)):
        fits.append(_fit_from(labs, start))
        if number == 1 and fits[0].facelets == fits[1].facelets:
            found, margin = _margin(labs, fits)
            if margin >= _SURE_MARGIN:
                break
    else:
        found, margin = _margin(labs, fits)
    return min(fits, key=lambda fit: fit.cost), found, margin


def _starts(
    labs: Array, profile: ColourProfile | None, centres: Mapping[str, str] | None
) -> Iterator[ColourModel]:
    """First guesses of the colours, most promising first."""
    seeds = seed_colours(labs, profile, centres)
    anchors = seeds if profile is not None else None
    clusters = cluster_colours(labs, seeds)
    yield seed_model(clusters, anchors=anchors)
    yield seed_model(seeds, anchors=anchors)
    guesses = [clusters, seeds]
    for guess in (seeds, clusters):
        labels = nine_per_colour(sticker_costs(labs, seed_model(guess)))
        guesses.append(_medians(labs, labels, guess))
    for caution in _CAUTIONS:
        for guess in guesses[2:] if caution == _CAUTIONS[0] else guesses:
            yield seed_model(guess, caution, anchors)


def _medians(labs: Array, labels: NDArray[np.intp], fallback: Array) -> Array:
    result = fallback.copy()
    seen = seen_stickers(labs)
    for colour in range(6):
        mine = labs[seen & (labels == colour)]
        if len(mine):
            result[colour] = np.median(mine, axis=0)
    return result


def _fit_from(labs: Array, model: ColourModel) -> _Fit:
    """Estimate cube from colours and colours from cube in turn, until the cube repeats."""
    costs = sticker_costs(labs, model)
    best: _Fit | None = None
    seen: set[Facelets] = set()
    for _ in range(_ROUNDS):
        _, corners, edges = cheapest_legal(*piece_costs(costs))
        facelets = state_of(corners, edges).to_facelets()
        if facelets in seen:
            break
        seen.add(facelets)
        labels = labels_of(facelets)
        model = fit_model(labs, labels, fit_model(labs, labels, model))
        costs = sticker_costs(labs, model)
        cost = float(costs[np.arange(54), labels].sum())
        if best is None or cost < best.cost:
            best = _Fit(cost, facelets, model)
    assert best is not None, "at least one round is made"
    return best


def _margin(labs: Array, fits: list[_Fit]) -> tuple[LegalSearch, float]:
    """Search around the best fit; another start's cube is a rival, under its own colours."""
    best = min(fits, key=lambda fit: fit.cost)
    found = search_legal(*piece_costs(sticker_costs(labs, best.model)))
    rivals = [fit.cost - best.cost for fit in fits if fit.facelets != best.facelets]
    if state_of(found.corners, found.edges).to_facelets() != best.facelets:
        return found, 0.0  # the fit has not settled
    return found, min([found.margin, *rivals])


def _judge(
    labs: Array, best: _Fit, found: LegalSearch, margin: float, started: float
) -> CubeReading:
    costs = sticker_costs(labs, best.model)
    labels = labels_of(best.facelets)
    seen = seen_stickers(labs)
    own = costs.copy()
    # A sticker that was not seen has no opinion: it goes along with the likeliest cube.
    own[~seen, labels[~seen]] -= 1e-3
    proposal = facelets_of(nine_per_colour(own))
    problems = examine(proposal).problems
    accepted = not problems and proposal == best.facelets and margin >= MARGIN_THRESHOLD
    gaps = sticker_gaps(found, best.facelets)
    stickers = tuple(
        StickerReading(
            facelet=i,
            polygons=(),
            lab=(float(labs[i, 0]), float(labs[i, 1]), float(labs[i, 2])),
            colour=best.facelets.text[i],
            confidence=float(1.0 / (1.0 + np.exp(-min(gaps[i], 50.0)))),
        )
        for i in range(54)
    )
    reread = () if accepted else faces_to_reread(costs, found, best.facelets, proposal, seen)
    return CubeReading(
        accepted=accepted,
        facelets=best.facelets if accepted else None,
        best=best.facelets,
        margin=margin,
        reread=reread,
        problems=problems,
        stickers=stickers,
        elapsed_ms=(time.perf_counter() - started) * 1e3,
        proposal=proposal,
    )
