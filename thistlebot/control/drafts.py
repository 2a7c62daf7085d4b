"""What was measured and not saved yet."""

from dataclasses import dataclass

from robot.rigs.action_machine.mechanism import ActionMachine
from robot.rigs.face_motors.mechanism import FaceMotors
from vision.colours.profile import ColourProfile
from vision.geometry.view import View


@dataclass(slots=True)
class Drafts:
    """What a calibration of an opened machine has found.

    Attributes:
        profile: Colours.
        view: Of a camera.
        rig: With other values of its motors, or places and times.
    """

    profile: ColourProfile | None = None
    view: View | None = None
    rig: FaceMotors | ActionMachine | None = None
