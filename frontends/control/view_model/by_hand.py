"""What the page By hand shows: the pane ``hand`` of the view, and how it is told."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

import msgspec

from cube.facelets import facelet_name
from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from frontends.control.view_model.attention import Attention
from thistlebot.reading.corrections import Change, Corrections
from thistlebot.reading.hand_guide import GuideStep
from thistlebot.reading.hand_steps import HandSteps
from thistlebot.reading.turn_watch import TurnSight, WatchStep
from vision.live.step import Guidance, Instruction
from vision.reading import CubeReading, FaceReading

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
    changes: tuple[Change, ...] = ()
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
        sight: One of `thistlebot.reading.turn_watch.TurnSight`.
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


_STEADY = 3
"""So many pictures in a row must say the same before a person reads it."""


@dataclass(slots=True)
class SteadySight:
    """What the camera makes of a turn, as calm as a person can read it."""

    shown: WatchStep = field(default_factory=lambda: WatchStep(TurnSight.NOTHING))
    _next: WatchStep = field(default_factory=lambda: WatchStep(TurnSight.NOTHING))
    _count: int = 0

    def take(self, step: WatchStep) -> None:
        """Take what one picture shows."""
        same = (step.sight, step.face) == (self._next.sight, self._next.face)
        self._count = self._count + 1 if same else 1
        self._next = step
        if self._count >= _STEADY:
            self.shown = step


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
    followed: Followed | None = None,
) -> HandView:
    """Put together what there is to show.

    Args:
        phase: Where the person is.
        camera: Name of the camera.
        step: What the guide said last.
        known: The cube's colours, if somebody told them.
        corrections: The reading and what was said of it; None before there is one.
        refused: Why the last correction was not taken.
        attention: Why the reading is not trusted.
        steps: The turns; None before they are known.
        seen: The face in the last picture.
        followed: What the camera makes of the turns.
    """
    untouched = steps is None or steps.done == 0
    return HandView(
        phase=phase,
        camera=camera,
        told=told_of(step.told),
        captured=tuple(step.faces),
        wanted=step.wanted or "",
        progress=round(step.progress, 2),
        seen=() if seen is None else _outlines(seen),
        net=net_of_faces(step.faces, known) if corrections is None else _net(corrections.reading),
        corrected=_corrected(corrections, refused, possible=untouched),
        attention=attention,
        way=None if steps is None else _way(steps),
        followed=followed or Followed(),
    )


def net_of_faces(faces: Mapping[str, tuple[str, ...]], known: Mapping[str, str] | None) -> HandNet:
    """Show the faces that are captured, by what each sticker looks like.

    Args:
        faces: Letter to nine colour names.
        known: The cube's colours, if somebody told them; else the usual letters stand for colours.
    """
    scheme = dict(known or WESTERN_SCHEME)
    letters = {colour: face for face, colour in scheme.items()}
    unseen = ("",) * 9
    stickers = (colour for face in FACES for colour in faces.get(face, unseen))
    return HandNet("".join(letters.get(colour, "?") for colour in stickers), scheme)


def follow_of(steady: SteadySight, *, on: bool, lost: str) -> Followed:
    """Say what the camera makes of the turns.

    Args:
        steady: What it saw.
        on: It is to see them.
        lost: Why it sees nothing any more.
    """
    step = steady.shown
    made = "" if step.made is None else str(step.made)
    return Followed(on, step.sight if on else "", step.face, made, step.show, lost)


def told_of(told: Guidance) -> ShownGuidance:
    """Return what a guide says as a value that is JSON as it stands."""
    asked = None if told.instruction is None else _asked(told.instruction)
    return ShownGuidance(told.remark or "", told.face, told.colour, told.guessed, asked)


def _asked(asked: Instruction) -> ShownInstruction:
    return ShownInstruction(
        asked.ask, asked.face, asked.colour, asked.top, asked.top_colour, asked.others
    )


def _outlines(face: FaceReading) -> tuple[Outline, ...]:
    return tuple(
        Outline(str(number), tuple(sticker.polygons[0]), sticker.colour)
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
    strays = tuple(number for number, step in enumerate(steps.steps) if not step.planned)
    hold = steps.hold
    moves = tuple(str(step.move) for step in steps.steps)
    return HandTurns(hold.up, hold.front, hold.known, moves, strays, steps.done, steps.shown.text)
