"""The results of vision: a sticker, a face, a whole cube, each with its confidence."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from cube.facelets import Facelets, facelet_name
from cube.pieces import Problem

# x and y in pixels; (0, 0) is the centre of the top left pixel.
Point = tuple[float, float]
Polygon = tuple[Point, Point, Point, Point]
Lab = tuple[float, float, float]

UNSEEN: Lab = (math.nan, math.nan, math.nan)

MARGIN_THRESHOLD = 9.0
"""Least margin, in nats, of an accepted reading; docs/reading-colours.md shows the curve."""


def as_polygon(corners: NDArray[np.float64], digits: int = 2) -> Polygon:
    """Round four corners (4, 2) to some digits."""
    a, b, c, d = ((round(float(x), digits), round(float(y), digits)) for x, y in corners)
    return a, b, c, d


@dataclass(frozen=True, slots=True)
class StickerPlace:
    """The place of a sticker in the pictures; empty if its colour came from no picture.

    Attributes:
        polygons: See `StickerReading`.
        camera: See `StickerReading`.
    """

    polygons: tuple[Polygon, ...] = ()
    camera: int = 0


@dataclass(frozen=True, slots=True)
class StickerReading:
    """One sticker as seen.

    Attributes:
        facelet: 0..53 in Kociemba order within a cube; 0..8, row by row, within a single face.
        polygons: The patches of the picture that were averaged: usually one, several if a coupler
            hides the middle, none if the colour did not come from a picture. Pixels, clockwise from
            top left.
        lab: CIELAB (D65), L 0..100; three NaN if the sticker was not seen.
        colour: Within a cube the letter of the face with this colour (URFDLB); within a single face
            the nearest of the six colour names; empty if unknown.
        confidence: 0..1, how sure `colour` is.
        camera: Index of the frame of the polygons: the camera of a view, or the face's index in
            URFDLB if every face has its own photo.
    """

    facelet: int
    polygons: tuple[Polygon, ...]
    lab: Lab
    colour: str
    confidence: float
    camera: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.facelet < 54:
            raise ValueError(f"facelet {self.facelet} is outside 0..53")
        if not 0.0 <= self.confidence <= 1.0:
            raise ValueError(f"confidence {self.confidence} is outside 0..1")

    @property
    def seen(self) -> bool:
        """Whether it has a colour."""
        return not any(math.isnan(channel) for channel in self.lab)


def cube_stickers(
    labs: NDArray[np.float64], letters: str, confidence: NDArray[np.float64]
) -> tuple[StickerReading, ...]:
    """Return the 54 stickers of a cube, in Kociemba's order; they get their places later."""
    seen = zip(labs.tolist(), letters, confidence.tolist(), strict=True)
    return tuple(
        StickerReading(facelet, (), tuple(lab), letter, sure)
        for facelet, (lab, letter, sure) in enumerate(seen)
    )


@dataclass(frozen=True, slots=True)
class FaceReading:
    """One face found in a picture.

    Attributes:
        corners: Outline of the face in pixels, clockwise from top left.
        stickers: Nine, row by row as they appear in the picture; `colour` holds colour names.
        score: 0..1, how much the place looks like a face of a cube.
    """

    corners: Polygon
    stickers: tuple[StickerReading, ...]
    score: float = 1.0

    def __post_init__(self) -> None:
        if len(self.stickers) != 9:
            raise ValueError(f"a face has 9 stickers, not {len(self.stickers)}")

    @property
    def colours(self) -> tuple[str, ...]:
        """The nine colour names, row by row."""
        return tuple(sticker.colour for sticker in self.stickers)

    @property
    def side_px(self) -> float:
        """Mean length of the four sides in pixels."""
        pairs = zip(self.corners, (*self.corners[1:], self.corners[0]), strict=True)
        return sum(math.dist(a, b) for a, b in pairs) / 4.0


class ReadingState(StrEnum):
    """The five states of a reading; the values are part of the machine formats."""

    SURE = "sure"
    REPAIRED = "repaired"
    ASK_AGAIN = "ask-again"
    MISASSEMBLED = "mis-assembled"
    AMBIGUOUS = "ambiguous"


