"""What to tell a person who holds the faces of a cube before a camera."""

from collections.abc import Mapping, Sequence

FACE_NAMES = {"U": "top", "R": "right", "F": "front", "D": "bottom", "L": "left", "B": "back"}
# The neighbour of each face that must be on top so that the picture lies as in the usual net.
_ON_TOP = {"F": "U", "R": "U", "B": "U", "L": "U", "U": "B", "D": "F"}


def instruction_any(colour: str, shown: int) -> str:
    """Say which face to show when they come in any order.

    Args:
        colour: Of the centre of a face that is wanted again; empty for one that was not shown yet.
        shown: How many were shown.
    """
    if colour:
        return f"Show the face with the {colour} centre again, a little otherwise than before."
    return f"Show any face that you have not shown yet, whichever way up ({shown} of 6 are done)."


def instruction(face: str, scheme: Mapping[str, str]) -> str:
    """Say how to show a face so that the picture lies as in the usual net.

    Args:
        face: Its letter.
        scheme: Face letter to the colour name of its centre; empty when they are unknown.
    """
    top = _ON_TOP[face]
    if not scheme:
        return f"Show the {FACE_NAMES[face]} face, the {FACE_NAMES[top]} face upwards."
    return f"Show the {FACE_NAMES[face]} face ({scheme[face]} centre), {scheme[top]} upwards."


def instruction_again(face: str, scheme: Mapping[str, str], others: Sequence[str]) -> str:
    """Say how to give one more look at a face, and which other faces still matter."""
    names = ", ".join(FACE_NAMES[other] for other in others)
    also = f" Others that still matter: {names}." if names else ""
    return f"{instruction(face, scheme)} Tilt it a little otherwise than before.{also}"
