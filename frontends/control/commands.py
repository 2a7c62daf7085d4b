"""The commands of a front end to the machine: values in JSON form.

docs/http.md describes them. A front end sends an `Order`; what it holds is one of `Command`.

Also the commands of the page Calibrate.
"""

import re

import msgspec

from thistlebot.errors import UsageError


def _tag(name: str) -> str:
    """Return the name of a command for the name of its class: ``measure_colours``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class _Command(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="command", tag=_tag
):
    """A misspelt field is refused: ``{"command": "solve", "dryrun": true}`` must turn nothing."""


class MeasureColours(_Command, frozen=True):
    """Measure the colours of the solved cube in the rig; nothing is written.

    Attributes:
        turns: How often the rig turns the cube, so that every place sees several colours.
        by_hand: A person shows the six faces to the first camera instead.
    """

    turns: int = 0
    by_hand: bool = False


class TakeFace(_Command, frozen=True):
    """Take the face that is shown by hand as it is now."""


class RedoFace(_Command, frozen=True):
    """Forget a face that was shown by hand, and ask for it again.

    Attributes:
        face: One of URFDLB.
    """

    face: str


class SaveColours(_Command, frozen=True):
    """Write the measured colours into a profile, and use it from now on.

    Attributes:
        profile: Its name, usually that of the venue.
    """

    profile: str


class ChooseProfile(_Command, frozen=True):
    """Use another profile from now on.

    Attributes:
        profile: Its name; empty for none.
    """

    profile: str


class CopyProfile(_Command, frozen=True):
    """Copy a profile under another name."""

    profile: str
    name: str


class DeleteProfile(_Command, frozen=True):
    """Put a profile aside; its file is kept under another name."""

    profile: str


class OpenView(_Command, frozen=True):
    """Show the points of a camera's view, to move them.

    Attributes:
        camera: Its number.
        sight: The three faces around the corner that it sees, or its only face; empty for the rig's
            default.
        fresh: Begin with points in the middle of the picture instead of those of the view.
    """

    camera: int
    sight: str = ""
    fresh: bool = False


class MovePoints(_Command, frozen=True):
    """Say where corners of the cube are in the picture.

    Attributes:
        points: Pixels, by the corner's name.
    """

    points: dict[str, tuple[float, float]]


class SaveView(_Command, frozen=True):
    """Write the view that the points make into the file that the rig names, and use it."""


class Buzz(_Command, frozen=True):
    """Turn one motor a little, or do one action, there and back.

    Attributes:
        part: A motor or an action of the rig.
    """

    part: str


class FlipDirection(_Command, frozen=True):
    """Write into the rig file that a motor turns the other way.

    Attributes:
        part: The motor.
    """

    part: str


class MeasureMotors(_Command, frozen=True):
    """Search how fast motors turn without losing steps; nothing is written.

    Attributes:
        faces: Letters of the faces.
    """

    faces: str


class MeasureParts(_Command, frozen=True):
    """On machines of variables and actions: find places, directions and times; nothing is written.

    Attributes:
        part: Only this one; empty for all.
        times: Also the shortest times of the actions, with a cube in the machine.
    """

    part: str = ""
    times: bool = True


class Answer(_Command, frozen=True):
    """Answer what is asked about a part.

    Attributes:
        said: One of the offered answers; empty for yes.
    """

    said: str = ""


class Aligned(_Command, frozen=True):
    """Say that the face that was asked for stands straight again, and the cube is solved."""


class SaveMotors(_Command, frozen=True):
    """Write what was found about the motors into the rig file, and use it."""


CalibrateCommand = (
    MeasureColours
    | TakeFace
    | RedoFace
    | SaveColours
    | ChooseProfile
    | CopyProfile
    | DeleteProfile
    | OpenView
    | MovePoints
    | SaveView
    | Buzz
    | FlipDirection
    | MeasureMotors
    | MeasureParts
    | Answer
    | Aligned
    | SaveMotors
)


class Solve(_Command, frozen=True):
    """Read the cube, bring it to a target and look again.

    Attributes:
        target: Name of a pattern, or 54 letters; empty for the solved cube.
        dry_run: Read and plan only; nothing is turned.
    """

    target: str = ""
    dry_run: bool = False


class Scramble(_Command, frozen=True):
    """Turn a random scramble."""


class Turn(_Command, frozen=True):
    """Turn the given moves.

    Attributes:
        moves: In Singmaster notation.
    """

    moves: str


class Look(_Command, frozen=True):
    """Read the cube; on a rig that moves it for that, it is put back."""


class Remember(_Command, frozen=True):
    """Read the cube and remember it, to copy it later."""


class Copy(_Command, frozen=True):
    """Make the cube in the rig look like the one that is remembered."""


class PutIn(_Command, frozen=True):
    """Put another cube into a virtual rig, as a person would into a real one."""


class Resume(_Command, frozen=True):
    """Finish the program that was cut off."""


class Dismiss(_Command, frozen=True):
    """Put what asks for attention away; nothing moves."""


class Align(_Command, frozen=True):
    """Say that every face stands straight, after a turn was cut off; nothing moves."""


class TellSticker(_Command, frozen=True):
    """Say what colour a sticker of the last reading has.

    Attributes:
        sticker: Its name, such as ``F3``.
        face: The face, URFDLB, whose centre has that colour.
    """

    sticker: str
    face: str


class TurnFace(_Command, frozen=True):
    """Say that a face of the last reading was shown turned.

    Attributes:
        face: One of URFDLB.
        quarters: Quarter turns clockwise.
    """

    face: str
    quarters: int


class ExchangeFaces(_Command, frozen=True):
    """Say that two faces of the last reading were exchanged."""

    one: str
    other: str


class UndoCorrection(_Command, frozen=True):
    """Take the last correction back."""


class TakeInstead(_Command, frozen=True):
    """Take the reading that is sure once a mistake is undone, such as two faces exchanged."""


class GoOn(_Command, frozen=True):
    """Go on with the corrected reading, once it is sure: what was asked for is done now."""


class HandBegin(_Command, frozen=True):
    """Guide a person who solves a cube by hand before a camera; the rig does nothing.

    Attributes:
        camera: A webcam, or one that the program was started with, without its password; empty for
            the first of those, or the first webcam.
    """

    camera: str = ""


class HandCapture(_Command, frozen=True):
    """Take the face that is before the camera at once."""


class HandRedo(_Command, frozen=True):
    """Show a face, one of URFDLB, once more; or all six.

    Attributes:
        face: Its letter; empty for all.
    """

    face: str = ""


class HandNext(_Command, frozen=True):
    """The turn that was asked for is made."""


class HandBack(_Command, frozen=True):
    """The last turn was not made."""


class HandFollow(_Command, frozen=True):
    """Let the camera see the turns, or not."""

    on: bool


class HandEnd(_Command, frozen=True):
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
    | Align
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
    """A command with its metadata.

    Attributes:
        id: The sender's number for it; the answer repeats it.
        sent_s: Time of the command, seconds on the server's clock as estimated by the sender.
        do: The command.
        lease: The sender's lease.
        run: The run that the sender saw; None if it does not matter.
    """

    id: int
    sent_s: float
    do: Command
    lease: str = ""
    run: int | None = None


def decode_order(line: bytes | str) -> Order:
    """Read an order.

    Raises:
        UsageError: It is not an order; the message says where.
    """
    try:
        order: Order = msgspec.json.decode(line, type=Order)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"not a valid command: {error}; docs/http.md lists the commands") from None
    return order
