"""The commands of the page Calibrate."""

from frontends.control.assistant_commands import AssistantCommand, NamedCommand


class MeasureColours(NamedCommand, frozen=True):
    """Measure the colours of the solved cube in the rig; nothing is stored.

    Attributes:
        by_hand: A person shows the six faces to the first camera instead.
    """

    by_hand: bool = False


class TakeFace(NamedCommand, frozen=True):
    """Capture the face before the camera now."""


class RedoFace(NamedCommand, frozen=True):
    """Forget a face that was shown by hand, and ask for it again.

    Attributes:
        face: One of URFDLB.
    """

    face: str


class SaveColours(NamedCommand, frozen=True):
    """Store the measured colours in a profile, and use it from now on.

    Attributes:
        profile: Its name, such as that of the room.
    """

    profile: str


class ChooseProfile(NamedCommand, frozen=True):
    """Use another profile from now on.

    Attributes:
        profile: Its name; empty if there is none.
    """

    profile: str


class CopyProfile(NamedCommand, frozen=True):
    """Copy a profile under another name.

    Attributes:
        profile: The name of the profile.
        name: The name of the copy.
    """

    profile: str
    name: str


class DeleteProfile(NamedCommand, frozen=True):
    """Set a profile aside; its file is kept under another name.

    Attributes:
        profile: The name of the profile.
    """

    profile: str


class OpenView(NamedCommand, frozen=True):
    """Show the points of a camera's view for editing.

    Attributes:
        camera: Its number.
        sight: The three faces around the corner that it sees, or its only face; empty for the rig's
            default.
        fresh: Begin with points in the middle of the picture instead of those of the view.
    """

    camera: int
    sight: str = ""
    fresh: bool = False


class MovePoints(NamedCommand, frozen=True):
    """Set the positions of the cube's corners in the picture.

    Attributes:
        points: Pixels, by the corner's name.
    """

    points: dict[str, tuple[float, float]]


class SaveView(NamedCommand, frozen=True):
    """Write the view from the points into the file that the rig names, and use it."""


class Buzz(NamedCommand, frozen=True):
    """Turn one motor a little, or do one action, there and back.

    Attributes:
        part: A motor or an action of the rig.
    """

    part: str


class FlipDirection(NamedCommand, frozen=True):
    """Reverse a motor's direction in the rig file.

    Attributes:
        part: The motor.
    """

    part: str


class MeasureMotors(NamedCommand, frozen=True):
    """Search how fast motors can turn without losing steps; nothing is stored.

    Attributes:
        faces: Letters of the faces.
    """

    faces: str


class MeasureParts(NamedCommand, frozen=True):
    """On machines of variables and actions: find places, directions and times; nothing is stored.

    Attributes:
        part: Only this one; empty for all.
        times: Whether to find the shortest times of the actions too, with a cube in the machine.
    """

    part: str = ""
    times: bool = True


class Answer(NamedCommand, frozen=True):
    """Answer a question about a part.

    Attributes:
        said: One of the offered answers; empty for yes.
    """

    said: str = ""


class Aligned(NamedCommand, frozen=True):
    """Confirm that the requested face is aligned again, and the cube is solved."""


class SaveMotors(NamedCommand, frozen=True):
    """Write the results about the motors into the rig file, and use it."""


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
    | AssistantCommand
)
"""Commands that need a device which may calibrate."""
