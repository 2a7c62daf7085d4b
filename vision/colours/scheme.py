"""The colours of the faces; facelets as letters and as indices of colours."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from cube.facelets import Facelets
from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from cube.orientation import orientations

T = TypeVar("T")


def labels_of(facelets: Facelets) -> NDArray[np.intp]:
    """Return the colour of each sticker, (54,) index in URFDLB."""
    return np.array([FACES.index(letter) for letter in facelets.text], dtype=np.intp)


def facelets_of(labels: NDArray[np.intp]) -> Facelets:
    """Return the facelets of (54,) colour indices."""
    return Facelets("".join(FACES[int(label)] for label in labels))


JAPANESE_SCHEME = {**WESTERN_SCHEME, "D": "blue", "B": "yellow"}
"""White opposite blue, green opposite yellow …, as on cubes sold in Japan."""

# The order in which centres are searched, so that U is on top and, if possible, F in front.
_CENTRE_ORDER = "UFRBLD"


def centre_order(scheme: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Return the colours in the order in which centres are searched.

    Args:
        scheme: Colour name of each face of the cube, if known; else white becomes U and green F.
    """
    known = scheme or WESTERN_SCHEME
    return tuple(known[face] for face in _CENTRE_ORDER)


def looks_mirrored(names: Sequence[str], scheme: Mapping[str, str] | None = None) -> bool:
    """Return whether these colours, URFDLB, are the mirror image of the cube's.

    Args:
        names: The colours.
        scheme: Colour name of each face of the cube, if known; else any scheme of cubes on sale.
            The orientation does not matter: all 24 rotations are the same scheme.
    """
    held = held_schemes(scheme)
    return tuple(names) not in held and mirror_image(names) in held


def held_schemes(scheme: Mapping[str, str] | None) -> list[tuple[str, ...]]:
    """Return the colours of URFDLB of the cube, or of any cube on sale, in every orientation."""
    known = (scheme,) if scheme else (WESTERN_SCHEME, JAPANESE_SCHEME)
    return [held for one in known for held in scheme_rotations(tuple(one[f] for f in FACES))]


def mirror_image(names: Sequence[str]) -> tuple[str, ...]:
    """Return colours of URFDLB with left and right exchanged."""
    return (names[0], names[4], names[2], names[3], names[1], names[5])


def scheme_rotations(names: tuple[T, ...]) -> list[tuple[T, ...]]:
    """Return the 24 orientations of a cube with these colours, or pictures, on URFDLB."""
    return [tuple(names[FACES.index(face)] for face in held.faces) for held in orientations()]
