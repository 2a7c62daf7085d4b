"""From 54 measured colours to a cube, with a margin, or to the faces to show again."""

import time
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cube.facelets import facelet_index
from cube.laws import examine
from cube.moves import FACES
from vision.colours.colour_fit import Fits, first_guesses, fit_colours
from vision.colours.colour_model import seed_models, seen_stickers, separation, sticker_costs
from vision.colours.colour_space import lab_to_srgb
from vision.colours.profile import ColourProfile
from vision.colours.scheme import WESTERN_ORDER, colour_names, looks_mirrored
from vision.colours.seeding import facelets_of
from vision.decoding.judge import MARGIN_THRESHOLD, Found, judge
from vision.decoding.labellers import FixedLabeller, TurnedLabeller
from vision.decoding.legal_search import search_legal
from vision.decoding.photo_order import UPRIGHT, Placing, arrangements, make_placing
from vision.decoding.piece_costs import piece_costs
from vision.errors import VisionError
from vision.reading import CubeReading, Suspicion

Array = NDArray[np.float64]

# Colours nearer than this many standard deviations are easily mistaken for one another by the fit
# itself; the margin is taken down in proportion.
_CLEAR_SEPARATION = 2.0
# A cube that no turns solve must fit better by this much for the solvable one not to be trusted.
_CONTEST_MARGIN = 1.5
# Pictures are tried as mirror images when those fit better by this much; then the margin decides.
_MIRROR_MARGIN = 10.0
# Other rotations of the faces are rivals when they are nearer than this.
_WINDOW = 20.0
# What any other colour of a sticker that was told costs, nats.
_TOLD = 100.0
# So many orders of the pictures are followed up.
_MOST_ORDERS = 2

Labeller = FixedLabeller | TurnedLabeller


def decode(
    labs: ArrayLike,
    profile: ColourProfile | None = None,
    centres: Mapping[str, str] | None = None,
    *,
    any_orientation: bool = False,
    any_order: bool = False,
    told: Mapping[str, str] | None = None,
) -> CubeReading:
    """Decide which cube shows these colours.

    k-means seeded by the centres or the profile proposes colours; then colours, the light of every
    face and the likeliest legal cube are estimated in turn, from several starts, and the best fit
    wins. The reading is accepted when no other legal cube is nearly as likely.

    Args:
        labs: (54, 3) CIELAB (D65, L 0..100), URFDLB order, each face in the orientation of the
            usual net; NaN for stickers not seen.
        profile: Measured colours to start from.
        centres: Face letter to colour name of centres that couplers hide; their measured colours
            are not used.
        any_orientation: Each face may be turned in its plane.
        any_order: The faces may come in any order and be turned.
        told: Facelet name to face letter of stickers that a person told, with upright faces.

    Raises:
        VisionError: `labs` has another shape, or `centres` or `told` makes no sense.
        InvalidCubeError: `told` names a facelet that does not exist.
    """
    started = time.perf_counter()
    values = _checked(labs, centres)
    turned = any_orientation or any_order
    if turned and profile is not None and profile.places:
        raise VisionError("a profile that knows every place goes with faces in their usual places")
    offsets = None
    if profile is not None:
        offsets = profile.place_offsets()
        values = values - profile.mean_offsets()
    seeds, guesses = first_guesses(values, profile, centres)
    if profile is not None:
        values = values + profile.mean_offsets()
    colours = np.asarray(lab_to_srgb(values) / 255.0)
    names = colour_names(seeds, profile, centres)
    labeller, mirrored = _labeller(colours, guesses, names, turned=turned, any_order=any_order)
    if told:
        labeller, mirrored = FixedLabeller(told=_told_costs(told)), False
    anchors = seeds if profile is not None else None
    loose, legal = fit_colours(colours, guesses, labeller, anchors, offsets)
    found = _settle(labeller, loose, legal)
    if mirrored and found.margin < MARGIN_THRESHOLD:  # a bad reading either way
        labeller, mirrored = (TurnedLabeller() if turned else FixedLabeller()), False
        loose, legal = fit_colours(colours, guesses, labeller, anchors, offsets)
        found = _settle(labeller, loose, legal)
    mirrored |= any_order and looks_mirrored([names[picture] for picture in found.placing.order])
    return judge(values, found, names, mirrored=mirrored, started=started)


