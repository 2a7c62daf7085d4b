"""Why a person is needed: what to look at, the reason, and what to do, instead of an error.

Made from the session's events by pure functions: `noticed` keeps what the last of them says of the
cube, `concluded` joins it with the error that a run ends with. Texts in other languages are those
of the table ``attention`` in `thistlebot.words`, by `Attention.kind`.
"""

from collections.abc import Sequence
from enum import StrEnum

import msgspec

from cube.facelets import facelets_text
from cube.moves import FACES
from cube.net import WESTERN_SCHEME
from cube.pieces import Problem
from robot.errors import EmergencyStopError, LinkError, NotAlignedError
from thistlebot.errors import MisreadError, NotVerifiedError, StoppedError, UnsolvableCubeError
from thistlebot.events import Diagnosed, Event, Read, Verified
from thistlebot.records import ErrorRecord, ReadingRecord
from thistlebot.words.words import Words
from vision.errors import CameraError
from vision.reading import ReadingState


class AttentionKind(StrEnum):
    """What there is to say; a text of the table ``attention`` in `thistlebot.words` each."""

    REREAD = "reread"
    EXCHANGED = "exchanged"
    TURNED = "turned"
    DOUBLED = "doubled"
    MIRRORED = "mirrored"
    CHANNELS = "channels"
    FOREIGN = "foreign"
    TWISTED = "twisted"
    FLIPPED = "flipped"
    PARITY = "parity"
    PIECES = "pieces"
    LIGHT = "light"
    SLIPPED = "slipped"
    STALLED = "stalled"
    ASKEW = "askew"
    EMERGENCY_STOP = "emergency_stop"
    CAMERA = "camera"
    LINK = "link"
    STOPPED = "stopped"
    OTHER = "other"


class AttentionAction(StrEnum):
    """What one button does about it; the first of several is the one to offer."""

    LOOK_AGAIN = "look_again"
    TAKE_INSTEAD = "take_instead"
    CORRECT = "correct"
    GO_ON = "go_on"
    ALIGNED = "aligned"
    CLEAR = "clear"


class Attention(msgspec.Struct, frozen=True):
    """Why a person is needed.

    Attributes:
        kind: What it is.
        faces: Letters of the faces that it concerns.
        colours: Colour names of the centres of those faces, where they are known.
        parts: The pieces of the cube, or what the motors turn, that it concerns.
        text: All about it, in English.
        look: Number of the look that shows it; None when no picture does.
        actions: What can be done.
    """

    kind: AttentionKind
    faces: tuple[str, ...] = ()
    colours: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    text: str = ""
    look: int | None = None
    actions: tuple[AttentionAction, ...] = (AttentionAction.CLEAR,)


# What is broken, by the law that says so; the gravest comes first.
_BY_LAW = {
    "corner-twist": AttentionKind.TWISTED,
    "edge-flip": AttentionKind.FLIPPED,
    "parity": AttentionKind.PARITY,
    "counts": AttentionKind.PIECES,
    "pieces": AttentionKind.PIECES,
}
_ABOUT_CUBE = (MisreadError, UnsolvableCubeError, NotVerifiedError)
_BY_ERROR = {
    EmergencyStopError: AttentionKind.EMERGENCY_STOP,
    NotAlignedError: AttentionKind.ASKEW,
    CameraError: AttentionKind.CAMERA,
    LinkError: AttentionKind.LINK,
    StoppedError: AttentionKind.STOPPED,
    NotVerifiedError: AttentionKind.SLIPPED,
}
_FIRST_ACTION = {
    AttentionKind.STALLED: AttentionAction.LOOK_AGAIN,
    AttentionKind.SLIPPED: AttentionAction.LOOK_AGAIN,
    AttentionKind.STOPPED: AttentionAction.LOOK_AGAIN,
    AttentionKind.CAMERA: AttentionAction.LOOK_AGAIN,
    AttentionKind.ASKEW: AttentionAction.ALIGNED,
}
_MISREAD = (AttentionAction.LOOK_AGAIN, AttentionAction.CORRECT)


def noticed(before: Attention | None, told: Event) -> Attention | None:
    """Return what is known of the cube after one more event of a run.

    Args:
        before: What was known; None at the begin of a run.
        told: The event.
    """
    match told:
        case Read(look, reading):
            return of_reading(reading, look)
        case Verified(look, reading, _, reached):
            return None if reached else of_reading(reading, look) or _unsolved(look)
        case Diagnosed():
            return _slipped(told, before)
        case _:
            return before


def concluded(seen: Attention | None, error: ErrorRecord) -> Attention:
    """Say why a person is needed when a run has ended by an error.

    Args:
        seen: What `noticed` came to.
        error: The error.
    """
    text = error.text
    if seen is not None and issubclass(error.kind, _ABOUT_CUBE):
        return msgspec.structs.replace(seen, text=text)
    if issubclass(error.kind, MisreadError):
        return Attention(AttentionKind.REREAD, error.reread or (), text=text, actions=_MISREAD)
    if issubclass(error.kind, UnsolvableCubeError):
        kind, parts = _law(error.problems or ())
        return Attention(kind, parts=parts, text=text, actions=_MISREAD)
    kind = _kind_of(error)
    faces, parts = _named(error.parts or ())
    first = (_FIRST_ACTION[kind],) if kind in _FIRST_ACTION else ()
    actions = (*first, AttentionAction.CLEAR)
    return Attention(kind, faces, parts=parts, text=text, actions=actions)


