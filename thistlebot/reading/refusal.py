"""Why a reading is not trusted, and what to do, in words."""

from cube.errors import ThistlebotError
from cube.facelets import SOLVED_FACELETS, facelets_text
from cube.state import CubeState
from thistlebot.errors import MisreadError, NotVerifiedError, UnsolvableCubeError
from vision.colours.scheme import looks_mirrored
from vision.errors import CameraError
from vision.reading import CubeReading, MistakeKind, ReadingState


def refusal(reading: CubeReading) -> ThistlebotError:
    """Return the error for a reading that is not accepted.

    Two readings that agree on a mis-assembled cube give an `UnsolvableCubeError`, everything else a
    `MisreadError`.
    """
    if reading.state is ReadingState.MISASSEMBLED:
        return UnsolvableCubeError(misread_text(reading), reading.problems)
    return MisreadError(misread_text(reading), reading.reread)


def state_of(reading: CubeReading) -> CubeState:
    """Return the state that a reading shows.

    Raises:
        ThistlebotError: It is not trusted; see `refusal`.
    """
    if reading.facelets is None:
        raise refusal(reading)
    return CubeState.from_facelets(reading.facelets)


def require_solved(reading: CubeReading) -> None:
    """Refuse a reading after turning that does not show the solved cube.

    Raises:
        NotVerifiedError: It shows another cube, or is not trusted.
    """
    if reading.facelets is None:
        raise not_seen(reading)
    if reading.facelets != SOLVED_FACELETS:
        raise NotVerifiedError(
            "the moves were made, but the cube is not solved: a motor may have lost steps; "
            f"the cube shows {reading.facelets.text}"
        )


def not_seen(cause: CubeReading | CameraError) -> NotVerifiedError:
    """Return the error for a cube that was turned, but not seen well enough afterwards."""
    if isinstance(cause, CameraError):
        why = f"the camera did not see the cube afterwards: {cause}"
    else:
        doubtful = f" {', '.join(cause.reread)} of" if cause.reread else ""
        why = (
            f"the picture taken afterwards is unreliable, and{doubtful} the cube is "
            f"uncertain: {misread_text(cause)}"
        )
    return NotVerifiedError(
        f"the moves were made, but {why}. Check the cube with `thistlebot scan`; if it is not "
        "in the target state, run `thistlebot solve`"
    )


def not_following() -> NotVerifiedError:
    """Return the error for a cube whose pictures may be from before the turns."""
    return NotVerifiedError(
        "the moves were made and the pictures show the cube as wanted, but they may be old: a face "
        "was turned there and back, and the cameras did not show it. Check that the cameras see "
        "this rig, and that their pictures are not seconds late; then run `thistlebot solve` again"
    )


def misread_text(reading: CubeReading) -> str:
    """Return why a reading is not trusted, and what to do."""
    if reading.mirrored:
        # Photos in any order are judged by the centres, and those may be mirrored.
        by_centres = reading.scheme and looks_mirrored([colour for _, colour in reading.scheme])
        owner = ""
        if by_centres:
            owner = "; if these are the colours of your cube, give them with --scheme"
        return (
            "the pictures are mirror images: the corners' colours are in reverse order. Turn "
            "off mirroring in the camera's settings, or take the photos with the other "
            f"camera{owner}"
        )
    laws = "; ".join(problem.text for problem in reading.problems)
    if reading.state is ReadingState.MISASSEMBLED:
        return (
            f"two readings agree that this cube was assembled incorrectly: {laws}. {_mend(reading)}"
        )
    if reading.state is ReadingState.AMBIGUOUS:
        return (
            f"{1 + len(reading.alternatives)} different cubes look like this if faces may be "
            "rotated. Show the faces upright, as in the usual net"
        )
    if reading.mistake is not None:
        return f"{reading.mistake.text}. {_remedy(reading)}"
    if reading.suspicion is not None:
        why = (
            f"the cube may have been assembled incorrectly: {laws}. A second reading can confirm it"
        )
    elif laws:
        why = laws
    else:
        why = f"two cubes match these colours almost equally well (margin {reading.margin:.1f})"
    if reading.unseen:
        why += f"; {facelets_text(reading.unseen)} could not be seen"
    faces = ", ".join(reading.reread)
    what = f"show {faces} again" if faces else "show the cube again"
    return f"{why}. {what[0].upper()}{what[1:]}, in more even light if possible"


_REMEDIES = {
    MistakeKind.TURNED: "show it upright, as in the usual net, or use --any-orientation",
    MistakeKind.EXCHANGED: "show each face under its own name, or use --any-order",
    MistakeKind.DOUBLED: "show both faces again, and turn the cube between them",
    MistakeKind.MIRRORED: "take it again with the camera that took the others",
    MistakeKind.FOREIGN: "show that face again",
}


def _remedy(reading: CubeReading) -> str:
    """Return what to do about a mistake."""
    if reading.mistake is None:
        return ""
    remedy = _REMEDIES[reading.mistake.kind]
    return remedy[0].upper() + remedy[1:]


_MENDING = {
    "corner-twist": "twist a corner back in place",
    "edge-flip": "take an edge out and put it back the other way round",
    "parity": "swap two edges",
}


def _mend(reading: CubeReading) -> str:
    """Return what to repair by hand before turns can solve the cube."""
    steps = [_MENDING[p.law] for p in reading.problems if p.law in _MENDING]
    text = ", and ".join(steps) or "reassemble it"
    return f"{text[0].upper()}{text[1:]}, then scan again"