def _checked(labs: ArrayLike, centres: Mapping[str, str] | None) -> Array:
    values = np.array(labs, dtype=np.float64)
    if values.shape != (54, 3):
        raise VisionError(
            f"a cube has 54 stickers with L, a, b; these colours have shape {values.shape}"
        )
    values[~seen_stickers(values)] = np.nan
    values = np.clip(values, (0.0, -200.0, -200.0), (100.0, 200.0, 200.0))
    for face in centres or {}:
        if len(face) == 1 and face in FACES:
            values[facelet_index(f"{face}5")] = np.nan
    return values


def _told_costs(told: Mapping[str, str]) -> Array:
    """(54, 6) nats: a sticker that was told has no other colour."""
    costs = np.zeros((54, 6))
    for name, letter in told.items():
        place = facelet_index(name)
        if len(letter) != 1 or letter not in FACES:
            raise VisionError(f"{name} = {letter!r}: the letters are {' '.join(FACES)}")
        if place % 9 == 4 and letter != FACES[place // 9]:
            raise VisionError(f"{name} is the centre of face {FACES[place // 9]} and stays so")
        costs[place] = _TOLD
        costs[place, FACES.index(letter)] = 0.0
    return costs


def _labeller(
    colours: Array, guesses: Array, names: list[str], *, turned: bool, any_order: bool
) -> tuple[Labeller, bool]:
    """Choose the law that labels must obey; also say whether the pictures are mirror images."""
    model = seed_models(guesses[:1], np.array([1.5]), len(colours))
    costs = sticker_costs(colours, model)[0]
    if not turned:
        flat = FixedLabeller(make_placing(mirrored=True))
        gain = FixedLabeller().loose_cost(costs) - flat.loose_cost(costs)
        # Two opposite photos exchanged and nothing mirrored looks the same but for the scheme.
        mirrored = gain > _MIRROR_MARGIN and not looks_mirrored(names)
        return (flat, True) if mirrored else (FixedLabeller(), False)
    if any_order:
        first, *rank = sorted(range(6), key=lambda picture: WESTERN_ORDER.index(names[picture]))
        orders = arrangements(first, rank)
        return TurnedLabeller(orders).narrowed(costs, _MOST_ORDERS), False
    straight, flipped = TurnedLabeller(), TurnedLabeller(mirrored=True)
    gain = straight.least_bound(costs) - flipped.least_bound(costs)
    return (flipped, True) if gain > _MIRROR_MARGIN else (straight, False)


def _settle(labeller: Labeller, loose: Fits, legal: Fits) -> Found:
    """Search around the best fit; other fits' and rotations' cubes are rivals."""
    costs = legal.sticker_costs[0]
    (cost, placing, labels), *others = labeller.placings(costs, _WINDOW)
    pictures = placing.to_pictures(labels)
    placed = placing.to_cube(costs + labeller.told)
    search = search_legal(*piece_costs(placed))
    rivals = [search.margin]
    rivals += [
        other - cost
        for other, turned, cube in others
        if not np.array_equal(turned.to_pictures(cube), pictures)
    ]
    rivals += [
        float(total - legal.costs[0])
        for total, row in zip(legal.costs, legal.labels, strict=True)
        if not np.array_equal(row, pictures)
    ]
    clear = min(1.0, float(separation(legal.model)[0]) / _CLEAR_SEPARATION)
    best = facelets_of(labels)
    return Found(
        placing,
        best,
        placed,
        search,
        max(0.0, min(rivals)) * clear,
        tuple(cube for cube in map(facelets_of, labeller.same_colours(pictures)) if cube != best),
        _suspect(placing, loose, float(legal.costs[0])) if placing is UPRIGHT else None,
    )


def _suspect(placing: Placing, loose: Fits, legal_cost: float) -> Suspicion | None:
    """Hold the likeliest cube of any orbit against the likeliest one that can be solved."""
    evidence = legal_cost - float(loose.costs[0])
    if evidence < _CONTEST_MARGIN:
        return None
    facelets = facelets_of(placing.from_pictures(loose.labels[0]))
    verdict = examine(facelets)
    return None if verdict.solvable else Suspicion(facelets, verdict.problems, evidence)
