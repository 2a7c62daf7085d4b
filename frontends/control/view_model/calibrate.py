"""The contents of the page Calibrate: the pane ``calibrate`` of the view."""

import msgspec

from calibration.motors import SpeedTrial
from calibration.pair_scores import PairScore
from calibration.profiles import KnownProfile
from vision.live.step import Guidance

Point = tuple[float, float]


class Shade(msgspec.Struct, frozen=True):
    """A measured colour.

    Attributes:
        face: Its face.
        colour: Its name.
        srgb: ``#rrggbb``.
        spread: ΔE by which its stickers scatter.
    """

    face: str
    colour: str
    srgb: str
    spread: float


class Colours(msgspec.Struct, frozen=True):
    """The measurement of colours.

    Attributes:
        doing: ``looking``, ``hand`` or empty.
        done: Pictures, of `total`.
        total: Pictures that there will be.
        told: The instruction for a user who shows the faces; None if there is none.
        held: 0 to 1, progress of holding it still.
        captured: Faces shown so far, with the names of their nine colours.
        measured: The source of the fields below: the profile with this name, or the latest
            measurement if empty.
        shades: The colours.
        pairs: Each pair of them.
        advice: What to do about pairs that fail; empty if all pass.
        trouble: Why it cannot be used; empty if it can.
        can_save: Whether there is something to save.
        saved: The result of saving.
    """

    doing: str = ""
    done: int = 0
    total: int = 0
    told: Guidance | None = None
    held: float = 0.0
    captured: dict[str, tuple[str, ...]] = {}
    measured: str = ""
    shades: tuple[Shade, ...] = ()
    pairs: tuple[PairScore, ...] = ()
    advice: str = ""
    trouble: str = ""
    can_save: bool = False
    saved: str = ""


class ViewPoints(msgspec.Struct, frozen=True):
    """A camera's view and its points.

    Attributes:
        camera: The camera's number; -1 if none was opened.
        size: Size of its picture, pixels.
        sight: The faces that it sees.
        sights: The other possible choices.
        points: The positions of the cube's corners, by their names.
        polygons: The patches to read, with the names of their facelets.
        worst: The point that does not fit the others; empty if all fit.
        misses_px: The error of each point.
        trouble: Why the points make no view, or a doubtful one; empty if they do.
        trouble_kind: See `calibration.errors.PointsError`, or ``worst``; empty without trouble.
        about: The face or corner concerned.
        can_save: Whether there is a view to save.
        saved: The result of saving.
    """

    camera: int = -1
    size: tuple[int, int] = (640, 480)
    sight: str = ""
    sights: tuple[str, ...] = ()
    points: dict[str, Point] = {}
    polygons: tuple[tuple[str, tuple[Point, ...]], ...] = ()
    worst: str = ""
    misses_px: dict[str, float] = {}
    trouble: str = ""
    trouble_kind: str = ""
    about: str = ""
    can_save: bool = False
    saved: str = ""


class MovablePart(msgspec.Struct, frozen=True):
    """A part that can be buzzed.

    Attributes:
        name: Its name in the rig.
        direction: 1 or -1 of a motor; 0 of an action, which has none.
        channel: The motor's output on the board; -1 of an action.
        quarter_ms: Modelled time of the motor's quarter turn; 0 of an action.
        turns: The turn that it makes first, such as ``R`` or ``D'``; empty if it turns nothing.
        moves: The parts of the machine that move.
    """

    name: str
    direction: int = 0
    channel: int = -1
    quarter_ms: float = 0.0
    turns: str = ""
    moves: tuple[str, ...] = ()


class MotorFound(msgspec.Struct, frozen=True):
    """The result for a motor; see `calibration.motors.MotorResult`."""

    face: str
    quarter_ms: float


class Asking(msgspec.Struct, frozen=True):
    """A question about a part.

    Attributes:
        kind: ``do``, ``place``, ``turn``, ``switch`` or ``arrived``.
        text: The question, in plain English.
        answers: The possible answers; empty for yes.
    """

    kind: str
    text: str
    answers: tuple[str, ...]


class Motors(msgspec.Struct, frozen=True):
    """Motors, and the search for their speed.

    Attributes:
        parts: The parts that can be buzzed.
        searchable: The faces whose speed can be searched.
        measurable: The parts of a machine of variables and actions.
        doing: ``buzz``, ``wiring``, ``speed``, ``verify``, ``places``, ``times`` or empty.
        part: The part or face.
        align: The faces that the user must align now; empty if there is none.
        asking: The current question; None if there is none.
        trials: All trials of the last search, in order; for an action, the rates are 0.
        found: The results.
        told: Messages about the wiring and the like, in plain English.
        can_save: Whether there is something to save.
        saved: The result of saving.
    """

    parts: tuple[MovablePart, ...] = ()
    searchable: str = ""
    measurable: tuple[str, ...] = ()
    doing: str = ""
    part: str = ""
    align: str = ""
    asking: Asking | None = None
    trials: tuple[SpeedTrial, ...] = ()
    found: tuple[MotorFound, ...] = ()
    told: tuple[str, ...] = ()
    can_save: bool = False
    saved: str = ""


class CalibratePane(msgspec.Struct, frozen=True):
    """The contents of the page.

    Attributes:
        profiles: All profiles.
        chosen: The one in use; empty if there is none.
        cameras: Names of the rig's cameras.
        keeps: Whether rig file and views are stored; those of a virtual machine are not.
        colours: The measurement of colours.
        points: A camera's view.
        motors: The motors.
    """

    profiles: tuple[KnownProfile, ...] = ()
    chosen: str = ""
    cameras: tuple[str, ...] = ()
    keeps: bool = True
    colours: Colours = Colours()
    points: ViewPoints = ViewPoints()
    motors: Motors = Motors()
