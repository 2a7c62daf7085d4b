"""What a front end asks of the machine: values that are JSON as they stand.

docs/panel.md lists them. A front end sends an `Order`; what it holds is one of `Command`.
"""

import msgspec

from thistlebot.control.calibrate_commands import CalibrateCommand
from thistlebot.errors import UsageError


class Solve(msgspec.Struct, frozen=True, tag_field="command", tag="solve"):
    """Read the cube, bring it to a target and look again.

    Attributes:
        target: Name of a pattern, or 54 letters; empty for the solved cube.
        dry_run: Read and plan only; nothing is turned.
    """

    target: str = ""
    dry_run: bool = False


class Scramble(msgspec.Struct, frozen=True, tag_field="command", tag="scramble"):
    """Turn a random scramble."""


class Turn(msgspec.Struct, frozen=True, tag_field="command", tag="turn"):
    """Turn the given moves.

    Attributes:
        moves: In Singmaster notation.
    """

    moves: str


class Look(msgspec.Struct, frozen=True, tag_field="command", tag="look"):
    """Read the cube; on a rig that moves it for that, it is put back."""


class Remember(msgspec.Struct, frozen=True, tag_field="command", tag="remember"):
    """Read the cube and remember it, to copy it later."""


class Copy(msgspec.Struct, frozen=True, tag_field="command", tag="copy"):
    """Make the cube in the rig look like the one that is remembered."""


class PutIn(msgspec.Struct, frozen=True, tag_field="command", tag="put_in"):
    """Put another cube into a virtual rig, as a person would into a real one."""


class Resume(msgspec.Struct, frozen=True, tag_field="command", tag="resume"):
    """Finish the program that was cut off."""


class Dismiss(msgspec.Struct, frozen=True, tag_field="command", tag="dismiss"):
    """Put what asks for attention away; nothing moves."""


class TellSticker(msgspec.Struct, frozen=True, tag_field="command", tag="tell_sticker"):
    """Say what colour a sticker of the last reading has.

    Attributes:
        sticker: Its name, such as ``F3``.
        face: The face, URFDLB, whose centre has that colour.
    """

    sticker: str
    face: str


class TurnFace(msgspec.Struct, frozen=True, tag_field="command", tag="turn_face"):
    """Say that a face of the last reading was shown turned.

    Attributes:
        face: One of URFDLB.
        quarters: Quarter turns clockwise that put it right.
    """

    face: str
    quarters: int


class ExchangeFaces(msgspec.Struct, frozen=True, tag_field="command", tag="exchange_faces"):
    """Say that two faces of the last reading were exchanged."""

    one: str
    other: str


class UndoCorrection(msgspec.Struct, frozen=True, tag_field="command", tag="undo_correction"):
    """Take the last correction back."""


class TakeInstead(msgspec.Struct, frozen=True, tag_field="command", tag="take_instead"):
    """Take the reading that is sure once a mistake is undone, such as two faces exchanged."""


class GoOn(msgspec.Struct, frozen=True, tag_field="command", tag="go_on"):
    """Go on with the corrected reading, once it is sure: what was asked for is done now."""


class HandBegin(msgspec.Struct, frozen=True, tag_field="command", tag="hand_begin"):
    """Guide a person who solves a cube by hand before a camera; the rig does nothing.

    Attributes:
        camera: As of ``--camera``; empty for the first one that the program was started with, or
            the first webcam.
    """

    camera: str = ""


class HandCapture(msgspec.Struct, frozen=True, tag_field="command", tag="hand_capture"):
    """Take the face that is before the camera at once."""


class HandRedo(msgspec.Struct, frozen=True, tag_field="command", tag="hand_redo"):
    """Show a face, one of URFDLB, once more; or all six.

    Attributes:
        face: Its letter; empty for all.
    """

    face: str = ""


class HandNext(msgspec.Struct, frozen=True, tag_field="command", tag="hand_next"):
    """The turn that was asked for is made."""


class HandBack(msgspec.Struct, frozen=True, tag_field="command", tag="hand_back"):
    """The last turn was not made."""


class HandFollow(msgspec.Struct, frozen=True, tag_field="command", tag="hand_follow"):
    """Let the camera see the turns, or not."""

    on: bool


class HandEnd(msgspec.Struct, frozen=True, tag_field="command", tag="hand_end"):
    """End solving by hand."""


Command = (
    Solve
    | Scramble
    | Turn
    | Look
    | Remember
    | Copy
    | PutIn
    | Resume
    | Dismiss
    | TellSticker
    | TurnFace
    | ExchangeFaces
    | UndoCorrection
    | TakeInstead
    | GoOn
    | HandBegin
    | HandCapture
    | HandRedo
    | HandNext
    | HandBack
    | HandFollow
    | HandEnd
    | CalibrateCommand
)


class Order(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command on its way.

    Attributes:
        id: The sender's number for it; the answer repeats it.
        sent_s: When it was given, seconds on the server's clock as the sender reckons it.
        do: The command.
        lease: The sender's lease.
        run: The run that the sender saw; None where it does not matter.
    """

    id: int
    sent_s: float
    do: Command
    lease: str = ""
    run: int | None = None


def decode_order(line: bytes | str) -> Order:
    """Read an order.

    Raises:
        UsageError: It is none; the message says where.
    """
    try:
        order: Order = msgspec.json.decode(line, type=Order)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"this is no command: {error}; docs/panel.md lists them") from None
    return order
