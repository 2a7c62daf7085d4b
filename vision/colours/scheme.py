"""Which colour belongs to which face: Western, Japanese, or whatever the centres show."""

from collections.abc import Sequence

from cube.moves import FACES
from cube.net import WESTERN_SCHEME

# The order in which centres are looked for: white becomes U, green becomes F.
WESTERN_ORDER = ("white", "green", "red", "blue", "orange", "yellow")

JAPANESE_SCHEME = {**WESTERN_SCHEME, "D": "blue", "B": "yellow"}
"""White opposite blue, green opposite yellow … as cubes were sold in Japan."""

# Rotations of the whole cube as the face that comes to each of U R F D L B: about U and about F.
_ABOUT_U, _ABOUT_F = (0, 5, 1, 3, 2, 4), (4, 0, 2, 1, 3, 5)


def looks_mirrored(names: Sequence[str]) -> bool:
    """Whether these colours, URFDLB, are the mirror image of a scheme that cubes are sold with."""
    left_right = (names[0], names[4], names[2], names[3], names[1], names[5])
    return scheme_name(names) == "other" and scheme_name(left_right) != "other"


def scheme_name(names: Sequence[str]) -> str:
    """Return ``western``, ``japanese`` or ``other`` for six colours in the order URFDLB.

    However the cube is held: all 24 rotations of a scheme are that scheme.
    """
    held = set(scheme_rotations(tuple(names)))
    for name, scheme in (("western", WESTERN_SCHEME), ("japanese", JAPANESE_SCHEME)):
        if tuple(scheme[face] for face in FACES) in held:
            return name
    return "other"


def scheme_rotations(names: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The 24 ways to hold a cube with these colours on URFDLB."""
    found = [names]
    for current in found:
        for turn in (_ABOUT_U, _ABOUT_F):
            turned = tuple(current[i] for i in turn)
            if turned not in found:
                found.append(turned)
    return found
