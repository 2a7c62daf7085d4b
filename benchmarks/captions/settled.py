"""What a lesson may say that a step settles, and how to find out whether it is true."""

from collections.abc import Callable

from benchmarks.captions.facts import (
    ALL,
    Names,
    away,
    by_halves,
    flipped,
    in_tetrads,
    odd,
    sets,
    slice_lacks,
    strangers,
    twist_sum,
    twisted,
    two_layers,
    without_quarters,
    wrong,
)
from benchmarks.captions.scene import Scene
from benchmarks.captions.sticker_cube import SOLVED, after
from benchmarks.captions.tasks import AXIS, CROSS, FIRST


def _is_home(scene: Scene, text: str) -> bool:
    return not sets(text) & wrong(scene.cube)


def _only_quarters(axis: str) -> bool:
    """Whether of all turns the quarter turns of two opposite faces alone change edge angles."""
    kept = without_quarters(axis, OPPOSITE[axis])
    return all(bool(flipped(after(SOLVED, move), axis)) == (move not in kept) for move in ALL)


OPPOSITE = {"U": "D", "R": "L", "F": "B"}
CLAUSES: dict[str, Callable[..., bool]] = {
    rf"every edge angle β is 0, which only quarter turns of {AXIS} change \(S3, Φ1\)": (
        lambda s, axis: not flipped(s.cube, axis) and _only_quarters(axis)
    ),
    r"every corner angle α is 0, each ([URF]) or [DLB] sticker of a corner lying on \1 or [DLB]": (
        lambda s, axis: not twisted(s.cube, axis)
    ),
    rf"the slice between {AXIS} holds its own edges \(S3, Φ2\)": (
        lambda s, axis: not slice_lacks(s.cube, axis) and not strangers(s.cube, axis)
    ),
    r"both tetrads hold their own corners and δ = p∘q⁻¹ is the identity \(S3, Φ3\)": (
        lambda s: in_tetrads(s.cube)
    ),
    r"every slice holds its own four edges \(S3, Φ3\)": lambda s: not by_halves(s.cube, 2),
    r"every piece is at home": lambda s: s.cube == SOLVED,
    r"the corner permutation is even, and so is that of the edges \(ε = 1\)": (
        lambda s: not odd(s.cube, 3) and not odd(s.cube, 2)
    ),
    r"each corner is in its place, whatever its angle": lambda s: not away(s.cube, 3),
    r"each edge is in its place, whatever its angle": lambda s: not away(s.cube, 2),
    r"every corner angle is 0, as their sum always was": (
        lambda s: not twisted(s.cube, "U") and twist_sum(s.before) == 0
    ),
    r"every edge angle is 0, as their sum always was": (
        lambda s: not flipped(s.cube, "F") and len(flipped(s.before, "F")) % 2 == 0
    ),
    r"every corner and edge angle is 0": (
        lambda s: not twisted(s.cube, "U") and not flipped(s.cube, "F")
    ),
    r"the four edges of D are at home and turned right": lambda s: _is_home(s, CROSS),
    r"the first layer is solved": lambda s: _is_home(s, f"{CROSS} {FIRST}"),
    r"the first layer is solved, ([URFDLB ]+) (?:is|are) at home and turned right": (
        lambda s, more: _is_home(s, f"{CROSS} {FIRST} {more}")
    ),
    r"((?:[URFDLB]{2,3} )+)(?:is|are) at home and turned right": _is_home,
    r"the first two layers are solved(?:, above them lies one of 62 208 last layers)?": (
        lambda s: two_layers(s.cube)
    ),
}
LEFT: dict[str, Callable[[Scene], Names]] = {
    "corners placed": lambda s: away(s.cube, 3),
    "edges placed": lambda s: away(s.cube, 2),
    "corners turned": lambda s: twisted(s.cube, "U"),
    "edges turned": lambda s: flipped(s.cube, "F"),
}
