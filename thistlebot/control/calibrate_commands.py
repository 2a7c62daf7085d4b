"""What the page that calibrates asks of the machine; a part of `thistlebot.control.commands`."""

import msgspec


class MeasureColours(msgspec.Struct, frozen=True, tag_field="command", tag="measure_colours"):
    """Measure the colours of the solved cube in the rig; nothing is written.

    Attributes:
        turns: So many times the rig turns the cube, so that every place sees several colours.
        by_hand: A person shows the six faces to the first camera instead.
    """

    turns: int = 0
    by_hand: bool = False


class TakeFace(msgspec.Struct, frozen=True, tag_field="command", tag="take_face"):
    """Take the face that is shown by hand as it is now."""


class RedoFace(msgspec.Struct, frozen=True, tag_field="command", tag="redo_face"):
    """Forget a face that was shown by hand, and ask for it again.

    Attributes:
        face: One of URFDLB.
    """

    face: str


class SaveColours(msgspec.Struct, frozen=True, tag_field="command", tag="save_colours"):
    """Write the measured colours into a profile, and use it from now on.

    Attributes:
        profile: Its name, usually that of the venue.
    """

    profile: str


class ChooseProfile(msgspec.Struct, frozen=True, tag_field="command", tag="choose_profile"):
    """Use another profile from now on.

    Attributes:
        profile: Its name; empty for none.
    """

    profile: str


class CopyProfile(msgspec.Struct, frozen=True, tag_field="command", tag="copy_profile"):
    """Copy a profile under another name."""

    profile: str
    name: str


class DeleteProfile(msgspec.Struct, frozen=True, tag_field="command", tag="delete_profile"):
    """Put a profile aside; its file is kept under another name."""

    profile: str


class OpenView(msgspec.Struct, frozen=True, tag_field="command", tag="open_view"):
    """Show the points of a camera's view, to move them.

    Attributes:
        camera: Its number.
        sight: The three faces around the corner that it sees, or its only face; empty for what the
            rig says.
        fresh: Begin with points in the middle of the picture instead of those of the view.
    """

    camera: int
    sight: str = ""
    fresh: bool = False


class MovePoints(msgspec.Struct, frozen=True, tag_field="command", tag="move_points"):
    """Say where corners of the cube are in the picture.

    Attributes:
        points: Pixels, by the corner's name.
    """

    points: dict[str, tuple[float, float]]


class SaveView(msgspec.Struct, frozen=True, tag_field="command", tag="save_view"):
    """Write the view that the points make into the file that the rig names, and use it."""


class Buzz(msgspec.Struct, frozen=True, tag_field="command", tag="buzz"):
    """Turn one motor a little, or do one action, there and back.

    Attributes:
        part: A motor or an action of the rig.
    """

    part: str


class FlipDirection(msgspec.Struct, frozen=True, tag_field="command", tag="flip_direction"):
    """Write into the rig file that a motor turns the other way.

    Attributes:
        part: The motor.
    """

    part: str


class MeasureMotors(msgspec.Struct, frozen=True, tag_field="command", tag="measure_motors"):
    """Search how fast motors turn without losing steps; nothing is written.

    Attributes:
        faces: Letters of the faces.
    """

    faces: str


class MeasureParts(msgspec.Struct, frozen=True, tag_field="command", tag="measure_parts"):
    """On machines of variables and actions: find places, directions and times; nothing is written.

    Attributes:
        part: Only this one; empty for all.
        times: Also how little time the actions need, with a cube in the machine.
    """

    part: str = ""
    times: bool = True


class Answer(msgspec.Struct, frozen=True, tag_field="command", tag="answer"):
    """Answer what is asked about a part.

    Attributes:
        said: One of the answers that are offered; empty for yes.
    """

    said: str = ""


class Aligned(msgspec.Struct, frozen=True, tag_field="command", tag="aligned"):
    """Say that the face that was asked for stands straight again, and the cube is solved."""


class SaveMotors(msgspec.Struct, frozen=True, tag_field="command", tag="save_motors"):
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