def of_reading(reading: ReadingRecord, look: int | None) -> Attention | None:
    """Say why a reading is not trusted; None when it is.

    Args:
        reading: The reading.
        look: Number of the look; None where its pictures are not kept.
    """
    if reading.accepted:
        return None
    scheme, mistake = reading.scheme, reading.mistake
    if reading.mirrored:
        return _about(AttentionKind.MIRRORED, FACES, scheme, look, "the pictures are mirror images")
    if reading.state == ReadingState.MISASSEMBLED:
        kind, parts = _law(reading.problems)
        laws = "; ".join(each.text for each in reading.problems)
        text = f"this cube was assembled incorrectly: {laws}"
        return _about(kind, (), scheme, look, text, parts=parts)
    if mistake is not None:
        sure = (AttentionAction.TAKE_INSTEAD,) if mistake.instead else ()
        actions = (*sure, *_MISREAD)
        kind = AttentionKind(mistake.kind)
        return _about(kind, mistake.faces, scheme, look, mistake.text, actions=actions)
    faces = reading.reread
    text = f"show {', '.join(faces)} again" if faces else "show the cube again"
    if reading.unseen:
        text += f"; {facelets_text(reading.unseen)} could not be seen"
    return _about(AttentionKind.REREAD, faces, scheme, look, text)


def said(attention: Attention, words: Words) -> str:
    """Say in one sentence of a language why a person is needed."""
    faces = [f"{face} ({words(f'cube.{colour}')})" for face, colour in _coloured(attention)]
    key = f"attention.{attention.kind}"
    empty = f"{key}_{'all' if attention.kind is AttentionKind.REREAD else 'alone'}"
    needed = attention.faces if attention.kind is AttentionKind.REREAD else attention.parts
    values = {"faces": ", ".join(faces), "parts": ", ".join(attention.parts)}
    return words(empty if words.has(empty) and not needed else key, **values)


def _coloured(attention: Attention) -> list[tuple[str, str]]:
    """Return the faces and their colours; a face whose colour is unknown is named as usual."""
    colours = attention.colours
    if len(colours) != len(attention.faces):
        colours = tuple(WESTERN_SCHEME[face] for face in attention.faces)
    return list(zip(attention.faces, colours, strict=True))


def of_light(profile: str, drift: float) -> Attention:
    """Say that the light has changed.

    Args:
        profile: Name of the profile that no longer fits.
        drift: By how much, ΔE.
    """
    text = f"the light has changed since profile {profile!r} was made (ΔE {drift:.0f})"
    return Attention(
        AttentionKind.LIGHT,
        parts=(profile,),
        text=text,
        actions=(AttentionAction.GO_ON, AttentionAction.CLEAR),
    )


def _about(
    kind: AttentionKind,
    faces: Sequence[str],
    scheme: dict[str, str],
    look: int | None,
    text: str,
    *,
    parts: tuple[str, ...] = (),
    actions: tuple[AttentionAction, ...] = _MISREAD,
) -> Attention:
    named = tuple(faces)
    colours = tuple(scheme[face] for face in named if face in scheme)
    return Attention(kind, named, colours, parts, text, look, actions)


def _unsolved(look: int) -> Attention:
    """The cube was seen for sure, and elsewhere than it was to be."""
    text = "the moves were made, but the cube is not in the target state"
    return Attention(
        AttentionKind.SLIPPED, text=text, look=look, actions=(AttentionAction.LOOK_AGAIN,)
    )


def _slipped(told: Diagnosed, before: Attention | None) -> Attention:
    faces, parts = _named(told.blamed)
    look = None if before is None else before.look
    return Attention(
        AttentionKind.SLIPPED,
        faces,
        parts=parts,
        text=told.text,
        look=look,
        actions=(AttentionAction.LOOK_AGAIN,),
    )


def _named(movers: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the letters of the faces among what motors move, and all of it, faces by letter."""
    parts = tuple(name.removeprefix("face ").removeprefix("motor ") for name in movers)
    return tuple(name for name in parts if name in tuple(FACES)), parts


def _law(problems: tuple[Problem, ...]) -> tuple[AttentionKind, tuple[str, ...]]:
    """Return which law is broken, and by which pieces; the first in the order of `_BY_LAW`."""
    broken = {each.law: each.pieces for each in reversed(problems)}
    found = next((law for law in _BY_LAW if law in broken), None)
    return (AttentionKind.OTHER, ()) if found is None else (_BY_LAW[found], broken[found])


def _kind_of(error: ErrorRecord) -> AttentionKind:
    if error.fault == "stall":
        return AttentionKind.STALLED
    if error.fault == "estop":
        return AttentionKind.EMERGENCY_STOP
    kinds = (kind for parent, kind in _BY_ERROR.items() if issubclass(error.kind, parent))
    return next(kinds, AttentionKind.OTHER)
