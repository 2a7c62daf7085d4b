"""Mistakes of people who show a cube, and their effects.

Real scans have few states, some of them patterned. Each is therefore also shown as other cubes: a
random state in the colours of the scan, with the light of each of its places.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from benchmarks.vision.colour_benchmark import ReadingOutcome, outcome
from benchmarks.vision.labelled_colours import Degradation, Scan, degrade, draws
from cube.laws import examine
from cube.moves import FACES, Move
from cube.random_states import random_state
from cube.state import CubeState
from vision.colours.scheme import facelets_of
from vision.colours.sticker_colours import StickerColours
from vision.decoding.decode import decode
from vision.decoding.face_turns import FaceLaw
from vision.reading import CubeReading, MistakeKind
from vision.timed import timed

Array = NDArray[np.float64]
Change = Callable[[Array, Array, np.random.Generator], tuple[str, ...]]
"""Changes colours (6, 9, 3) and labels (6, 9) of the faces in URFDLB like a person's mistake, and
names the faces. The kind of a mistake is None if the program has no name for it.
"""

_MILD = Degradation(noise=3, gain=0.06, tint=0.02, gradient=0.1)
_OWN_NOISE = 2.0
"""Standard deviation between stickers of one colour, of 255."""
_MOST_LIGHT = 1.6
"""Maximum factor between the light of a place and that of its colour's mean."""
_DISCS = np.array(
    [(25, 25, 25), (128, 128, 128), (170, 170, 175), (235, 235, 230), (40, 70, 170), (220, 110, 40)]
)
"""Encoded sRGB 0..255 of covers on centres: black, grey, metal, white, blue, orange."""
_decode = timed(decode)


@dataclass(frozen=True, slots=True)
class MistakeOutcome:
    """One cube that was shown wrongly.

    Attributes:
        outcome: The reading compared with the cube; it is right if the cube was read nevertheless.
        named: Whether kind and faces were named.
        hidden: Whether the pictures are those of a cube, shown correctly: then nobody can tell.
    """

    outcome: ReadingOutcome
    named: bool
    hidden: bool


def _rightly(_faces: Array, _labels: Array, _rng: np.random.Generator) -> tuple[str, ...]:
    """Show the cube without a mistake: the cost of looking for mistakes."""
    return ()


def _turned(quarters: int) -> Change:
    def turn(faces: Array, labels: Array, rng: np.random.Generator) -> tuple[str, ...]:
        face = int(rng.integers(6))
        faces[face] = np.rot90(faces[face].reshape(3, 3, 3), quarters).reshape(9, 3)
        labels[face] = np.rot90(labels[face].reshape(3, 3), quarters).ravel()
        return (FACES[face],)

    return turn


def _exchanged(faces: Array, labels: Array, rng: np.random.Generator) -> tuple[str, ...]:
    one, other = (int(face) for face in rng.choice(6, 2, replace=False))
    faces[[one, other]], labels[[one, other]] = faces[[other, one]], labels[[other, one]]
    return (FACES[one], FACES[other])


def _doubled(faces: Array, labels: Array, rng: np.random.Generator) -> tuple[str, ...]:
    one, other = (int(face) for face in rng.choice(6, 2, replace=False))
    faces[one], labels[one] = faces[other], labels[other]
    return (FACES[one], FACES[other])


def _mirrored(faces: Array, labels: Array, rng: np.random.Generator) -> tuple[str, ...]:
    face = int(rng.integers(6))
    faces[face] = faces[face].reshape(3, 3, 3)[:, ::-1].reshape(9, 3)
    labels[face] = labels[face].reshape(3, 3)[:, ::-1].ravel()
    return (FACES[face],)


def _foreign(faces: Array, labels: Array, rng: np.random.Generator) -> tuple[str, ...]:
    """Show a face of another cube in the same light: each sticker as some sticker of its colour."""
    return _of_another_cube(1)(faces, labels, rng)


def _of_another_cube(count: int) -> Change:
    def show(faces: Array, labels: Array, rng: np.random.Generator) -> tuple[str, ...]:
        return _recolour(faces, labels, _some_faces(count, rng), random_state(rng), rng)

    return show


def _before_moves(least: int, most: int, turns: tuple[int, ...], early: int) -> Change:
    """Show up to some faces as they were before the cube was turned."""

    def show(faces: Array, labels: Array, rng: np.random.Generator) -> tuple[str, ...]:
        state = CubeState.from_facelets(facelets_of(labels.astype(np.intp).ravel()))
        for _ in range(int(rng.integers(least, most + 1))):
            state = state.apply(Move(str(rng.choice(list(FACES))), int(rng.choice(turns))))
        chosen = _some_faces(int(rng.integers(1, early + 1)), rng)
        return _recolour(faces, labels, chosen, state, rng)

    return show


def _recolour(
    faces: Array, labels: Array, chosen: Sequence[int], state: CubeState, rng: np.random.Generator
) -> tuple[str, ...]:
    """Show some faces of another state: each sticker as some sticker of its colour."""
    text = state.to_facelets().text
    before, shown = labels.copy(), faces.copy()
    for face in chosen:
        for cell, letter in enumerate(text[9 * face : 9 * face + 9]):
            if cell != 4 and before[face, cell] != FACES.index(letter):
                places = np.argwhere(before == FACES.index(letter))
                at = tuple(places[rng.integers(len(places))])
                faces[face, cell], labels[face, cell] = shown[at], before[at]
    return tuple(FACES[face] for face in chosen)


