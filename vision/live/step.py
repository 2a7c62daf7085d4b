"""The answer of live capture to a frame.

The instructions for a user who shows the faces of a cube are values that contain everything that a
sentence in any language needs.
"""

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from vision.reading import FaceReading

FACE_NAMES = {"U": "top", "R": "right", "F": "front", "D": "bottom", "L": "left", "B": "back"}
# The neighbour of each face that must be on top so that the picture matches the usual net.
_ON_TOP = {"F": "U", "R": "U", "B": "U", "L": "U", "U": "B", "D": "F"}


class Ask(StrEnum):
    """What the user should show."""

    FACE = "face"
    FACE_AGAIN = "face-again"
    ANY = "any"
    ANY_AGAIN = "any-again"


@dataclass(frozen=True, slots=True)
class Instruction:
    """Which face to show, and how.

    Attributes:
        ask: The kind of request.
        face: Letter of the face; empty if faces may come in any order.
        colour: Colour name of its centre; empty if unknown.
        top: Letter of the face that must be on top, so that the picture matches the net.
        top_colour: Colour name of that one's centre; empty if unknown.
        others: Letters of the other faces that still matter.
        shown: Number of faces done, if they may come in any order.
    """

    ask: Ask
    face: str = ""
    colour: str = ""
    top: str = ""
    top_colour: str = ""
    others: tuple[str, ...] = ()
    shown: int = 0


class Remark(StrEnum):
    """Remarks about the last picture."""

    BLURRED = "blurred"
    SPOILT = "spoilt"
    HOLD_STILL = "hold-still"
    TURNED = "turned"
    OTHER_FACE = "other-face"
    ALREADY_CAPTURED = "already-captured"
    CAPTURED = "captured"
    COMPLETE = "complete"


@dataclass(frozen=True, slots=True)
class Guidance:
    """Everything that the user is told after one frame.

    Attributes:
        remark: About the picture; None for no remark.
        face: Letter of the face that the remark is about; empty if letters only count faces.
        colour: The apparent colour of a centre, for `Remark.OTHER_FACE`.
        instruction: What to show next; None if there is nothing more to show, or if the remark
            suffices.
    """

    remark: Remark | None = None
    face: str = ""
    colour: str = ""
    instruction: Instruction | None = None


def ask_face(
    face: str, scheme: Mapping[str, str], others: Sequence[str] | None = None
) -> Instruction:
    """Ask for a face in the orientation of the usual net.

    Args:
        face: Its letter.
        scheme: Colour name of each face's centre, as far as it is known.
        others: For one more look at a face: the others that still matter.
    """
    top = _ON_TOP[face]
    known = face in scheme and top in scheme
    return Instruction(
        Ask.FACE if others is None else Ask.FACE_AGAIN,
        face,
        scheme[face] if known else "",
        top,
        scheme[top] if known else "",
        tuple(others or ()),
    )


class LiveState(enum.Enum):
    """What the capture waits for, or what has just happened."""

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
class LiveStep:
    """The answer to one frame.

    Attributes:
        state: What it waits for.
        told: What to tell the user.
        wanted: Letter of the face to show, None if all six are captured.
        face: The face in this frame, None if there is none.
        captured: Letter of the face that this frame captured, else None.
        progress: 0..1, progress of holding the face still.
    """

    state: LiveState
    told: Guidance
    wanted: str | None
    face: FaceReading | None = None
    captured: str | None = None
    progress: float = 0.0
