"""What live capture asks of a face, and what it answers to a frame."""

import enum
from dataclasses import dataclass

from vision.live.instructions import Guidance
from vision.reading import FaceReading


class LiveState(enum.Enum):
    """What the capture waits for, or that it has just happened."""

    SEARCHING = "searching"
    BLURRED = "blurred"
    SPOILT = "spoilt"
    MOVING = "moving"
    HOLDING = "holding"
    ALREADY_CAPTURED = "already captured"
    OTHER_FACE = "other face"
    TURNED = "turned"
    SAME_LOOK = "same look"
    CAPTURED = "captured"
    COMPLETE = "complete"


@dataclass(frozen=True, slots=True)
class LiveSettings:
    """When a face counts as shown well.

    Attributes:
        window: So many frames are looked back at.
        still_frames: In so many of them the face must be found, sharp and in the same place; a
            missed frame or two do not matter.
        shift: How far its corners may wander meanwhile, as a share of its side.
        colour_change: How much its stickers' colours may, median ΔE.
        sharpness: Least `sharpness`; photos of faces have 0.03 and more, and moved by 10 pixels at
            640 pixels width nine in ten have less than this.
        as_sharp: Least sharpness, as a share of the least that a captured face has: dark and plain
            faces show more of it than others that are as sharp.
        patience: After so many frames in a row that are blurred or have a spoilt sticker, a face is
            taken as it is, without its spoilt stickers: some cameras and cubes show no better.
        moved: One more look at a face must lie elsewhere by this share of its side, or come after
            the face was away: the same look would only repeat its faults.
        insistence: When a face whose colour was not guessed is held still for so many frames in a
            row, the cube has other colours than the usual ones.
        same_face: Median ΔE below which nine stickers are those of a face already captured.
    """

    window: int = 7
    still_frames: int = 5
    shift: float = 0.04
    colour_change: float = 6.0
    sharpness: float = 0.014
    as_sharp: float = 0.4
    patience: int = 60
    moved: float = 0.15
    insistence: int = 75
    same_face: float = 7.0


@dataclass(frozen=True, slots=True)
class LiveStep:
    """The answer to one frame.

    Attributes:
        state: What is waited for.
        told: What to tell the person.
        wanted: Letter of the face to show, None when all six are captured.
        face: The face seen in this frame, None when there is none.
        captured: Letter of the face that this frame captured, else None.
        progress: 0..1, how much of the holding still is done.
    """

    state: LiveState
    told: Guidance
    wanted: str | None
    face: FaceReading | None = None
    captured: str | None = None
    progress: float = 0.0

    @property
    def guidance(self) -> str:
        """One or two plain English sentences for the person."""
        return self.told.text
