"""Why a reading is not trusted, and what to do next, in words."""

from cube.errors import ThistlebotError
from cube.facelets import SOLVED_FACELETS, facelets_text
from thistlebot.errors import MisreadError, NotVerifiedError, UnsolvableCubeError
from vision.colours.scheme import looks_mirrored
from vision.errors import CameraError
from vision.reading import CubeReading, MistakeKind, ReadingState


def refusal(reading: CubeReading) -> ThistlebotError:
    """Return the error that a reading ends with that is not accepted.

    Two readings that agree on a mis-assembled cube make it an `UnsolvableCubeError`, everything
    else is a `MisreadError`.
    """
    if reading.state is ReadingState.MISASSEMBLED:
        return UnsolvableCubeError(misread_text(reading), reading.problems)
    return MisreadError(misread_text(reading), reading.reread)


def require_solved(reading: CubeReading) -> None:
    """Refuse a reading after turning that does not show the solved cube.

    Raises:
        NotVerifiedError: It shows another cube, or is not to be trusted.
    """
    if reading.facelets is None:
        raise not_seen(reading)
    if reading.facelets != SOLVED_FACELETS:
        raise NotVerifiedError(
            "the moves were made, but the cube is not solved: a face may have slipped; "
            f"it shows {reading.facelets.text}"
        )


def not_seen(cause: CubeReading | CameraError) -> NotVerifiedError:
    """Return the error of a cube that was turned, and not seen well enough afterwards.

    Args:
        cause: The reading that is not to be trusted, or why there is none.
    """
    if isinstance(cause, CameraError):
        why = f"the cube was not seen afterwards: {cause}"
    else:
        doubtful = f" {', '.join(cause.reread)} of" if cause.reread else ""
        why = (
            f"the picture afterwards is not to be trusted, and{doubtful} the cube stays in doubt: "
            f"{misread_text(cause)}"
        )
    return NotVerifiedError(
        f"the moves were made, but {why}. Then look with `thistlebot scan`; if the cube is not "
        "as it was to be, run `thistlebot solve`"
    )


def misread_text(reading: CubeReading) -> str:
    """Say why a reading is not trusted and what to do next."""
    if reading.mirrored:
        # Photos in any order tell it by the centres, and those may be so.
        by_centres = reading.scheme and looks_mirrored([colour for _, colour in reading.scheme])
        owner = ""
        if by_centres:
            owner = "; if these are the colours of your cube, name them with --scheme"
        return (
            "the pictures are mirror images: corners go round the wrong way. Switch off mirroring "
            f"in the camera's settings, or take the photos with the other camera{owner}"
        )
    laws = "; ".join(problem.text for problem in reading.problems)
    if reading.state is ReadingState.MISASSEMBLED:
        return f"two readings agree: this cube was assembled wrongly: {laws}. {_mend(reading)}"
    if reading.state is ReadingState.AMBIGUOUS:
        return (
            f"{1 + len(reading.alternatives)} different cubes look like this when faces may be "
            "turned. Show the faces upright, as in the usual net"
        )
    if reading.mistake is not None:
        return f"{reading.mistake.text}. {_remedy(reading)}"
    if reading.suspicion is not None:
        why = f"perhaps the cube was assembled wrongly: {laws}. A second reading would tell"
    elif laws:
        why = laws
    else:
        why = f"two cubes fit these colours almost equally well (margin {reading.margin:.1f})"
    if reading.unseen:
        why += f"; nothing was seen of {facelets_text(reading.unseen)}"
    faces = ", ".join(reading.reread)
    what = f"show {faces} again" if faces else "show the cube again"
    return f"{why}. {what[0].upper()}{what[1:]}, in more even light if you can"


_REMEDIES = {
    MistakeKind.TURNED: "show it upright, as in the usual net, or say --any-orientation",
    MistakeKind.EXCHANGED: "show each face by its own name, or say --any-order",
    MistakeKind.DOUBLED: "show both faces again, and turn the cube between them",
    MistakeKind.MIRRORED: "take it again with the camera that took the others",
    MistakeKind.FOREIGN: "show that face again",
    MistakeKind.CHANNELS: "change the camera's format, or the program that sends its pictures",
}


def _remedy(reading: CubeReading) -> str:
    """Say what to do about a mistake; `scan --edit` takes a sure reading without it."""
    if reading.mistake is None:
        return ""
    remedy = _REMEDIES[reading.mistake.kind]
    if reading.instead is None or not reading.instead.accepted:
        return remedy[0].upper() + remedy[1:]
    return f"Read so, the cube is sure: take it with scan --edit, or {remedy}"


_MENDING = {
    "corner-twist": "twist a corner back in its place",
    "edge-flip": "take an edge out and put it back the other way round",
    "parity": "exchange two edges",
}


def _mend(reading: CubeReading) -> str:
    """Say what the hand must do before any turns can solve the cube."""
    steps = [_MENDING[p.law] for p in reading.problems if p.law in _MENDING]
    text = ", and ".join(steps) or "put it together anew"
    return f"{text[0].upper()}{text[1:]}, then scan again"
