"""The plain pipeline: k-means assigns a colour to every sticker, and the laws of the cube reject.

This is the textbook method, and the reference for `vision.decoding.decode`: it does not model the
light on each face or use the pieces, and it has only one first guess. A reading is either a
solvable cube, or it is refused.
"""

import math
import warnings
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from cube.facelets import Facelets
from cube.laws import examine
from cube.moves import FACES
from vision.colours.colour_model import seen_stickers
from vision.colours.first_guesses import seed_colours
from vision.colours.profile import ColourProfile
from vision.colours.scheme import facelets_of
from vision.colours.sticker_colours import StickerColours
from vision.errors import VisionError
from vision.reading import CubeReading, ReadingState, StickerReading, cube_stickers

Array = NDArray[np.float64]


def decode_plainly(
    colours: StickerColours,
    profile: ColourProfile | None = None,
    *,
    scheme: Mapping[str, str] | None = None,
) -> CubeReading:
    """Cluster the stickers around the centres' colours, and refuse anything that is not a cube.

    Args:
        colours: Colours of 54 stickers in the order URFDLB, faces upright as in the usual net.
        profile: Measured colours to start from.
        scheme: Colour name of each face of the cube, as the user gave it.

    Returns:
        The reading; `best` is the result of the clusters, even if turns cannot solve it, and there
        is no margin.

    Raises:
        VisionError: There are not 54 colours, or a sticker was not seen.
    """
    if len(colours) != 54 or not seen_stickers(colours.lab).all():
        raise VisionError("the k-means classifier needs the colours of all 54 stickers")
    seed_labs, names = seed_colours(colours.lab, profile, None, scheme)
    middles = _clusters(colours.srgb, StickerColours.of_lab(seed_labs).srgb)
    apart = np.linalg.norm(colours.srgb[:, None] - middles, axis=2)
    labels = apart.argmin(axis=1)
    shown = facelets_of(labels)
    verdict = examine(shown)
    return CubeReading(
        state=ReadingState.SURE if verdict.solvable else ReadingState.ASK_AGAIN,
        best=shown,
        margin=math.inf,
        reread=() if verdict.solvable else tuple(FACES),
        problems=verdict.problems,
        stickers=_stickers(colours, shown, apart),
        elapsed_ms=0.0,
        proposal=shown,
        scheme=tuple(zip(FACES, names, strict=True)),
    )


def _clusters(colours: Array, seeds: Array) -> Array:
    """Return scikit-learn's clusters, started once from the seeds."""
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning
    from threadpoolctl import threadpool_limits

    # One thread: distributing 54 points costs much more time than it saves.
    with threadpool_limits(limits=1), warnings.catch_warnings():
        # Fewer distinct colours than clusters (a picture of a wall): the seeds do not move.
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = KMeans(n_clusters=6, init=seeds, n_init=1, max_iter=50).fit(colours)
    return np.asarray(found.cluster_centers_, dtype=np.float64)


def _stickers(
    colours: StickerColours,
    shown: Facelets,
    apart: Array,
) -> tuple[StickerReading, ...]:
    """Return the confidence of each sticker: how much nearer its cluster is than the next one."""
    nearest = np.sort(apart, axis=1)[:, :2]
    confidence = 1.0 - nearest[:, 0] / np.maximum(nearest[:, 1], 1e-9)
    return cube_stickers(colours.lab, shown.text, confidence)
