"""The commands of a front end to the machine: values in JSON form.

docs/http.md describes them. A front end sends an `Order`, which contains a `Command`.
"""

from typing import Annotated

import msgspec

from frontends.control.assistant_commands import NamedCommand
from frontends.control.calibrate_commands import CalibrateCommand

TypedState = Annotated[str, msgspec.Meta(max_length=10_000)]
"""A cube as somebody typed, painted or pasted it; see `TypedCube.read`."""


class Solve(NamedCommand, frozen=True):
    """Read the cube, bring it to a target and look again.

    Attributes:
        target: Name of a pattern, or 54 letters; empty for the solved cube.
        order: Order of the stickers in these letters, as for `--order`; empty to find it.
        dry_run: Read and plan only; nothing is turned.
        state: The cube in the machine, as stickers or as moves from the solved cube, instead of
            reading it; a virtual machine gets this cube. Empty to read it.
        mistake: What a virtual machine will do wrong once, such as ``3 short``, as for `--mistake`.
    """

    target: str = ""
    order: str = ""
    dry_run: bool = False
    state: TypedState = ""
    mistake: str = ""


class Scramble(NamedCommand, frozen=True):
    """Turn a random scramble."""


class Turn(NamedCommand, frozen=True):
    """Turn the given moves.

    Attributes:
        moves: The moves, as `run` reads them.
    """

    moves: str


class Look(NamedCommand, frozen=True):
    """Read the cube; if the rig has to move the cube for this, restore it."""


class Remember(NamedCommand, frozen=True):
    """Read the cube and store it, to copy it later."""


class Copy(NamedCommand, frozen=True):
    """Make the cube in the rig look like the stored one."""


class Again(NamedCommand, frozen=True):
    """After a misread: read the cube again, and do what was requested."""


class PutIn(NamedCommand, frozen=True):
    """Put another cube into a virtual rig, as a person would into a real one."""


class Dismiss(NamedCommand, frozen=True):
    """Dismiss the attention card; nothing moves."""


class Align(NamedCommand, frozen=True):
    """Confirm that every face is aligned after a turn was interrupted; nothing moves."""


class TellSticker(NamedCommand, frozen=True):
    """Set the colour of a sticker in the last reading.

    Attributes:
        sticker: Its name, such as ``F3``.
        face: The face, URFDLB, whose centre has that colour.
    """

    sticker: str
    face: str


class TurnFace(NamedCommand, frozen=True):
    """Rotate a face of the last reading.

    Attributes:
        face: One of URFDLB.
        quarters: Quarter turns clockwise.
    """

    face: str
    quarters: int


class ExchangeFaces(NamedCommand, frozen=True):
    """Exchange two faces of the last reading.

    Attributes:
        one: A face, one of URFDLB.
        other: The other face.
    """

    one: str
    other: str


class UndoCorrection(NamedCommand, frozen=True):
    """Undo the last correction."""


class TakeInstead(NamedCommand, frozen=True):
    """Accept the reading with a mistake undone, such as two exchanged faces."""


Correction = TellSticker | TurnFace | ExchangeFaces | UndoCorrection | TakeInstead
"""A correction of the last reading, of the rig's cameras or by hand."""


class Proceed(NamedCommand, frozen=True):
    """Continue with the corrected reading, once it is sure: do what was requested."""


class HandBegin(NamedCommand, frozen=True):
    """Guide a user who solves a cube by hand before a camera; the rig does nothing.

    Attributes:
        camera: A webcam, or one that the program was started with, without its password; empty for
            the first of those, or the first webcam.
        state: The cube, as for `Solve`, instead of showing it to a camera.
    """

    camera: str = ""
    state: TypedState = ""


class HandCapture(NamedCommand, frozen=True):
    """Capture the face before the camera at once."""


class HandRedo(NamedCommand, frozen=True):
    """Show a face, one of URFDLB, again; or all six.

    Attributes:
        face: Its letter; empty for all.
    """

    face: str = ""


class HandNext(NamedCommand, frozen=True):
    """The requested turn has been made."""


class HandBack(NamedCommand, frozen=True):
    """The last turn has not been made."""


class HandEnd(NamedCommand, frozen=True):
    """End solving by hand."""


Command = (
    Solve
    | Scramble
    | Turn
    | Look
    | Remember
    | Copy
    | Again
    | PutIn
    | Dismiss
    | Align
    | Correction
    | Proceed
    | HandBegin
    | HandCapture
    | HandRedo
    | HandNext
    | HandBack
    | HandEnd
    | CalibrateCommand
)
