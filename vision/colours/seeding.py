"""Colours proposed by clustering: k-means seeded by the centres, then nine a colour."""

import warnings
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cube.facelets import Facelets
from cube.moves import FACES
from vision.colours.colour_model import NAMED_COLOURS
from vision.colours.profile import ColourProfile
from vision.errors import VisionError

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

Array = NDArray[np.float64]
CENTRES = np.arange(4, 54, 9)


def nearest_colour(lab: Array) -> tuple[str, float]:
    """Name a colour without any context, and say how sure that is.

    Hue decides between colours and chroma between colour and white, so lightness counts little.

    Args:
        lab: (3,) CIELAB.

    Returns:
        One of the six colour names and 0..1; an empty name and 0 when the colour was not seen.
    """
    if not np.isfinite(lab).all():
        return "", 0.0
    names = list(NAMED_COLOURS)
    known = np.array([NAMED_COLOURS[name] for name in names])
    distance = _colour_distance(lab[None, :], known)[0]
    order = np.argsort(distance)
    sure = 1.0 - float(distance[order[0]] / max(1e-9, float(distance[order[1]])))
    return names[int(order[0])], sure


def seed_colours(
    labs: Array, profile: ColourProfile | None, centres: Mapping[str, str] | None
) -> Array:
    """Return a first guess of the six colours.

    A centre that is seen is its own best guess, or decides which colour of the profile belongs to
    the face. A centre that is configured takes its named colour, from the profile if it has one.
    What is still unknown takes the names that are left.

    Args:
        labs: (54, 3) CIELAB, NaN where not seen.
        profile: Measured colours, or None.
        centres: Face letter to colour name of centres that are known and not seen.

    Returns:
        (6, 3) CIELAB, index in URFDLB.

    Raises:
        VisionError: `centres` names a face or a colour that does not exist, or one colour twice.
    """
    known = _known_colours(profile)
    fixed = dict(centres or {})
    if bad := [f for f in fixed if f not in FACES] or [c for c in fixed.values() if c not in known]:
        raise VisionError(
            f"centres: {bad[0]!r} is no face or no known colour; faces are {' '.join(FACES)}, "
            f"colours {', '.join(known)}"
        )
    if len(set(fixed.values())) != len(fixed):
        raise VisionError(
            "centres: two faces have the same colour; each colour belongs to one face"
        )
    free_faces = [f for f in FACES if f not in fixed]
    free_names = [name for name in known if name not in fixed.values()]
    names = fixed | _match(labs, free_faces, {name: known[name] for name in free_names})
    seeds = np.array([known[names[face]] for face in FACES])
    if profile is None:
        own = labs[CENTRES]
        use = np.isfinite(own).all(axis=1) & np.array([face not in fixed for face in FACES])
        seeds[use] = own[use]
    return seeds


def _known_colours(profile: ColourProfile | None) -> dict[str, tuple[float, float, float]]:
    if profile is None:
        return dict(NAMED_COLOURS)
    return {profile.scheme[face]: profile.colours[face] for face in FACES}


def _match(
    labs: Array, faces: list[str], known: Mapping[str, tuple[float, float, float]]
) -> dict[str, str]:
    """Give each face one of the known colours, as its centre looks."""
    from scipy.optimize import linear_sum_assignment

    if not faces:
        return {}
    names = list(known)
    own = labs[CENTRES[[FACES.index(face) for face in faces]]]
    distance = _colour_distance(own, np.array([known[name] for name in names]))
    distance = np.nan_to_num(distance, nan=50.0)
    rows, columns = linear_sum_assignment(distance)
    return {faces[r]: names[c] for r, c in zip(rows, columns, strict=True)}


def _colour_distance(labs: Array, known: Array) -> Array:
    """(n, m) ΔE with lightness counted a third, because exposure changes it most."""
    offset = (labs[:, None, :] - known[None, :, :]) * (0.35, 1.0, 1.0)
    return np.asarray(np.linalg.norm(offset, axis=2))


def cluster_colours(labs: Array, seeds: Array) -> Array:
    """Move the seeds to the middles of the clusters that the stickers form, (6, 3) CIELAB.

    scikit-learn's Lloyd iterations, started once from the seeds: cluster i stays the colour of face
    i.
    """
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning

    seen = labs[np.isfinite(labs).all(axis=1)]
    if len(seen) < 6:
        return seeds
    # One thread: handing 54 points to more costs far longer than the sums.
    with _thread_pools().limit(limits=1), warnings.catch_warnings():
        # Fewer distinct colours than clusters (a picture of a wall): the seeds simply stay.
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = KMeans(n_clusters=6, init=seeds, n_init=1, max_iter=50).fit(seen)
    return np.asarray(found.cluster_centers_, dtype=np.float64)


@cache
def _thread_pools() -> "ThreadpoolController":
    """Find the pools of threads once: the search takes longer than a clustering."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def nine_per_colour(costs: Array) -> NDArray[np.intp]:
    """Give each colour exactly nine stickers, its centre among them, at the least total cost.

    Args:
        costs: (54, 6) finite.

    Returns:
        (54,) colour of each sticker, index in URFDLB.
    """
    from scipy.optimize import linear_sum_assignment

    bound = costs.copy()
    bound[CENTRES] = 1e6
    bound[CENTRES, np.arange(6)] = 0.0
    _, column = linear_sum_assignment(np.repeat(bound, 9, axis=1))
    return np.asarray(column // 9, dtype=np.intp)


def labels_of(facelets: Facelets) -> NDArray[np.intp]:
    """Colour index of each sticker of a facelet string, (54,)."""
    return np.array([FACES.index(letter) for letter in facelets.text], dtype=np.intp)


def facelets_of(labels: NDArray[np.intp]) -> Facelets:
    """Facelet string of colour indices."""
    return Facelets("".join(FACES[int(label)] for label in labels))