def _some_faces(count: int, rng: np.random.Generator) -> list[int]:
    return [int(face) for face in rng.choice(6, count, replace=False)]


MISTAKES: Mapping[str, tuple[Change, MistakeKind | None]] = MappingProxyType(
    {
        "none": (_rightly, None),
        "turned by 90°": (_turned(1), MistakeKind.TURNED),
        "turned by 180°": (_turned(2), MistakeKind.TURNED),
        "exchanged": (_exchanged, MistakeKind.EXCHANGED),
        "the same face twice": (_doubled, MistakeKind.DOUBLED),
        "one mirrored": (_mirrored, MistakeKind.MIRRORED),
        "foreign face": (_foreign, MistakeKind.FOREIGN),
        "turned between pictures": (_before_moves(1, 1, (1, 3), 5), None),
        "face before some moves": (_before_moves(2, 5, (1, 2, 3), 1), None),
        "two cubes mixed": (_of_another_cube(3), None),
    }
)


def another_cube(scan: Scan, rng: np.random.Generator) -> tuple[Array, str]:
    """Show a random state in the colours of a scan: (54, 3) encoded sRGB 0..255, and its text."""
    letters, rgb = np.array(list(scan.expected)), np.asarray(scan.rgb, dtype=np.float64)
    means = {letter: np.nanmean(rgb[letters == letter], axis=0) for letter in FACES}
    text = random_state(rng).to_facelets().text
    own = np.array([means[letter].sum() for letter in letters])
    light = np.nan_to_num(rgb.sum(axis=1) / np.maximum(own, 1.0), nan=1.0)
    light = np.clip(light, 1 / _MOST_LIGHT, _MOST_LIGHT)
    shown = np.array([means[letter] for letter in text]) * light[:, None]
    return np.clip(shown + rng.normal(0.0, _OWN_NOISE, (54, 3)), 0.0, 255.0), text


def measure_mistakes(
    scans: Sequence[Scan], repeats: int, seed: int, *, any_orientation: bool = False
) -> Iterator[MistakeOutcome]:
    """Decode cubes with each mistake; none may be accepted as another cube.

    Args:
        scans: Sound cubes, for their colours.
        repeats: Number of repetitions of each mistake with each.
        seed: Seed of the random choices.
        any_orientation: Whether faces may be rotated; then a rotated face is not a mistake, nor is
            a mirrored one.
    """
    suffix = ", any turn" if any_orientation else ""
    for name, (change, kind) in MISTAKES.items():
        if any_orientation and kind is MistakeKind.TURNED:
            continue
        for scan, rng in draws(scans, repeats, seed):
            rgb, text = another_cube(scan, rng)
            faces = degrade(rgb, _MILD, rng).reshape(6, 9, 3)
            labels = np.array([FACES.index(letter) for letter in text]).reshape(6, 9)
            wrong = change(faces, labels, rng)
            colours = StickerColours.of_srgb(faces.reshape(54, 3))
            reading = _decode(colours, any_orientation=any_orientation)
            yield MistakeOutcome(
                outcome(f"{name}{suffix}", scan.name, text, reading),
                _names(reading, kind, wrong),
                _is_a_cube(labels, turned=any_orientation),
            )


def measure_centres(scans: Sequence[Scan], repeats: int, seed: int) -> Iterator[ReadingOutcome]:
    """Decode cubes of whose centres one to three are not seen, or have a disc of one colour."""
    for how, count in product(("hidden", "covered"), (1, 2, 3)):
        for scan, rng in draws(scans, repeats, seed):
            rgb, text = another_cube(scan, rng)
            faces = degrade(rgb, _MILD, rng).reshape(6, 9, 3)
            disc = _DISCS[rng.integers(len(_DISCS))] + rng.normal(0.0, 4.0, (count, 3))
            seen = np.nan if how == "hidden" else np.clip(disc, 0.0, 255.0)
            faces[rng.choice(6, count, replace=False), 4] = seen
            reading = _decode(StickerColours.of_srgb(faces.reshape(54, 3)))
            yield outcome(f"{count} centres {how}", scan.name, text, reading)


def _names(reading: CubeReading, kind: MistakeKind | None, faces: tuple[str, ...]) -> bool:
    mistake = reading.mistake
    return mistake is not None and mistake.kind is kind and set(mistake.faces) == set(faces)


def _is_a_cube(labels: Array, *, turned: bool) -> bool:
    """Return whether the pictures are those of a solvable cube that was shown correctly.

    Args:
        labels: (6, 9) colours, each the number of its face.
        turned: Whether each of the pictures may be rotated.
    """
    centres = labels[:, 4].tolist()
    if sorted(centres) != list(range(6)):
        return False
    colours = np.argsort(centres)[labels.ravel()]
    if turned:
        return bool(FaceLaw(turns=None).same_colours(colours))
    return examine(facelets_of(colours)).solvable
