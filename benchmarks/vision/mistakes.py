"""Mistakes of people who show a cube, and their effects.

Real scans have few states, some of them patterned. Each is therefore also shown as other cubes: a
random state in the colours of the scan, with the light of each of its places.

This module also computes what each threshold on the margin would accept, and how much of it
wrongly.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from benchmarks.vision.colour_benchmark import ReadingOutcome, outcome
from benchmarks.vision.labelled_colours import CONDITIONS, Degradation, Scan, degrade, draws
from cube.laws import examine
from cube.moves import FACES, Move
from cube.random_states import random_state
from cube.state import CubeState
from cube.svg import chart, element, points, text
from vision.colours.scheme import facelets_of
from vision.colours.sticker_colours import StickerColours
from vision.decoding.decode import decode
from vision.decoding.face_turns import TurnedFaces
from vision.reading import CubeReading, MistakeKind, ReadingState
from vision.timed import timed


def acceptance_curve(outcomes: Sequence[ReadingOutcome]) -> list[tuple[float, float, float]]:
    """Return, for every threshold on the margin, the shares accepted and wrong, 0..1.

    Readings refused for another reason stay refused.
    """
    total = max(1, len(outcomes))
    open_to = [o for o in outcomes if not o.suspected and o.state is not ReadingState.AMBIGUOUS]
    curve = []
    for step in range(51):
        threshold = step / 2
        taken = [o for o in open_to if o.margin >= threshold]
        curve.append((threshold, len(taken) / total, sum(not o.right for o in taken) / total))
    return curve


def plot_curve_svg(
    curves: Mapping[str, Sequence[tuple[float, float, float]]], chosen: float
) -> str:
    """Draw what each threshold would accept, and how much of it wrongly, as an SVG picture."""
    width, row, left = 640, 150, 60
    height = 40 + row * len(curves)
    scale = (width - left - 20) / 25.0
    about = "accepted (green) and wrong (red, ×10) by least margin, nats; chosen"
    parts = [text(f"{about} {chosen:g}", left, 18)]
    for number, (name, curve) in enumerate(curves.items()):
        base = 30 + row * (number + 1) - 30
        parts.append(text(name, 8, base - 104))
        axes = f"M{left} {base}H{width - 20}M{left} {base}V{base - 100}"
        parts.append(element("path", d=axes, stroke="black"))
        x = left + chosen * scale
        parts.append(element("path", d=f"M{x:.1f} {base}V{base - 100}", stroke="gray"))
        for column, colour, factor in ((1, "#2a7", 1.0), (2, "#d33", 10.0)):
            line = points(
                (left + point[0] * scale, base - min(1.0, factor * point[column]) * 100)
                for point in curve
            )
            parts.append(element("polyline", points=line, fill="none", stroke=colour))
        parts += [text(str(mark), left + mark * scale, base + 14) for mark in range(0, 26, 5)]
    return chart((width, height), parts)


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
        hidden: Whether the pictures are those of another cube, shown correctly: then nobody can
            tell.
    """

    outcome: ReadingOutcome
    named: bool
    hidden: bool


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


def _two_mirrored(faces: Array, labels: Array, rng: np.random.Generator) -> tuple[str, ...]:
    chosen = _some_faces(2, rng)
    for face in chosen:
        faces[face] = faces[face].reshape(3, 3, 3)[:, ::-1].reshape(9, 3)
        labels[face] = labels[face].reshape(3, 3)[:, ::-1].ravel()
    return tuple(FACES[face] for face in chosen)


def _shifted(faces: Array, labels: Array, rng: np.random.Generator) -> tuple[str, ...]:
    """Name every picture after the next face."""
    del rng
    faces[:], labels[:] = np.roll(faces, 1, axis=0), np.roll(labels, 1, axis=0)
    return tuple(FACES)


def _opposite_turned(faces: Array, labels: Array, rng: np.random.Generator) -> tuple[str, ...]:
    """Show two opposite faces with the whole cube turned by a quarter."""
    face, quarters = int(rng.integers(3)), int(rng.choice([1, 3]))
    for each in (face, face + 3):
        faces[each] = np.rot90(faces[each].reshape(3, 3, 3), quarters).reshape(9, 3)
        labels[each] = np.rot90(labels[each].reshape(3, 3), quarters).ravel()
    return (FACES[face], FACES[face + 3])


