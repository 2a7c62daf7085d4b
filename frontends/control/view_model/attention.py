"""Explains why the user must act: what to look at, the reason, and what to do.

Made from the session's events by pure functions: `noticed` keeps what the last event tells about
the cube, `concluded` combines it with the error of the run. Texts in other languages are in the
table ``attention`` of `thistlebot.words`, by `Attention.kind`.
"""

from collections.abc import Sequence
from enum import StrEnum

import msgspec

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
    """The kinds of messages; each has a text in the table ``attention`` of `thistlebot.words`."""

    REREAD = "reread"
    EXCHANGED = "exchanged"
    TURNED = "turned"
    DOUBLED = "doubled"
    MIRRORED = "mirrored"
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
    """The effect of one button; the first of several is the recommended one."""

    LOOK_AGAIN = "look_again"
    TAKE_INSTEAD = "take_instead"
    CORRECT = "correct"
    PROCEED = "proceed"
    ALIGNED = "aligned"
    CLEAR = "clear"


class Attention(msgspec.Struct, frozen=True):
    """Why the user must act.

    Attributes:
        kind: The kind.
        faces: Letters of the faces concerned.
        colours: Colour names of the centres of those faces, if known.
        parts: The pieces of the cube, or the parts driven by motors, that are concerned.
        text: The complete message, in English; empty as long as the run goes on.
        look: Number of the look that shows it; None for no picture.
        actions: The possible actions.
    """

    kind: AttentionKind
    faces: tuple[str, ...] = ()
    colours: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    text: str = ""
    look: int | None = None
    actions: tuple[AttentionAction, ...] = (AttentionAction.CLEAR,)


# The message for each broken law; the most serious comes first.
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
    """Return what is known about the cube after one more event of a run.

    Args:
        before: What was known; None at the beginning of a run.
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
    """Return why the user must act after a run that ended with an error.

    Args:
        seen: The last result of `noticed`.
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
    """Return why a reading is not trusted; None if it is.

    Args:
        reading: The reading.
        look: Number of the look; None if its pictures are not stored.
    """
    if reading.accepted:
        return None
    scheme, mistake = reading.scheme, reading.mistake
    if reading.mirrored:
        return _about(AttentionKind.MIRRORED, FACES, scheme, look)
    if reading.state == ReadingState.MISASSEMBLED:
        kind, parts = _law(reading.problems)
        return _about(kind, (), scheme, look, parts=parts)
    if mistake is not None:
        sure = (AttentionAction.TAKE_INSTEAD,) if mistake.instead else ()
        kind = AttentionKind(mistake.kind)
        return _about(kind, mistake.faces, scheme, look, actions=(*sure, *_MISREAD))
    return _about(AttentionKind.REREAD, reading.reread, scheme, look)


def said(attention: Attention, words: Words) -> str:
    """Return in one sentence of a language why the user must act."""
    faces = [f"{face} ({words(f'cube.{colour}')})" for face, colour in _coloured(attention)]
    key = f"attention.{attention.kind}"
    empty = f"{key}_{'all' if attention.kind is AttentionKind.REREAD else 'alone'}"
    needed = attention.faces if attention.kind is AttentionKind.REREAD else attention.parts
    values = {"faces": ", ".join(faces), "parts": ", ".join(attention.parts)}
    return words(empty if words.has(empty) and not needed else key, **values)


def _coloured(attention: Attention) -> list[tuple[str, str]]:
    """Return the faces and their colours; a face of unknown colour gets its usual name."""
    colours = attention.colours
    if len(colours) != len(attention.faces):
        colours = tuple(WESTERN_SCHEME[face] for face in attention.faces)
    return list(zip(attention.faces, colours, strict=True))


def of_light(profile: str, drift: float) -> Attention:
    """Return the message that the light has changed.

    Args:
        profile: Name of the profile that no longer matches.
        drift: The change, ΔE.
    """
    text = f"the light has changed since profile {profile!r} was made (ΔE {drift:.0f})"
    return Attention(
        AttentionKind.LIGHT,
        parts=(profile,),
        text=text,
        actions=(AttentionAction.PROCEED, AttentionAction.CLEAR),
    )


def _about(
    kind: AttentionKind,
    faces: Sequence[str],
    scheme: dict[str, str],
    look: int | None,
    *,
    parts: tuple[str, ...] = (),
    actions: tuple[AttentionAction, ...] = _MISREAD,
) -> Attention:
    named = tuple(faces)
    colours = tuple(scheme[face] for face in named if face in scheme)
    return Attention(kind, named, colours, parts, look=look, actions=actions)


def _unsolved(look: int) -> Attention:
    """Return the message for a cube that is certainly not at its target."""
    return Attention(AttentionKind.SLIPPED, look=look, actions=(AttentionAction.LOOK_AGAIN,))


def _slipped(told: Diagnosed, before: Attention | None) -> Attention:
    faces, parts = _named(told.blamed)
    look = None if before is None else before.look
    return Attention(
        AttentionKind.SLIPPED,
        faces,
        parts=parts,
        look=look,
        actions=(AttentionAction.LOOK_AGAIN,),
    )


def _named(movers: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the letters of the faces among driven parts, and all parts, faces by letter."""
    parts = tuple(name.removeprefix("face ").removeprefix("motor ") for name in movers)
    return tuple(name for name in parts if name in tuple(FACES)), parts


def _law(problems: tuple[Problem, ...]) -> tuple[AttentionKind, tuple[str, ...]]:
    """Return the broken law, and the pieces; the first in the order of `_BY_LAW`."""
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