@dataclass(frozen=True, slots=True)
class Repair:
    """A sticker whose colour follows from the other stickers, contrary to its appearance.

    Attributes:
        facelet: 0..53 in Kociemba order.
        looked: The letter of its apparent colour, empty if it was not seen.
        decided: The letter that it must have.
    """

    facelet: int
    looked: str
    decided: str

    @property
    def text(self) -> str:
        """Return what was repaired and why."""
        name = facelet_name(self.facelet)
        if not self.looked:
            return f"{name} was not seen: the other stickers show that it is {self.decided}"
        return f"{name} looks like {self.looked}, but only {self.decided} makes a possible cube"


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A cube that turns cannot solve fits the colours better than any solvable cube.

    It counts if a second reading agrees: see `vision.decoding.acceptance`.

    Attributes:
        facelets: The apparent state of the cube.
        problems: The broken laws, and the pieces if they are known.
        margin: How much likelier it is than the likeliest solvable cube, nats.
    """

    facelets: Facelets
    problems: tuple[Problem, ...]
    margin: float


class MistakeKind(StrEnum):
    """The kinds of mistakes; the values are part of the machine formats."""

    TURNED = "turned"
    EXCHANGED = "exchanged"
    DOUBLED = "doubled"
    MIRRORED = "mirrored"
    FOREIGN = "foreign"


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake that explains the pictures better than the cube that they seem to show.

    Attributes:
        kind: Its kind.
        faces: The faces of the pictures concerned.
        turns: Quarter turns clockwise that bring the picture of each of them upright; empty unless
            turned.
    """

    kind: MistakeKind
    faces: tuple[str, ...]
    turns: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """Return what went wrong."""
        names = " and ".join(self.faces)
        match self.kind:
            case MistakeKind.TURNED:
                ways = {1: "rotated to the left", 2: "upside down", 3: "rotated to the right"}
                pairs = zip(self.faces, self.turns, strict=True)
                return "; ".join(f"the picture of {face} is {ways[turn]}" for face, turn in pairs)
            case MistakeKind.EXCHANGED:
                return f"the pictures of {names} are swapped"
            case MistakeKind.DOUBLED:
                return f"the pictures of {names} show the same face"
            case MistakeKind.MIRRORED:
                return f"the picture of {names} is a mirror image"
            case MistakeKind.FOREIGN:
                return f"the picture of {names} does not belong to this cube"


@dataclass(frozen=True, slots=True)
class CubeReading:
    """A whole cube as read, and whether to trust it.

    Attributes:
        state: Which of the five states this reading has.
        best: The likeliest legal state; always present.
        margin: How much likelier `best` is than the second likeliest legal state, in nats (natural
            logarithm of the likelihood ratio) in the noise model of `vision.colours.colour_model`;
            larger means more certain.
        reread: The fewest faces to show again because of doubtful stickers, the most doubtful
            first; empty if accepted.
        problems: The laws that the colours break. If a mis-assembled cube is known or suspected,
            these are its broken laws; otherwise, they are those of `proposal`. Empty if accepted.
        stickers: All 54 in Kociemba order; `colour` is the letter of each in `best`.
        elapsed_ms: Duration of the reading as measured by the caller; else 0.
        proposal: The stickers as classified one by one, nine of each colour, before any law of the
            cube was applied.
        repairs: The stickers where `best` and `proposal` differ, or that were not seen.
        suspicion: A mis-assembled cube that fits better, or None.
        alternatives: Other states that the same colours show in other rotations of the faces.
        cells: The input sticker, 9 · picture + cell, of each facelet.
        scheme: Name of each face's colour.
        mirrored: The pictures are mirror images; such a reading is not accepted.
        mistake: A mistake that explains the pictures better than any cube shown as instructed, or
            None.
        instead: The reading of the same pictures with the mistake undone, if possible.
    """

    state: ReadingState
    best: Facelets
    margin: float
    reread: tuple[str, ...]
    problems: tuple[Problem, ...]
    stickers: tuple[StickerReading, ...]
    elapsed_ms: float
    proposal: Facelets
    repairs: tuple[Repair, ...] = ()
    suspicion: Suspicion | None = None
    alternatives: tuple[Facelets, ...] = ()
    cells: tuple[int, ...] = tuple(range(54))
    scheme: tuple[tuple[str, str], ...] = ()
    mirrored: bool = False
    mistake: Mistake | None = None
    instead: "CubeReading | None" = None

    def __post_init__(self) -> None:
        if len(self.stickers) != 54:
            raise ValueError(f"a cube has 54 stickers, not {len(self.stickers)}")
        if self.mirrored and self.accepted:
            raise ValueError("a mirrored reading is not accepted")

    def placed(self, places: Sequence[StickerPlace]) -> "CubeReading":
        """Return the reading with the place of each input sticker in the pictures."""
        at = [places[cell] for cell in self.cells]
        stickers = tuple(
            replace(sticker, polygons=place.polygons, camera=place.camera)
            for sticker, place in zip(self.stickers, at, strict=True)
        )
        instead = self.instead and self.instead.placed(places)
        return replace(self, stickers=stickers, instead=instead)

    @property
    def accepted(self) -> bool:
        """Whether to trust the reading; only after an accepted reading may a motor turn."""
        return self.state in (ReadingState.SURE, ReadingState.REPAIRED)

    @property
    def unseen(self) -> tuple[str, ...]:
        """The names of the stickers that were not seen, centres aside."""
        missing = (sticker.facelet for sticker in self.stickers if not sticker.seen)
        return tuple(facelet_name(facelet) for facelet in missing if facelet % 9 != 4)

    @property
    def facelets(self) -> Facelets | None:
        """The state, None unless accepted."""
        return self.best if self.accepted else None