def _turned_with_a_logo(faces: Array, labels: Array, rng: np.random.Generator) -> tuple[str, ...]:
    """Show a face upside down, with a logo over its centre."""
    (name,) = _turned(2)(faces, labels, rng)
    disc = _DISCS[rng.integers(len(_DISCS))] + rng.normal(0.0, 4.0, 3)
    faces[FACES.index(name), 4] = np.clip(disc, 0.0, 255.0)
    return (name,)


def _stickers_exchanged(faces: Array, labels: Array, rng: np.random.Generator) -> tuple[str, ...]:
    """Exchange two stickers, as a person does who puts them back after cleaning."""
    sides = [place for place in range(54) if place % 9 != 4]
    one, other = (int(place) for place in rng.choice(sides, 2, replace=False))
    for values in (faces.reshape(54, 3), labels.reshape(54)):
        values[[one, other]] = values[[other, one]]
    return (FACES[one // 9], FACES[other // 9])


MISTAKES: Mapping[str, tuple[Change, MistakeKind | None]] = MappingProxyType(
    {
        "turned by 90°": (_turned(1), MistakeKind.TURNED),
        "turned by 180°": (_turned(2), MistakeKind.TURNED),
        "exchanged": (_exchanged, MistakeKind.EXCHANGED),
        "the same face twice": (_doubled, MistakeKind.DOUBLED),
        "one mirrored": (_mirrored, MistakeKind.MIRRORED),
        "foreign face": (_foreign, MistakeKind.FOREIGN),
        "turned between pictures": (_before_moves(1, 1, (1, 3), 5), None),
        "half turn between": (_before_moves(1, 1, (2,), 5), None),
        "face before some moves": (_before_moves(2, 5, (1, 2, 3), 1), None),
        "two faces foreign": (_of_another_cube(2), None),
        "two cubes mixed": (_of_another_cube(3), None),
        "two mirrored": (_two_mirrored, None),
        "names shifted": (_shifted, None),
        "opposite faces turned": (_opposite_turned, None),
        "upside down, logo": (_turned_with_a_logo, None),
        "stickers exchanged": (_stickers_exchanged, None),
    }
)


_ONLY_UPRIGHT = frozenset({"opposite faces turned", "upside down, logo"})


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
        if any_orientation and (kind is MistakeKind.TURNED or name in _ONLY_UPRIGHT):
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


def measure_hidden_centres(
    scans: Sequence[Scan], repeats: int, seed: int
) -> Iterator[ReadingOutcome]:
    """Decode cubes with one, two or three unseen centres."""
    for count in (1, 2, 3):
        for scan, rng in draws(scans, repeats, seed):
            rgb, text = another_cube(scan, rng)
            faces = degrade(rgb, _MILD, rng).reshape(6, 9, 3)
            faces[rng.choice(6, count, replace=False), 4] = np.nan
            reading = _decode(StickerColours.of_srgb(faces.reshape(54, 3)))
            yield outcome(f"{count} centres hidden", scan.name, text, reading)


def measure_covered_centres(
    scans: Sequence[Scan], repeats: int, seed: int
) -> Iterator[ReadingOutcome]:
    """Decode cubes with discs of one colour over one, two or four of their centres."""
    for count in (1, 2, 4):
        for scan, rng in draws(scans, repeats, seed):
            rgb, text = another_cube(scan, rng)
            faces = degrade(rgb, _MILD, rng).reshape(6, 9, 3)
            disc = _DISCS[rng.integers(len(_DISCS))] + rng.normal(0.0, 4.0, (count, 3))
            faces[rng.choice(6, count, replace=False), 4] = np.clip(disc, 0.0, 255.0)
            reading = _decode(StickerColours.of_srgb(faces.reshape(54, 3)))
            yield outcome(f"{count} centres covered", scan.name, text, reading)


def measure_caution(
    scans: Sequence[Scan], repeats: int, seed: int
) -> Iterator[tuple[str, CubeReading, CubeReading, str]]:
    """Decode cubes shown correctly, without and with a check for mistakes: the cost of caution.

    Yields:
        The condition, both readings, and the truth.
    """
    for name, how in (("shown rightly", _MILD), ("shown rightly, hard", CONDITIONS["hard"])):
        for scan, rng in draws(scans, repeats, seed):
            rgb, text = another_cube(scan, rng)
            colours = StickerColours.of_srgb(degrade(rgb, how, rng))
            yield name, decode(colours, mistakes=False), decode(colours), text


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
        return bool(TurnedFaces().same_colours(colours))
    return examine(facelets_of(colours)).solvable
