"""From 54 measured colours to a cube, with a margin, or to the faces to show again."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from cube.facelets import facelet_index
from cube.moves import FACES
from vision.colours.classifiers import DEFAULT_CLASSIFIER, Classifier
from vision.colours.colour_model import seen_stickers
from vision.colours.looks import AllLooks, Look
from vision.colours.nine_each import CENTRES, nearest_medians
from vision.colours.profile import ColourProfile
from vision.colours.seeding import find_hidden_colours, name_hidden_colours, seed_colours
from vision.colours.sticker_colours import StickerColours
from vision.decoding.acceptance import FoundCube, assess, judge
from vision.decoding.attempt import Asked, Attempt, Start, attempt
from vision.decoding.mistakes import explain, undone
from vision.decoding.turned_looks import turned_like_the_first
from vision.errors import VisionError
from vision.reading import CubeReading, ReadingState, StickerPlace

Array = NDArray[np.float64]

# What any other colour of a sticker that was told costs, nats.
_TOLD = 100.0
# A fit without a profile must be better by this much, nats, for the profile to be left alone: it is
# freer. With profiles of ten frames of a rig it was better by 31 at most, in wrong light and with
# one frame by 17 and more wherever the profile led astray.
_BLIND = 12.0
# So many centres that were not seen have their colours tried in every order.
_MOST_HIDDEN = 3
# A face of which fewer stickers were seen is asked for again, whatever else may be wrong.
_LEAST_OF_A_FACE = 6

NOWHERE = (StickerPlace(),) * 54


def decode(
    colours: StickerColours,
    profile: ColourProfile | None = None,
    centres: Mapping[str, str] | None = None,
    *,
    scheme: Mapping[str, str] | None = None,
    any_orientation: bool = False,
    any_order: bool = False,
    told: Mapping[str, str] | None = None,
    places: Sequence[StickerPlace] | None = None,
    further: Sequence[Look] = (),
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
        scheme: Face letter to colour name of the cube, as a person tells it: names centres that
            nobody saw, and tells which pictures are mirrored. Otherwise that of the profile, or any
            scheme that cubes are sold with.
        any_orientation: Each face may be turned in its plane.
        any_order: The faces may come in any order and be turned.
        told: Facelet name to face letter of stickers that a person told, with upright faces.
        places: Where in the pictures each of the 54 stickers was seen.
        further: More looks at any faces. Each counts as much as the first one. Where faces may be
            turned, each is turned as the first look at its face, or left out where that is unclear.
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
    looks = AllLooks.of(colours, further).without(covered)
    turned = any_orientation or any_order
    if turned and profile is not None and profile.places:
        raise VisionError("a profile that knows every place goes with faces in their usual places")
    # Looks that lie otherwise are no use before colours are guessed.
    colours = colours.without(covered) if turned else looks.mean()
    likely = None if any_order else scheme
    named = _named_centres(colours, centres, likely)
    hidden = _hidden_centres(colours, named)
    # A profile of other light, or of too few pictures, is worse than none: the fit decides.
    blind = (None, 0.0 if profile is None else _BLIND)
    known_by = (blind,) if profile is None else ((profile, 0.0), blind)
    starts = [
        start
        for known, dearer in known_by
        for start in _starts(colours, known, named, likely, hidden=hidden, dearer=dearer)
    ]
    if turned and further:
        seeds = StickerColours.of_lab(starts[0].seeds)
        looks = turned_like_the_first(looks, nearest_medians(starts[0].even.srgb, seeds.srgb))
    held = scheme or (None if profile is None else profile.scheme)
    asked = Asked(looks, turned, any_order, _told_costs(told) if told else None, held)
    attempts: list[Attempt] = []
    for proposer in dict.fromkeys((nearest_medians, classifier)):
        attempts += [attempt(asked, start, proposer) for start in starts]
        best, found = _best(attempts)
        means = StickerColours.of_srgb(255.0 * best.fit.model.means[0]).lab
        names = name_hidden_colours(means, best.start.names, hidden, profile)
        seen = best.one_look()
        reading = assess(seen.lab, found, names, places or NOWHERE, mirrored=best.mirrored)
        if reading.state is ReadingState.SURE:
            return reading
    if not mistakes or told or best.mirrored or any_order or not _faces_seen(seen):
        return reading
    reading = judge(reading, *explain(best.shown(), found.placement, turned=turned))
    cells = None if reading.mistake is None else undone(reading.mistake)
    if cells is None:
        return reading
    at = places or NOWHERE
    instead = decode(
        seen.take(cells),
        profile,
        centres,
        scheme=scheme,
        any_orientation=any_orientation,
        places=[at[cell] for cell in cells],
        classifier=classifier,
        mistakes=False,
    )
    shown = tuple(int(cells[cell]) for cell in instead.cells)
    return replace(reading, instead=replace(instead, cells=shown))


def _best(attempts: list[Attempt]) -> tuple[Attempt, FoundCube]:
    """Return the likeliest attempt, and its cube with the others' as rivals."""
    best, *others = sorted(attempts, key=lambda one: one.cost)
    rivals = [other.cost - best.cost for other in others if other.found.best != best.found.best]
    return best, replace(best.found, margin=min([best.found.margin, *rivals]))


