"""What the page By hand has to show: a JSON value, as the pane ``hand`` of the view."""

from enum import StrEnum

import msgspec

from cube.net import WESTERN_SCHEME
from thistlebot.control.showing.attention import Attention

PANE = "hand"
CAMERA = 100
"""The number of the webcam for watchers; those of a rig are counted from 0."""
UNKNOWN = "?" * 54


class HandPhase(StrEnum):
    """Where somebody is who solves by hand."""

    SCAN = "scan"
    READ = "read"
    PLAN = "plan"
    TURN = "turn"
    DONE = "done"


class ShownInstruction(msgspec.Struct, frozen=True):
    """Which face to show; the fields are those of `vision.live.step.Instruction`."""

    ask: str
    face: str = ""
    colour: str = ""
    top: str = ""
    top_colour: str = ""
    others: tuple[str, ...] = ()


class ShownGuidance(msgspec.Struct, frozen=True):
    """What to tell after a picture; the fields are those of `vision.live.step.Guidance`."""

    remark: str = ""
    face: str = ""
    colour: str = ""
    guessed: bool = False
    asked: ShownInstruction | None = None


class Outline(msgspec.Struct, frozen=True):
    """A sticker of the face that is before the camera.

    Attributes:
        facelet: Its place in the picture, ``1`` to ``9``, row by row.
        polygon: Its corners, pixels.
        colour: Name of the colour that it looks like; empty when it was not seen.
    """

    facelet: str
    polygon: tuple[tuple[float, float], ...]
    colour: str


class HandNet(msgspec.Struct, frozen=True):
    """The cube as far as it was seen.

    Attributes:
        facelets: 54 letters in the order URFDLB, ``?`` for what was not seen.
        scheme: Face letter to colour name.
        confidence: Of each sticker, 0 to 1; empty before there is a reading.
        doubtful: Stickers that were repaired or not seen.
        accepted: The reading is trusted.
    """

    facelets: str = UNKNOWN
    scheme: dict[str, str] = msgspec.field(default_factory=lambda: dict(WESTERN_SCHEME))
    confidence: tuple[float, ...] = ()
    doubtful: tuple[str, ...] = ()
    accepted: bool = False


class Changed(msgspec.Struct, frozen=True):
    """A sticker that a correction changed; as of `thistlebot.looking.corrections.Change`."""

    facelet: str
    before: str
    after: str
    told: bool


class HandCorrection(msgspec.Struct, frozen=True):
    """What a person said of the reading.

    Attributes:
        possible: There is a reading to correct, and nothing was turned since.
        count: How many corrections can be undone.
        changes: What the last one changed, or taking it back.
        refused: Why the last one was not taken, in English; empty when it was.
    """

    possible: bool = False
    count: int = 0
    changes: tuple[Changed, ...] = ()
    refused: str = ""


class HandTurns(msgspec.Struct, frozen=True):
    """The turns.

    Attributes:
        up: Colour name of the face to hold up.
        front: Colour name of the face to hold in front.
        known: Those colours were seen; else they are the usual ones.
        moves: All turns, also those that a person made instead of others.
        strays: Numbers of those, from 0.
        done: So many are made.
        facelets: What the cube shows now.
    """

    up: str
    front: str
    known: bool
    moves: tuple[str, ...]
    strays: tuple[int, ...]
    done: int
    facelets: str


class Followed(msgspec.Struct, frozen=True):
    """What the camera makes of the turns.

    Attributes:
        on: It is to see them.
        sight: One of `thistlebot.looking.turn_watch.TurnSight`.
        face: The face before it; empty when none is known.
        made: The turn that was made instead of the next one; empty when none was.
        show: Faces on which the next turn can be seen, the clearest first.
        lost: Why it sees nothing any more; empty as long as it does.
    """

    on: bool = True
    sight: str = ""
    face: str = ""
    made: str = ""
    show: tuple[str, ...] = ()
    lost: str = ""


class HandView(msgspec.Struct, frozen=True):
    """What there is to show.

    Attributes:
        phase: Where the person is.
        camera: Name of the camera.
        told: What to tell the person who shows faces.
        captured: Letters of the faces that are captured.
        wanted: Letter of the face to show; empty when none is wanted.
        progress: 0 to 1, how much of the holding still is done.
        seen: The face in the last picture.
        net: The cube as far as it was seen.
        corrected: What a person said of it.
        attention: Why the reading is not trusted; None when it is, or there is none.
        way: The turns; None before they are known.
        followed: What the camera makes of them.
    """

    phase: HandPhase = HandPhase.SCAN
    camera: str = ""
    told: ShownGuidance = ShownGuidance()
    captured: tuple[str, ...] = ()
    wanted: str = ""
    progress: float = 0.0
    seen: tuple[Outline, ...] = ()
    net: HandNet = HandNet()
    corrected: HandCorrection = HandCorrection()
    attention: Attention | None = None
    way: HandTurns | None = None
    followed: Followed = Followed()
