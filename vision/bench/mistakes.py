"""What people do wrong when they show a cube: turned, exchanged, doubled, mirrored, foreign faces."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from cube.moves import FACES
from cube.random_states import random_state
from vision.bench.colour_benchmark import Outcome, outcome
from vision.bench.colour_conditions import CONDITIONS, Degradation, degrade
from vision.bench.labelled_colours import Scan
from vision.colours.sticker_colours import StickerColours
from vision.decoding.decode import decode
from vision.timed import timed

Array = NDArray[np.float64]
Mistake = Callable[[Array, str, np.random.Generator], Array]
"""Colours (6, 9, 3) of the faces in URFDLB, the cube's facelets, chance: what is shown instead."""

_MILD = Degradation(noise=3, gain=0.06, tint=0.02, gradient=0.1)
_decode = timed(decode)


def _turned(quarters: int) -> Mistake:
    def turn(faces: Array, _facelets: str, rng: np.random.Generator) -> Array:
        face = rng.integers(6)
        faces[face] = np.rot90(faces[face].reshape(3, 3, 3), quarters).reshape(9, 3)
        return faces

    return turn


def _exchanged(faces: Array, _facelets: str, rng: np.random.Generator) -> Array:
    one, other = rng.choice(6, 2, replace=False)
    faces[[one, other]] = faces[[other, one]]
    return faces


def _doubled(faces: Array, _facelets: str, rng: np.random.Generator) -> Array:
    one, other = rng.choice(6, 2, replace=False)
    faces[one] = faces[other]
    return faces


def _mirrored(faces: Array, _facelets: str, rng: np.random.Generator) -> Array:
    face = rng.integers(6)
    faces[face] = faces[face].reshape(3, 3, 3)[:, ::-1].reshape(9, 3)
    return faces


def _foreign(faces: Array, facelets: str, rng: np.random.Generator) -> Array:
    """A face of another cube in the same light: each sticker as some sticker of its colour."""
    face = int(rng.integers(6))
    other = random_state(rng).to_facelets().text[9 * face : 9 * face + 9]
    colours = faces.reshape(54, 3)
    for cell, letter in enumerate(other):
        if cell != 4:
            places = [place for place in range(54) if facelets[place] == letter]
            faces[face, cell] = colours[rng.choice(places)]
    return faces


def _blind_centres(count: int) -> Mistake:
    def cover(faces: Array, _facelets: str, rng: np.random.Generator) -> Array:
        faces[rng.choice(6, count, replace=False), 4] = np.nan
        return faces

    return cover


MISTAKES: Mapping[str, Mistake] = MappingProxyType(
    {
        "turned by 90°": _turned(1),
        "turned by 180°": _turned(2),
        "exchanged": _exchanged,
        "the same face twice": _doubled,
        "one mirrored": _mirrored,
        "foreign face": _foreign,
        "one centre hidden": _blind_centres(1),
        "two centres hidden": _blind_centres(2),
    }
)


def measure_mistakes(
    scans: Sequence[Scan], repeats: int, seed: int, *, any_orientation: bool = False
) -> Iterator[Outcome]:
    """Decode scans with each mistake in them; none is one that may be accepted as another cube.

    Args:
        scans: Sound cubes.
        repeats: How often each mistake is made with each.
        seed: Of the chances.
        any_orientation: Whether the person says that faces may be turned.
    """
    suffix = ", any turn" if any_orientation else ""
    for name, mistake in MISTAKES.items():
        rng = np.random.default_rng(seed)
        for scan in scans:
            for _ in range(repeats):
                colours = degrade(scan.rgb, _MILD, rng).reshape(6, 9, 3)
                shown = mistake(colours.copy(), scan.expected, rng).reshape(54, 3)
                reading = _decode(StickerColours.of_srgb(shown), any_orientation=any_orientation)
                yield outcome(f"{name}{suffix}", scan.name, scan.expected, reading)


def measure_sound(scans: Sequence[Scan], repeats: int, seed: int) -> Iterator[Outcome]:
    """Decode the same scans without a mistake, mildly and hard: what caution costs."""
    for name, how in (("no mistake", _MILD), ("no mistake, hard", CONDITIONS["hard"])):
        rng = np.random.default_rng(seed)
        for scan in scans:
            for _ in range(repeats):
                reading = _decode(StickerColours.of_srgb(degrade(scan.rgb, how, rng)))
                yield outcome(name, scan.name, scan.expected, reading)
