"""First guesses of the six colours: from the centres, a profile, or clusters of all stickers."""

from collections.abc import Callable, Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from cube.moves import FACES
from vision.colours.assignment import CENTRES, cheapest_assignment, median_colours, nine_nearest
from vision.colours.colour_model import NAMED_COLOURS
from vision.colours.colour_spaces import LESS_LIGHTNESS, delta_e
from vision.colours.profile import ColourProfile
from vision.colours.sticker_colours import StickerColours
from vision.errors import VisionError

Array = NDArray[np.float64]


def cluster_colours(colours: Array, seeds: Array) -> Array:
    """Move the seeds to the centres of clusters; see `Proposer`.

    These are OpenCV's Lloyd iterations, started once from the seeds: cluster i remains the colour
    of face i. Importing scikit-learn takes longer than a reading.
    """
    seen = colours[np.isfinite(colours).all(axis=1)]
    if len(seen) < 6:
        return seeds
    nearest = np.linalg.norm(seen[:, None] - seeds, axis=2).argmin(axis=1)
    ends = (cv2.TERM_CRITERIA_COUNT + cv2.TERM_CRITERIA_EPS, 50, 1e-6)
    _, _, centres = cv2.kmeans(
        seen.astype(np.float32), 6, nearest.astype(np.int32), ends, 1, cv2.KMEANS_USE_INITIAL_LABELS
    )
    return np.asarray(centres, dtype=np.float64)


Proposer = Callable[[Array, Array], Array]
"""Proposes the six colours, (6, 3) encoded sRGB 0..1, from (54, 3) of the stickers, NaN where not
seen, and from the six colours of the centres or a profile.
"""

# A colour with a hidden centre still has eight stickers; about this many neighbours are expected
# around each of them. With fewer points than this, nothing can be concluded.
_CROWD, _LEAST_POINTS = 5, 12
# A centre keeps the name that the user gave unless another one fits better by this ΔE: red and
# orange are 27 apart, so exchanged pictures are named by what they show.
_TOLD_NAME = 10.0


def first_guesses(colours: StickerColours, seeds: StickerColours, propose: Proposer) -> Array:
    """Guess the six colours in several ways.

    Args:
        colours: Colours of all 54 stickers.
        seeds: The six colours from `seed_colours`.
        propose: Makes the first of the guesses.

    Returns:
        (n, 6, 3) encoded sRGB 0..1.
    """
    proposed = propose(colours.srgb, seeds.srgb)
    guesses = [proposed, seeds.srgb]
    for points, means in (
        (colours.srgb, seeds.srgb),
        (colours.srgb, proposed),
        (colours.lab * LESS_LIGHTNESS, seeds.lab * LESS_LIGHTNESS),
    ):
        guesses.append(median_colours(colours.srgb, nine_nearest(points, means), seeds.srgb))
    return np.array(guesses)


def guesses_without_a_centre(colours: StickerColours, seeds: Array) -> Array:
    """Guess the six colours six times, each time without the centre of another face.

    A centre with a reflection or a logo is a bad first guess of its colour, and draws stickers of
    other faces to it.

    Args:
        colours: Colours of all 54 stickers.
        seeds: (6, 3) CIELAB, from `seed_colours`.

    Returns:
        (6, 6, 3) encoded sRGB 0..1.
    """
    guesses = []
    for face in range(6):
        spared = find_hidden_colours(colours, seeds, [face])
        nearest = nine_nearest(colours.lab * LESS_LIGHTNESS, spared * LESS_LIGHTNESS)
        fallback = StickerColours.of_lab(spared).srgb
        guesses.append(median_colours(colours.srgb, nearest, fallback))
    return np.array(guesses)


def nearest_colour(lab: Array) -> tuple[str, float]:
    """Name a colour without any context, with a confidence.

    Hue separates colours, and chroma separates colours from white, so lightness counts little.

    Args:
        lab: (3,) CIELAB.

    Returns:
        One of the six colour names and 0..1; an empty name and 0 if the colour was not seen.
    """
    if not np.isfinite(lab).all():
        return "", 0.0
    names = list(NAMED_COLOURS)
    known = np.array([NAMED_COLOURS[name] for name in names])
    distance = delta_e(lab, known, LESS_LIGHTNESS)
    order = np.argsort(distance)
    sure = 1.0 - float(distance[order[0]] / max(1e-9, float(distance[order[1]])))
    return names[int(order[0])], sure


