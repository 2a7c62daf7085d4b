"""The names of the six colours of a cube, once they are known from all of its stickers.

A single centre may show a reflection or a logo, and the light may have any colour. Names are
therefore given to all six colours together, relative to the one that is taken for white. The most
likely names are those of a cube on sale, or of the cube that the user described. The same distances
tell whether pictures are mirror images.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from vision.colours.colour_spaces import light_to_lab, linearise
from vision.colours.palette import COLOUR_NAMES
from vision.colours.scheme import held_schemes, mirror_image
from vision.colours.sticker_colours import StickerColours

Array = NDArray[np.float64]
Shade = tuple[float, float, float]

# Standard deviation of a fitted colour, relative to white, from the one that its name means, ΔE
# 1976.
_NAME_SPREAD = 5.0
# Names that belong to no known cube, or to its mirror image, must fit better by this, nats. In 37
# readings of real cubes, the mirror image fits one better, by 8, and 36 worse, by 10 and more.
_OTHER_NAMES = 10.0
# Least light, 0..1, of a colour that may be white.
_LEAST_WHITE = 1e-3


@dataclass(frozen=True, slots=True)
class FaceNames:
    """The names of the colours of six faces.

    Attributes:
        names: In the order URFDLB.
        mirrored: They are the mirror image of the colours of the cube, or of cubes on sale.
    """

    names: tuple[str, ...]
    mirrored: bool


def name_faces(
    means: Array, known: Mapping[str, Shade], scheme: Mapping[str, str] | None = None
) -> FaceNames:
    """Name the colours of a cube held in any way.

    Args:
        means: (6, 3) encoded sRGB 0..1, of the faces in URFDLB.
        known: CIELAB (D65, L 0..100) of the six names.
        scheme: Colour name of each face of the cube, if known; else any scheme of cubes on sale.
    """
    distances = _name_distances(means, known)
    number = {name: i for i, name in enumerate(known)}
    held = held_schemes(scheme)
    found = []
    for dearer, mirrored, schemes in (
        (0.0, False, held),
        (_OTHER_NAMES, True, [mirror_image(names) for names in held]),
    ):
        rows = np.array([[number[name] for name in names] for names in schemes])
        costs = _least_costs(distances, rows)
        best = int(costs.argmin())
        found.append((float(costs[best]) + dearer, mirrored, schemes[best]))
    rows = _all_orders()
    costs = _least_costs(distances, rows)
    best = int(costs.argmin())
    names = tuple(known)
    found.append((float(costs[best]) + _OTHER_NAMES, False, tuple(names[i] for i in rows[best])))
    _, mirrored, chosen = min(found, key=lambda one: one[0])  # of equals, a known cube
    return FaceNames(chosen, mirrored)


def _name_distances(means: Array, known: Mapping[str, Shade]) -> Array:
    """Return (6 colours taken for white, 6 colours, 6 names) nats; infinite for other whites."""
    typical = np.array(list(known.values()))
    white = int(np.linalg.norm(typical[:, 1:], axis=1).argmin())
    light = linearise(np.clip(means, 0.0, 1.0))
    scale = linearise(StickerColours.of_lab(typical[[white]]).srgb)
    lit = light * scale / np.maximum(light, _LEAST_WHITE)[:, None]
    labs = light_to_lab(np.clip(lit, 0.0, 1.5))
    square = ((labs[:, :, None] - typical) ** 2).sum(axis=-1) / (2.0 * _NAME_SPREAD**2)
    each = np.arange(6)
    own = square[each, each, white].copy()
    square[each, each] = square[each, :, white] = np.inf
    square[each, each, white] = own
    return np.asarray(square)


def _least_costs(distances: Array, names: NDArray[np.intp]) -> Array:
    """Return the cost of each row of names, (n, 6) indices, with the best colour as white."""
    return np.asarray(distances[:, np.arange(6), names].sum(axis=-1).min(axis=0))


@cache
def _all_orders() -> NDArray[np.intp]:
    """Return (720, 6): every order of the six names."""
    return np.array(list(permutations(range(len(COLOUR_NAMES)))))
