"""Where attempts at a cube begin: first guesses of the six colours."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from cube.moves import FACES
from vision.colours.colour_model import seen_stickers
from vision.colours.guesses.seeding import find_hidden_colours, seed_colours
from vision.colours.nine_each import CENTRES
from vision.colours.profile import ColourProfile
from vision.colours.sticker_colours import StickerColours

Array = NDArray[np.float64]

# A fit without a profile must be better by this much, nats, for the profile to be left alone: it is
# freer. With profiles of ten frames of a rig it was better by 31 at most, in wrong light and with
# one frame by 17 and more wherever the profile led astray.
_BLIND = 12.0
# So many centres that were not seen have their colours tried in every order.
_MOST_HIDDEN = 3


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

    def known(self) -> tuple[Array | None, Array | None]:
        """Return what the profile knows: anchors and offsets, as `fit_colours` takes them."""
        if self.profile is None:
            return None, None
        return StickerColours.of_lab(self.seeds).srgb, self.profile.place_offsets()


def hidden_centres(colours: StickerColours, centres: Mapping[str, str] | None) -> list[int]:
    """Return the faces whose centre nobody saw or told."""
    seen = seen_stickers(colours.lab[CENTRES])
    return [face for face in range(6) if not seen[face] and FACES[face] not in (centres or {})]


def named_centres(
    colours: StickerColours,
    centres: Mapping[str, str] | None,
    scheme: Mapping[str, str] | None,
) -> dict[str, str]:
    """Return the colours of centres that were told; a scheme tells those that nobody saw."""
    unseen = hidden_centres(colours, centres) if scheme else []
    return {FACES[face]: (scheme or {})[FACES[face]] for face in unseen} | dict(centres or {})


def first_starts(
    colours: StickerColours,
    profile: ColourProfile | None,
    centres: Mapping[str, str],
    scheme: Mapping[str, str] | None,
) -> list[Start]:
    """First guesses of the six colours, from the profile, if there is one, and without it.

    A profile of other light, or of too few pictures, is worse than none: the fit decides.

    Args:
        colours: Of 54 stickers.
        profile: Measured colours.
        centres: Face letter to colour name of centres that are not looked at.
        scheme: Face letter to the colour name that its centre probably has.
    """
    blind = _starts(colours, None, centres, scheme, 0.0 if profile is None else _BLIND)
    if profile is None:
        return blind
    return _starts(colours, profile, centres, scheme, 0.0) + blind


def _starts(
    colours: StickerColours,
    profile: ColourProfile | None,
    centres: Mapping[str, str],
    scheme: Mapping[str, str] | None,
    dearer: float,
) -> list[Start]:
    """First guesses of the six colours, as `seed_colours` gives them.

    A face with a hidden centre may have any of the colours that are left: each order is a start.
    """
    hidden = hidden_centres(colours, centres)
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
