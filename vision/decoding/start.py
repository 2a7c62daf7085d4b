"""The start of an attempt at a cube: what is known of its pictures, and guesses of its colours."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from cube.moves import FACES
from vision.colours.assignment import CENTRES
from vision.colours.colour_fit import Fits, fit_colours
from vision.colours.colour_model import seen_stickers
from vision.colours.first_guesses import find_hidden_colours, seed_colours
from vision.colours.looks import AllLooks
from vision.colours.profile import ColourProfile
from vision.colours.sticker_colours import StickerColours
from vision.decoding.face_turns import FaceLaw

Array = NDArray[np.float64]

# A fit without a profile must be better by this much, nats, to replace one with it, because it is
# less constrained. With profiles of ten frames of a rig it was better by at most 31; in wrong light
# and with one frame, by 17 and more wherever the profile was misleading.
_BLIND = 12.0
# Up to this number of hidden centres, all orders of their colours are tried. Without that, one of
# 220 cubes with three hidden centres more was accepted wrongly, and seven fewer were read right.
_MOST_HIDDEN = 3


@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """The start of an attempt: the pictures, what is known about them, and first guesses.

    Attributes:
        colours: Colours of 54 stickers for first guesses: of one look, or the mean of all.
        looks: Every look that counts, each rotated like the first one at its face.
        turned: Each face may be rotated in its plane.
        any_order: The faces may come in any order.
        told: (54, 6) nats, for stickers that the user gave, or None.
        scheme: Colour name of each face of the cube, if known.
        by_hand: A person showed the faces one by one.
        profile: Known colours, or None.
        dearer: Extra cost of an attempt with this start, nats.
        seeds: (6, 3) CIELAB, first guesses.
        names: Names of these colours.
        fitted: The seeds were fitted to all stickers, so they do not depend on single centres.
    """

    colours: StickerColours
    looks: AllLooks
    turned: bool
    any_order: bool
    told: Array | None
    scheme: Mapping[str, str] | None
    by_hand: bool
    profile: ColourProfile | None
    dearer: float = 0.0
    seeds: Array = field(default_factory=lambda: np.empty((0, 3)))
    names: tuple[str, ...] = ()
    fitted: bool = False

    @property
    def anchors(self) -> Array | None:
        """The colours that the profile knows, for `fit_colours`."""
        return None if self.profile is None else StickerColours.of_lab(self.seeds).srgb

    def fits(self, guesses: Array, law: FaceLaw) -> tuple[Fits, Fits]:
        """Fit colours and cube to the looks: without the invariants, and legal."""
        looks = self.looks
        return fit_colours(looks.colours.srgb, guesses, law, self.anchors, cells=looks.cells)


def hidden_centres(colours: StickerColours, centres: Mapping[str, str] | None) -> list[int]:
    """Return the faces whose centre was neither seen nor given."""
    seen = seen_stickers(colours.lab[CENTRES])
    return [face for face in range(6) if not seen[face] and FACES[face] not in (centres or {})]


def named_centres(
    colours: StickerColours,
    centres: Mapping[str, str] | None,
    scheme: Mapping[str, str] | None,
) -> dict[str, str]:
    """Return the given colours of centres; a scheme gives those that were not seen."""
    unseen = hidden_centres(colours, centres) if scheme else []
    return {FACES[face]: (scheme or {})[FACES[face]] for face in unseen} | dict(centres or {})


def first_starts(
    pictures: Start, centres: Mapping[str, str], scheme: Mapping[str, str] | None
) -> list[Start]:
    """Return first guesses of the six colours, with the profile, if there is one, and without it.

    A profile for other light, or from too few pictures, is worse than no profile, so the fit
    decides.

    Args:
        pictures: The start without guesses.
        centres: Colour name of each face, for centres that are ignored.
        scheme: The probable colour name of each face's centre.
    """
    if pictures.profile is None:
        return _seeded(pictures, centres, scheme)
    blind = replace(pictures, profile=None, dearer=_BLIND)
    return _seeded(pictures, centres, scheme) + _seeded(blind, centres, scheme)


def _seeded(
    start: Start, centres: Mapping[str, str], scheme: Mapping[str, str] | None
) -> list[Start]:
    """Return a start with first guesses from `seed_colours`.

    A face with a hidden centre may have any of the remaining colours: each order is a start.
    """
    hidden = hidden_centres(start.colours, centres)
    seeds, names = seed_colours(start.colours.lab, start.profile, centres, scheme)
    if hidden and start.profile is None:
        seeds = find_hidden_colours(start.colours, seeds, hidden)
    found = []
    for order in permutations(hidden) if len(hidden) <= _MOST_HIDDEN else [hidden]:
        places = np.arange(6)
        places[hidden] = order
        found.append(replace(start, seeds=seeds[places], names=tuple(names)))
    return found
