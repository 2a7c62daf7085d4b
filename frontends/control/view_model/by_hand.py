"""The contents of the page By hand: the pane ``hand`` of the view, and its updates."""

from collections.abc import Mapping
from enum import StrEnum

import msgspec

from cube.facelets import facelet_name
from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from frontends.control.view_model.attention import Attention
from thistlebot.reading.corrections import Change, Corrections
from thistlebot.reading.hand_guide import GuideStep
from thistlebot.reading.hand_steps import HandSteps
from vision.live.step import Guidance
from vision.reading import CubeReading, FaceReading

CAMERA = 100
"""The number of the webcam for viewers; those of a rig are counted from 0."""
UNKNOWN = "?" * 54


class HandPhase(StrEnum):
    """The phase of a user who solves by hand."""

    SCAN = "scan"
    READ = "read"
    PLAN = "plan"
    TURN = "turn"
    DONE = "done"


_UNSEEN = "#ffffff"


class Outline(msgspec.Struct, frozen=True):
    """A sticker in a camera's picture.

    Attributes:
        facelet: Its name, or its place in the picture, ``1`` to ``9``, row by row.
        polygon: Its corners, pixels.
        colour: A name as in `cube.net.SCREEN_COLOURS`, or #rrggbb.
    """

    facelet: str
    polygon: tuple[tuple[float, float], ...]
    colour: str


class HandNet(msgspec.Struct, frozen=True):
    """The cube as far as it was seen.

    Attributes:
        facelets: 54 letters in the order URFDLB, ``?`` for unseen ones.
        scheme: Colour name of each face.
        confidence: Confidence of each sticker, 0 to 1; empty without a reading.
        doubtful: Stickers that were repaired or not seen.
        accepted: The reading is trusted.
    """

    facelets: str = UNKNOWN
    scheme: dict[str, str] = msgspec.field(default_factory=lambda: dict(WESTERN_SCHEME))
    confidence: tuple[float, ...] = ()
    doubtful: tuple[str, ...] = ()
    accepted: bool = False


class HandCorrection(msgspec.Struct, frozen=True):
    """The user's corrections of the reading.

    Attributes:
        possible: Whether there is a reading to correct, and nothing was turned since.
        count: Number of corrections that can be undone.
        changes: The effect of the last correction or undo.
        refused: Why the last one was refused, in English; empty if it was not.
    """

    possible: bool = False
    count: int = 0
    changes: tuple[Change, ...] = ()
    refused: str = ""


class HandTurns(msgspec.Struct, frozen=True):
    """The turns.

    Attributes:
        up: Colour name of the face to hold up.
        front: Colour name of the face to hold in front.
        known: Those colours were seen; otherwise they are the usual ones.
        moves: All turns.
        done: Number of turns made.
        facelets: The present state of the cube.
    """

    up: str
    front: str
    known: bool
    moves: tuple[str, ...]
    done: int
    facelets: str


class HandView(msgspec.Struct, frozen=True):
    """The contents of the page.

    Attributes:
        phase: The user's phase.
        camera: Name of the camera.
        told: The instruction for a user who shows faces.
        captured: Letters of the captured faces.
        wanted: Letter of the face to show; empty if there is none.
        progress: 0 to 1, progress of holding the face still.
        seen: The face in the last picture.
        net: The cube as far as it was seen.
        corrected: The user's corrections.
        attention: Why the reading is not trusted; None if it is, or if there is none.
        way: The turns; None before they are known.
    """

    phase: HandPhase = HandPhase.SCAN
    camera: str = ""
    told: Guidance = Guidance()
    captured: tuple[str, ...] = ()
    wanted: str = ""
    progress: float = 0.0
    seen: tuple[Outline, ...] = ()
    net: HandNet = HandNet()
    corrected: HandCorrection = HandCorrection()
    attention: Attention | None = None
    way: HandTurns | None = None


def hand_view(
    phase: HandPhase,
    camera: str,
    *,
    step: GuideStep,
    known: Mapping[str, str] | None = None,
    corrections: Corrections | None = None,
    refused: str = "",
    attention: Attention | None = None,
    steps: HandSteps | None = None,
    seen: FaceReading | None = None,
) -> HandView:
    """Build the contents of the page.

    Args:
        phase: The user's phase.
        camera: Name of the camera.
        step: The last step of the guide.
        known: The cube's colours, if given.
        corrections: The reading with its corrections; None without a reading.
        refused: Why the last correction was refused.
        attention: Why the reading is not trusted.
        steps: The turns; None before they are known.
        seen: The face in the last picture.
    """
    untouched = steps is None or steps.done == 0
    return HandView(
        phase=phase,
        camera=camera,
        told=step.told,
        captured=tuple(step.faces),
        wanted=step.wanted or "",
        progress=round(step.progress, 2),
        seen=() if seen is None else _outlines(seen),
        net=net_of_faces(step.faces, known) if corrections is None else _net(corrections.reading),
        corrected=_corrected(corrections, refused, possible=untouched),
        attention=attention,
        way=None if steps is None else _way(steps),
    )


def net_of_faces(faces: Mapping[str, tuple[str, ...]], known: Mapping[str, str] | None) -> HandNet:
    """Show the captured faces with the apparent colours of their stickers.

    Args:
        faces: The nine colour names of each face, by its letter.
        known: The cube's colours, if given; otherwise the usual letters represent colours.
    """
    scheme = dict(known or WESTERN_SCHEME)
    letters = {colour: face for face, colour in scheme.items()}
    unseen = ("",) * 9
    stickers = (colour for face in FACES for colour in faces.get(face, unseen))
    return HandNet("".join(letters.get(colour, "?") for colour in stickers), scheme)


def _outlines(face: FaceReading) -> tuple[Outline, ...]:
    return tuple(
        Outline(str(number), tuple(sticker.polygons[0]), sticker.colour or _UNSEEN)
        for number, sticker in enumerate(face.stickers, start=1)
        if sticker.polygons
    )


def _net(reading: CubeReading) -> HandNet:
    repaired = {facelet_name(repair.facelet) for repair in reading.repairs}
    return HandNet(
        reading.best.text,
        dict(reading.scheme) or dict(WESTERN_SCHEME),
        tuple(round(sticker.confidence, 3) for sticker in reading.stickers),
        tuple(sorted(repaired | set(reading.unseen))),
        reading.accepted,
    )


def _corrected(corrections: Corrections | None, refused: str, *, possible: bool) -> HandCorrection:
    if corrections is None:
        return HandCorrection()
    return HandCorrection(possible, len(corrections.earlier), corrections.changes, refused)


def _way(steps: HandSteps) -> HandTurns:
    hold = steps.hold
    moves = tuple(str(step.move) for step in steps.steps)
    return HandTurns(hold.up, hold.front, hold.known, moves, steps.done, steps.shown.text)