def _hidden_centres(colours: StickerColours, centres: Mapping[str, str] | None) -> list[int]:
    """Return the faces whose centre nobody saw or told."""
    seen = seen_stickers(colours.lab[CENTRES])
    return [face for face in range(6) if not seen[face] and FACES[face] not in (centres or {})]


def _named_centres(
    colours: StickerColours,
    centres: Mapping[str, str] | None,
    scheme: Mapping[str, str] | None,
) -> dict[str, str]:
    """Return the colours of centres that were told; a scheme tells those that nobody saw."""
    unseen = _hidden_centres(colours, centres) if scheme else []
    return {FACES[face]: (scheme or {})[FACES[face]] for face in unseen} | dict(centres or {})


def _starts(
    colours: StickerColours,
    profile: ColourProfile | None,
    centres: Mapping[str, str] | None,
    scheme: Mapping[str, str] | None,
    *,
    hidden: list[int],
    dearer: float,
) -> list[Start]:
    """First guesses of the six colours, as `seed_colours` gives them.

    A face with a hidden centre may have any of the colours that are left: each order is a start.
    """
    even = colours if profile is None else colours.moved(-profile.mean_offsets())
    seeds, names = seed_colours(even.lab, profile, centres, scheme)
    if hidden and profile is None:
        seeds = find_hidden_colours(even, seeds, hidden)
    if len(hidden) > _MOST_HIDDEN:
        return [Start(profile, dearer, even, seeds, names)]
    found = []
    for order in permutations(hidden):
        places = np.arange(6)
        places[hidden] = order
        found.append(Start(profile, dearer, even, seeds[places], names))
    return found


def _faces_seen(colours: StickerColours) -> bool:
    """Whether there is enough of every picture to tell what is wrong with it."""
    return int(seen_stickers(colours.lab).reshape(6, 9).sum(axis=1).min()) >= _LEAST_OF_A_FACE


def told_sticker(name: str, letter: str) -> tuple[int, int]:
    """Return the facelet, 0 to 53, and its colour, index in URFDLB, that a person told.

    Raises:
        VisionError: There is no such letter, or a centre is told another colour.
        InvalidCubeError: There is no such facelet.
    """
    place = facelet_index(name)
    if len(letter) != 1 or letter not in FACES:
        raise VisionError(f"{name} = {letter!r}: the letters are {' '.join(FACES)}")
    if place % 9 == 4 and letter != FACES[place // 9]:
        raise VisionError(f"{name} is the centre of face {FACES[place // 9]} and stays so")
    return place, FACES.index(letter)


def _told_costs(told: Mapping[str, str]) -> Array:
    """(54, 6) nats: a sticker that was told has no other colour."""
    costs = np.zeros((54, 6))
    for name, letter in told.items():
        place, colour = told_sticker(name, letter)
        costs[place] = _TOLD
        costs[place, colour] = 0.0
    return costs
