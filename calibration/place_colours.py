"""Learns the appearance of every colour in every place from cubes whose state is known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from cube.facelets import Facelets, facelet_name
from cube.moves import FACES
from vision.colours.profile import ColourProfile, Shade, rounded_shade
from vision.colours.scheme import labels_of

Array = NDArray[np.float64]

# Weight of the prior assumption that places have no offset, in looks.
_PRIOR_LOOKS = 1.0
# Weight of a profile in looks, when a later reading is added to it.
_PROFILE_LOOKS = 4.0


@dataclass(frozen=True, slots=True, eq=False)
class KnownLook:
    """One look at a cube whose state is known.

    Attributes:
        labs: (54, 3) CIELAB in the order URFDLB, NaN where not seen.
        facelets: The state of the cube.
    """

    labs: Array
    facelets: Facelets


def learn_places(
    looks: Sequence[KnownLook], scheme: Mapping[str, str], name: str, created: str
) -> ColourProfile:
    """Make a profile with the colours of every place from looks at known cubes.

    A colour's value is its median over all places; a place's offset is the mean of its additions to
    the colours that it showed, and a colour also has its own value in each place where it was seen.
    Both are shrunk towards the coarser one if there are only few looks. The spread is what the
    offsets of the places leave: how much stickers of one colour differ in the same light.

    Args:
        looks: One or more, preferably with every colour in every place.
        scheme: Colour name of each face.
        name: Name of the profile.
        created: ISO 8601 time of the measurement.

    Raises:
        CalibrationError: No look, or a colour was seen fewer than four times.
    """
    if not looks:
        raise CalibrationError("no picture of a known cube was given")
    labs = np.concatenate([look.labs for look in looks])
    labels = np.concatenate([labels_of(look.facelets) for look in looks])
    places = np.tile(np.arange(54), len(looks))
    seen = np.isfinite(labs).all(axis=1)
    for colour, face in enumerate(FACES):
        if (found := int((seen & (labels == colour)).sum())) < 4:
            raise CalibrationError(
                f"{scheme[face]} was seen only {found} times; check the camera's view"
            )
    means = np.array([np.median(labs[seen & (labels == c)], axis=0) for c in range(6)])
    off = labs - means[labels]
    rest = off.copy()
    offsets: dict[str, Shade] = {}
    shades: dict[str, dict[str, Shade]] = {}
    for place in range(54):
        here = seen & (places == place)
        if not here.any():
            continue
        common = off[here].sum(axis=0) / (here.sum() + _PRIOR_LOOKS)
        offsets[facelet_name(place)] = rounded_shade(common)
        rest[here] -= common
        for colour in sorted(set(labels[here])):
            mine = off[here & (labels == colour)] - common
            own = means[colour] + common + mine.sum(axis=0) / (len(mine) + _PRIOR_LOOKS)
            shades.setdefault(facelet_name(place), {})[FACES[colour]] = rounded_shade(own)
    return ColourProfile(
        name=name,
        created=created,
        scheme={face: scheme[face] for face in FACES},
        colours={face: rounded_shade(means[i]) for i, face in enumerate(FACES)},
        spread={
            face: round(float(np.sqrt((rest[seen & (labels == i)] ** 2).sum(axis=1).mean())), 2)
            for i, face in enumerate(FACES)
        },
        offsets=offsets,
        places=shades,
    )


def learn_reading(profile: ColourProfile, look: KnownLook, created: str) -> ColourProfile:
    """Move a profile towards the light of one more cube, which was verified.

    Args:
        profile: The previous profile; it counts as four looks.
        look: The verified cube.
        created: ISO 8601 time.
    """
    means = np.array([profile.colours[face] for face in FACES])
    labels = labels_of(look.facelets)
    off = look.labs - profile.mean_offsets() - means[labels]
    share = 1.0 / (1.0 + _PROFILE_LOOKS)
    colours, moved = {}, {}
    for colour, face in enumerate(FACES):
        mine = off[(labels == colour) & np.isfinite(off).all(axis=1)]
        step = share * np.median(mine, axis=0) if len(mine) else np.zeros(3)
        moved[face] = step
        colours[face] = rounded_shade(means[colour] + step)
    shades = {
        place: {face: rounded_shade(np.add(shade, moved[face])) for face, shade in known.items()}
        for place, known in profile.places.items()
    }
    return msgspec.structs.replace(profile, created=created, colours=colours, places=shades)