def seed_colours(
    labs: Array,
    profile: ColourProfile | None,
    centres: Mapping[str, str] | None,
    scheme: Mapping[str, str] | None = None,
) -> tuple[Array, list[str]]:
    """Return a first guess of the six colours, and their names.

    A visible centre is its own best guess, or decides which colour of the profile belongs to the
    face. A configured centre gets its named colour, from the profile if it has one. The rest gets
    the names that are left.

    Args:
        labs: (54, 3) CIELAB, NaN where not seen.
        profile: Measured colours, or None.
        centres: Colour name of each face, for centres that are known and not visible.
        scheme: The most likely colour name of each face's centre.

    Returns:
        (6, 3) CIELAB, index in URFDLB, and six names, each once.

    Raises:
        VisionError: `centres` names a face or a colour that does not exist, or one colour twice.
    """
    known = known_colours(profile)
    fixed = dict(centres or {})
    if bad := [f for f in fixed if f not in FACES] or [c for c in fixed.values() if c not in known]:
        raise VisionError(
            f"centres: {bad[0]!r} is not a face or not a known colour; faces are "
            f"{' '.join(FACES)}, colours {', '.join(known)}"
        )
    if len(set(fixed.values())) != len(fixed):
        raise VisionError(
            "centres: two faces have the same colour; each colour belongs to one face"
        )
    free_faces = [f for f in FACES if f not in fixed]
    free_names = [name for name in known if name not in fixed.values()]
    free = {name: known[name] for name in free_names}
    names = fixed | _match(labs, free_faces, free, scheme or {})
    seeds = np.array([known[names[face]] for face in FACES])
    if profile is None:
        own = labs[CENTRES]
        use = np.isfinite(own).all(axis=1) & np.array([face not in fixed for face in FACES])
        seeds[use] = own[use]
    return seeds, [names[face] for face in FACES]


def find_hidden_colours(colours: StickerColours, seeds: Array, hidden: Sequence[int]) -> Array:
    """Find the colours that no centre shows, among stickers that resemble none of the others.

    Args:
        colours: Colours of 54 stickers.
        seeds: (6, 3) CIELAB, index in URFDLB.
        hidden: The faces with hidden centres.

    Returns:
        The seeds, with those of hidden faces replaced, in any order.
    """
    points = colours.lab[np.isfinite(colours.lab).all(axis=1)]
    if len(points) < _LEAST_POINTS:
        return seeds
    found = seeds.copy()
    known = [face for face in range(6) if face not in hidden]
    for face in hidden:
        apart = _apart(points, found[known]).min(axis=1) if known else np.ones(len(points))
        # The farthest one may be a reflection: a colour has several stickers around it.
        crowd = np.sort(_apart(points, points), axis=1)[:, _CROWD]
        middle = points[np.argmax(apart - crowd)]
        near = np.argsort(delta_e(points, middle, LESS_LIGHTNESS))[: _CROWD + 1]
        found[face] = np.median(points[near], axis=0)
        known.append(face)
    return found


def name_hidden_colours(
    labs: Array, names: Sequence[str], hidden: Sequence[int], profile: ColourProfile | None = None
) -> list[str]:
    """Assign the remaining names to faces with hidden centres.

    Args:
        labs: (6, 3) CIELAB, the colours found, index in URFDLB.
        names: Six names; those of hidden faces in any order.
        hidden: The faces with hidden centres.
        profile: The source of the colours' names; by default the usual ones.
    """
    left, named = [names[face] for face in hidden], list(names)
    typical = np.array([known_colours(profile)[name] for name in left])
    if left:
        columns = cheapest_assignment(_apart(labs[list(hidden)], typical))
        for face, column in zip(hidden, columns, strict=True):
            named[face] = left[column]
    return named


def known_colours(profile: ColourProfile | None) -> dict[str, tuple[float, float, float]]:
    """Return the CIELAB colours of the six names: those of a profile, or the usual ones."""
    if profile is None:
        return dict(NAMED_COLOURS)
    return {profile.scheme[face]: profile.colours[face] for face in FACES}


def _match(
    labs: Array,
    faces: list[str],
    known: Mapping[str, tuple[float, float, float]],
    told: Mapping[str, str],
) -> dict[str, str]:
    """Assign one of the known colours to each face, by its centre."""
    if not faces:
        return {}
    names = list(known)
    own = labs[CENTRES[[FACES.index(face) for face in faces]]]
    distance = _apart(own, np.array([known[name] for name in names]))
    distance = np.nan_to_num(distance, nan=50.0)
    distance -= [[_TOLD_NAME * (told.get(face) == name) for name in names] for face in faces]
    columns = cheapest_assignment(distance)
    return {face: names[column] for face, column in zip(faces, columns, strict=True)}


def _apart(labs: Array, known: Array) -> Array:
    """Return (n, m) ΔE of n colours from m."""
    return delta_e(labs[:, None], known, LESS_LIGHTNESS)
