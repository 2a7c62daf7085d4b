"""One attempt at a cube: from first guesses of the colours to the likeliest cube and its rivals."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cube.laws import examine
from vision.colours.classifiers import Classifier
from vision.colours.colour_fit import Fits, fit_colours
from vision.colours.colour_model import seed_models, separation, sticker_costs
from vision.colours.labels import facelets_of
from vision.colours.profile import ColourProfile
from vision.colours.scheme import WESTERN_ORDER, looks_mirrored
from vision.colours.seeding import first_guesses
from vision.colours.sticker_colours import StickerColours
from vision.decoding.acceptance import MARGIN_THRESHOLD, FoundCube
from vision.decoding.face_turns import FixedFaces, TurnedFaces
from vision.decoding.legal_search import search_legal
from vision.decoding.mistakes import Shown
from vision.decoding.photo_order import UPRIGHT, Placement, arrangements, make_placement
from vision.decoding.piece_costs import piece_costs
from vision.reading import Suspicion

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
# So many orders of the pictures are followed up.
_MOST_ORDERS = 2

Constraint = FixedFaces | TurnedFaces


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What is asked of every attempt; see `vision.decoding.decode.decode`.

    Attributes:
        colours: Of 54 stickers.
        turned: Each face may be turned in its plane.
        any_order: The faces may come in any order.
        told: (54, 6) nats, what a person told of stickers, or None.
    """

    colours: StickerColours
    turned: bool
    any_order: bool
    told: Array | None


@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """Where an attempt begins.

    Attributes:
        profile: What is known of the colours.
        dearer: What an attempt from here costs more, nats.
        even: The colours without what the profile knows of their places.
        seeds: (6, 3) CIELAB, first guesses.
        names: Of these colours.
    """

    profile: ColourProfile | None
    dearer: float
    even: StickerColours
    seeds: Array
    names: list[str]


@dataclass(frozen=True, slots=True, eq=False)
class Attempt:
    """A cube that was found, and how.

    Attributes:
        found: The cube.
        start: Where the attempt began.
        shown: The pictures with the best fit to them.
        mirrored: The pictures are mirror images.
    """

    found: FoundCube
    start: Start
    shown: Shown
    mirrored: bool

    @property
    def cost(self) -> float:
        """Nats, of the cube and of the light."""
        return float(self.shown.fit.costs[0]) + self.start.dearer


def attempt(asked: Asked, start: Start, classifier: Classifier) -> Attempt:
    """Find the likeliest cube from given first guesses of the colours."""
    seeds, profile, turned = StickerColours.of_lab(start.seeds), start.profile, asked.turned
    anchors = None if profile is None else seeds.srgb
    offsets = None if profile is None else profile.place_offsets()
    guesses, srgb = first_guesses(start.even, seeds, classifier), asked.colours.srgb
    names = start.names
    constraint, mirrored = _constraint(
        srgb, guesses, names, turned=turned, any_order=asked.any_order
    )
    if asked.told is not None:
        constraint, mirrored = FixedFaces(told=asked.told), False
    loose, legal = fit_colours(srgb, guesses, constraint, anchors, offsets)
    found = _settle(constraint, loose, legal)
    if mirrored and found.margin < MARGIN_THRESHOLD:  # a bad reading either way
        constraint, mirrored = (TurnedFaces() if turned else FixedFaces()), False
        loose, legal = fit_colours(srgb, guesses, constraint, anchors, offsets)
        found = _settle(constraint, loose, legal)
    mirrored |= asked.any_order and looks_mirrored(
        [names[picture] for picture in found.placement.order]
    )
    return Attempt(found, start, Shown(srgb, guesses, legal, anchors, offsets), mirrored)


def _constraint(
    colours: Array, guesses: Array, names: list[str], *, turned: bool, any_order: bool
) -> tuple[Constraint, bool]:
    """Choose the law that labels must obey; also say whether the pictures are mirror images."""
    model = seed_models(guesses[:1], np.array([1.5]), len(colours))
    costs = sticker_costs(colours, model)[0]
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
