"""From 54 measured colours to a cube, with a margin, or to the faces to show again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from cube.facelets import facelet_index
from cube.laws import examine
from cube.moves import FACES
from vision.colours.classifiers import DEFAULT_CLASSIFIER, Classifier
from vision.colours.colour_fit import Fits, fit_colours
from vision.colours.colour_model import seed_models, seen_stickers, separation, sticker_costs
from vision.colours.labels import facelets_of
from vision.colours.nine_each import CENTRES, nearest_medians
from vision.colours.profile import ColourProfile
from vision.colours.scheme import WESTERN_ORDER, looks_mirrored
from vision.colours.seeding import (
    find_hidden_colours,
    first_guesses,
    name_hidden_colours,
    seed_colours,
)
from vision.colours.sticker_colours import StickerColours
from vision.decoding.acceptance import MARGIN_THRESHOLD, FoundCube, assess, judge
from vision.decoding.face_turns import FixedFaces, TurnedFaces
from vision.decoding.legal_search import search_legal
from vision.decoding.mistakes import Shown, explain, undone
from vision.decoding.photo_order import UPRIGHT, Placement, arrangements, make_placement
from vision.decoding.piece_costs import piece_costs
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
# A fit without a profile must be better by this much, nats, for the profile to be left alone: it is
# freer. With profiles of ten frames of a rig it was better by 31 at most, in wrong light and with
# one frame by 17 and more wherever the profile led astray.
_BLIND = 12.0
# So many centres that were not seen have their colours tried in every order.
_MOST_HIDDEN = 3
# A face of which fewer stickers were seen is asked for again, whatever else may be wrong.
_LEAST_OF_A_FACE = 6

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
    classifier: Classifier = DEFAULT_CLASSIFIER,
    mistakes: bool = True,
) -> CubeReading:
    """Decide which cube shows these colours.

    Colours are proposed from the centres or the profile and from all stickers; then colours, the
    light of every face and the likeliest legal cube are estimated in turn, from several starts, and
    the best fit wins. Where that leaves a doubt, a classifier proposes more. The reading is
    accepted when no other legal cube is nearly as likely.

    Args:
        colours: Of 54 stickers in the order URFDLB, each face in the orientation of the usual net.
        profile: Measured colours to start from.
        centres: Face letter to colour name of centres that couplers hide; their measured colours
            are not used.
        any_orientation: Each face may be turned in its plane.
        any_order: The faces may come in any order and be turned.
        told: Facelet name to face letter of stickers that a person told, with upright faces.
        places: Where in the pictures each of the 54 stickers was seen.
        classifier: What proposes colours when the stickers nearest to the centres do not suffice.
        mistakes: Whether a reading that its pictures contradict is held against what a person may
            have done wrong (`vision.decoding.mistakes`), which takes some tenths of a second.

    Raises:
        VisionError: There are not 54 colours, or `centres` or `told` makes no sense.
        InvalidCubeError: `told` names a facelet that does not exist.
    """
    if len(colours) != 54:
        raise VisionError(f"a cube has 54 stickers, these are {len(colours)}")
    covered = [facelet_index(f"{face}5") for face in centres or () if face in tuple(FACES)]
    colours = colours.without(covered)
    turned = any_orientation or any_order
    if turned and profile is not None and profile.places:
        raise VisionError("a profile that knows every place goes with faces in their usual places")
    asked = _Asked(colours, turned, any_order, _told_costs(told) if told else None)
    hidden = _hidden_centres(colours, centres)
    # A profile of other light, or of too few pictures, is worse than none: the fit decides.
    blind = (None, 0.0 if profile is None else _BLIND)
    known_by = (blind,) if profile is None else ((profile, 0.0), blind)
    starts = [
        start
        for known, dearer in known_by
        for start in _starts(colours, known, centres, hidden, dearer)
    ]
    attempts: list[_Attempt] = []
    for proposer in dict.fromkeys((nearest_medians, classifier)):
        attempts += [_look(asked, start, proposer) for start in starts]
        best, found = _best(attempts)
        means = StickerColours.of_srgb(255.0 * best.shown.fit.model.means[0]).lab
        names = name_hidden_colours(means, best.start.names, hidden, profile)
        reading = assess(colours.lab, found, names, places or NOWHERE, mirrored=best.mirrored)
        if reading.state is ReadingState.SURE:
            return reading
    if not mistakes or told or best.mirrored or any_order or not _faces_seen(colours):
        return reading
    reading = judge(reading, *explain(best.shown, found.placement, turned=turned))
    cells = None if reading.mistake is None else undone(reading.mistake)
    if cells is None:
        return reading
    at = places or NOWHERE
    instead = decode(
        colours.take(cells),
        profile,
        centres,
        any_orientation=any_orientation,
        places=[at[cell] for cell in cells],
        classifier=classifier,
        mistakes=False,
    )
    shown = tuple(int(cells[cell]) for cell in instead.cells)
    return replace(reading, instead=replace(instead, cells=shown))


def _best(attempts: "list[_Attempt]") -> "tuple[_Attempt, FoundCube]":
    """Return the likeliest attempt, and its cube with the others' as rivals."""
    best, *others = sorted(attempts, key=lambda attempt: attempt.cost)
    rivals = [other.cost - best.cost for other in others if other.found.best != best.found.best]
    return best, replace(best.found, margin=min([best.found.margin, *rivals]))


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """What is asked of every attempt; see `decode`."""

    colours: StickerColours
    turned: bool
    any_order: bool
    told: Array | None


@dataclass(frozen=True, slots=True, eq=False)
class _Start:
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
class _Attempt:
    """A cube that was found for some colours of the centres."""

    found: FoundCube
    start: _Start
    shown: Shown
    mirrored: bool

    @property
    def cost(self) -> float:
        """Nats, of the cube and of the light."""
        return float(self.shown.fit.costs[0]) + self.start.dearer


def _hidden_centres(colours: StickerColours, centres: Mapping[str, str] | None) -> list[int]:
    """Return the faces whose centre nobody saw or told."""
    seen = seen_stickers(colours.lab[CENTRES])
    return [face for face in range(6) if not seen[face] and FACES[face] not in (centres or {})]


def _starts(
    colours: StickerColours,
    profile: ColourProfile | None,
    centres: Mapping[str, str] | None,
    hidden: list[int],
    dearer: float,
) -> list[_Start]:
    """First guesses of the six colours, as `seed_colours` gives them.

    A face with a hidden centre may have any of the colours that are left: each order is a start.
    """
    even = colours if profile is None else colours.moved(-profile.mean_offsets())
    seeds, names = seed_colours(even.lab, profile, centres)
    if hidden and profile is None:
        seeds = find_hidden_colours(even, seeds, hidden)
    if len(hidden) > _MOST_HIDDEN:
        return [_Start(profile, dearer, even, seeds, names)]
    found = []
    for order in permutations(hidden):
        places = np.arange(6)
        places[hidden] = order
        found.append(_Start(profile, dearer, even, seeds[places], names))
    return found


def _look(asked: _Asked, start: _Start, classifier: Classifier) -> _Attempt:
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
    return _Attempt(found, start, Shown(srgb, guesses, legal, anchors, offsets), mirrored)


def _faces_seen(colours: StickerColours) -> bool:
    """Whether there is enough of every picture to tell what is wrong with it."""
    return int(seen_stickers(colours.lab).reshape(6, 9).sum(axis=1).min()) >= _LEAST_OF_A_FACE


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
