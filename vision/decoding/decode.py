"""From 54 measured colours to a cube, with a margin, or to the faces to show again."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from cube.facelets import facelet_index
from cube.laws import examine
from cube.moves import FACES
from vision.colours.classifiers import DEFAULT_CLASSIFIER, Classifier
from vision.colours.colour_fit import Fits, fit_colours
from vision.colours.colour_model import seed_models, separation, sticker_costs
from vision.colours.labels import facelets_of
from vision.colours.looks import AllLooks, Look, added_costs
from vision.colours.profile import ColourProfile
from vision.colours.scheme import WESTERN_ORDER, looks_mirrored
from vision.colours.seeding import first_guesses, seed_colours
from vision.colours.sticker_colours import StickerColours
from vision.decoding.acceptance import MARGIN_THRESHOLD, FoundCube, assess, judge
from vision.decoding.face_turns import FixedFaces, TurnedFaces
from vision.decoding.legal_search import search_legal
from vision.decoding.mistakes import Shown, explain
from vision.decoding.photo_order import UPRIGHT, Placement, arrangements, make_placement
from vision.decoding.piece_costs import piece_costs
from vision.decoding.turned_looks import turned_like_the_first
from vision.errors import VisionError
from vision.reading import CubeReading, ReadingState, StickerPlace, Suspicion

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

NOWHERE = (StickerPlace(),) * 54

Constraint = FixedFaces | TurnedFaces


def decode(
    colours: StickerColours,
    profile: ColourProfile | None = None,
    centres: Mapping[str, str] | None = None,
    *,
    any_orientation: bool = False,
    any_order: bool = False,
    told: Mapping[str, str] | None = None,
    places: Sequence[StickerPlace] | None = None,
    further: Sequence[Look] = (),
    classifier: Classifier = DEFAULT_CLASSIFIER,
) -> CubeReading:
    """Decide which cube shows these colours.

    A classifier seeded by the centres or the profile proposes colours; then colours, the light of
    every face and the likeliest legal cube are estimated in turn, from several starts, and the best
    fit wins. The reading is accepted when no other legal cube is nearly as likely.

    Args:
        colours: Of 54 stickers in the order URFDLB, each face in the orientation of the usual net.
        profile: Measured colours to start from.
        centres: Face letter to colour name of centres that couplers hide; their measured colours
            are not used.
        any_orientation: Each face may be turned in its plane.
        any_order: The faces may come in any order and be turned.
        told: Facelet name to face letter of stickers that a person told, with upright faces.
        places: Where in the pictures each of the 54 stickers was seen.
        further: More looks at any faces. Each counts as much as the first one. Where faces may be
            turned, each is turned as the first look at its face, or left out where that is unclear.
        classifier: What proposes the colours.

    Raises:
        VisionError: There are not 54 colours, or `centres` or `told` makes no sense.
        InvalidCubeError: `told` names a facelet that does not exist.
    """
    if len(colours) != 54:
        raise VisionError(f"a cube has 54 stickers, these are {len(colours)}")
    hidden = [facelet_index(f"{face}5") for face in centres or () if face in tuple(FACES)]
    looks = AllLooks.of(colours, further).without(hidden)
    turned = any_orientation or any_order
    if turned and profile is not None and profile.places:
        raise VisionError("a profile that knows every place goes with faces in their usual places")
    # Looks that lie otherwise are no use before colours are guessed.
    even, offsets, anchors = (colours.without(hidden) if turned else looks.mean()), None, None
    if profile is not None:
        offsets = profile.place_offsets()
        even = even.moved(-profile.mean_offsets())
    seed_labs, names = seed_colours(even.lab, profile, centres)
    seeds = StickerColours.of_lab(seed_labs)
    if profile is not None:
        anchors = seeds.srgb
    guesses = first_guesses(even, seeds, classifier)
    if turned and further:
        looks = turned_like_the_first(looks, guesses)
    constraint, mirrored = _constraint(looks, guesses, names, turned=turned, any_order=any_order)
    if told:
        constraint, mirrored = FixedFaces(told=_told_costs(told)), False
    srgb, cells = looks.colours.srgb, looks.cells
    loose, legal = fit_colours(srgb, guesses, constraint, anchors, offsets, cells=cells)
    found = _settle(constraint, loose, legal)
    if mirrored and found.margin < MARGIN_THRESHOLD:  # a bad reading either way
        constraint, mirrored = (TurnedFaces() if turned else FixedFaces()), False
        loose, legal = fit_colours(srgb, guesses, constraint, anchors, offsets, cells=cells)
        found = _settle(constraint, loose, legal)
    mirrored |= any_order and looks_mirrored([names[picture] for picture in found.placement.order])
    one = looks.fused(legal.labels[0], legal.model.take([0]))
    reading = assess(one.lab, found, names, places or NOWHERE, mirrored=mirrored)
    if told or mirrored or any_order or reading.state is ReadingState.SURE:
        return reading
    if further:  # a mistake explains one look at every face
        _, legal = fit_colours(one.srgb, guesses, constraint, anchors, offsets)
    shown = Shown(one.srgb, guesses, legal, anchors, offsets)
    return judge(reading, *explain(shown, found.placement, turned=turned))


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


def _constraint(
    looks: AllLooks, guesses: Array, names: list[str], *, turned: bool, any_order: bool
) -> tuple[Constraint, bool]:
    """Choose the law that labels must obey; also say whether the pictures are mirror images."""
    model = seed_models(guesses[:1], np.array([1.5]), len(looks.cells))
    costs = added_costs(sticker_costs(looks.colours.srgb, model), looks.cells)[0]
    if not turned:
        flat = FixedFaces(make_placement(mirrored=True))
        gain = FixedFaces().loose_cost(costs) - flat.loose_cost(costs)
        # Two opposite photos exchanged and nothing mirrored looks the same but for the scheme.
        mirrored = gain > _MIRROR_MARGIN and not looks_mirrored(names)
        return (flat, True) if mirrored else (FixedFaces(), False)
    if any_order:
        first, *rank = sorted(range(6), key=lambda picture: WESTERN_ORDER.index(names[picture]))
        orders = arrangements(first, rank)
        return TurnedFaces(orders).narrowed(costs, _MOST_ORDERS), False
    straight, flipped = TurnedFaces(), TurnedFaces(mirrored=True)
    gain = straight.least_bound(costs) - flipped.least_bound(costs)
    return (flipped, True) if gain > _MIRROR_MARGIN else (straight, False)


def _settle(constraint: Constraint, loose: Fits, legal: Fits) -> FoundCube:
    """Search around the best fit; other fits' and rotations' cubes are rivals."""
    costs = legal.sticker_costs[0]
    (cost, placement, labels), *others = constraint.placements(costs, _WINDOW)
    pictures = placement.to_pictures(labels)
    placed = placement.to_cube(costs + constraint.told)
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
    return FoundCube(
        placement,
        best,
        placed,
        search,
        max(0.0, min(rivals)) * clear,
        tuple(cube for cube in map(facelets_of, constraint.same_colours(pictures)) if cube != best),
        _suspect(placement, loose, float(legal.costs[0])) if placement is UPRIGHT else None,
    )


def _suspect(placement: Placement, loose: Fits, legal_cost: float) -> Suspicion | None:
    """Hold the likeliest cube of any orbit against the likeliest one that can be solved."""
    evidence = legal_cost - float(loose.costs[0])
    if evidence < _CONTEST_MARGIN:
        return None
    facelets = facelets_of(placement.from_pictures(loose.labels[0]))
    verdict = examine(facelets)
    return None if verdict.solvable else Suspicion(facelets, verdict.problems, evidence)
