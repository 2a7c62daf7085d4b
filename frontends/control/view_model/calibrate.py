"""What the page that calibrates shows: the pane ``calibrate`` of the view."""

import msgspec

from calibration.motors import SpeedTrial
from calibration.pair_scores import PairScore
from calibration.profiles import KnownProfile
from frontends.control.view_model.by_hand import ShownGuidance

Point = tuple[float, float]


class Shade(msgspec.Struct, frozen=True):
    """A colour as it was measured.

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
    """Measuring colours.

    Attributes:
        doing: ``looking``, ``turning``, ``hand`` or empty.
        done: Pictures, of `total`.
        total: Pictures that there will be.
        told: What a person who shows the faces is to do; None when nobody shows any.
        held: 0 to 1, how much of holding it still is done.
        captured: Faces that were shown, with the names of their nine colours.
        measured: Of which colours the rest tells: of the profile of this name, or of what was just
            measured when it is empty.
        shades: The colours.
        pairs: Each two of them.
        advice: What to do about pairs that fail; empty when all pass.
        trouble: Why it cannot be used; empty when it can.
        can_save: Whether there is something to save.
        saved: What became of it.
    """

    doing: str = ""
    done: int = 0
    total: int = 0
    told: ShownGuidance | None = None
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
        camera: The camera's number; -1 as long as none was opened.
        size: Of its picture, pixels.
        sight: The faces that it sees.
        sights: What it could see instead.
        points: Where the corners of the cube are, by their names.
        polygons: The patches that would be read, with the names of their facelets.
        worst: The point that does not fit the others; empty when all fit.
        misses_px: How far each point lies beside its place.
        trouble: Why the points make no view, or a doubtful one; empty when they do.
        trouble_kind: As of `calibration.errors.PointsError`, or ``worst``; empty without trouble.
        about: The face or corner that the trouble is about.
        can_save: Whether there is a view to save.
        saved: What became of it.
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
    """What can be buzzed.

    Attributes:
        name: As the rig calls it.
        direction: 1 or -1 of a motor; 0 of an action, which has none.
        channel: The motor's output on the board; -1 of an action.
        quarter_ms: Modelled time of the motor's quarter turn; 0 of an action.
    """

    name: str
    direction: int = 0
    channel: int = -1
    quarter_ms: float = 0.0


class MotorFound(msgspec.Struct, frozen=True):
    """What was found about a motor; see `calibration.motors.MotorResult`."""

    face: str
    quarter_ms: float
    fastest_ms: float
    failed_ms: float | None


class Asking(msgspec.Struct, frozen=True):
    """What a person is asked about a part.

    Attributes:
        kind: ``do``, ``place``, ``turn``, ``switch`` or ``arrived``.
        text: The question, in plain English.
        answers: What may be said; empty for yes.
    """

    kind: str
    text: str
    answers: tuple[str, ...]


class Motors(msgspec.Struct, frozen=True):
    """Motors, and the search for their speed.

    Attributes:
        parts: What can be buzzed.
        searchable: The faces whose speed can be searched.
        measurable: The parts of a machine of variables and actions.
        doing: ``buzz``, ``wiring``, ``speed``, ``verify``, ``places``, ``times`` or empty.
        part: Of which part or face.
        align: The faces that a person has to put straight now; empty when none.
        asking: What a person is asked now; None when nothing.
        trials: All trials of the last search, in order; those of an action have no rates, but 0.
        found: What came of it.
        told: What was seen of the wiring, and the like, in plain English.
        can_save: Whether there is something to save.
        saved: What became of it.
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
    """All of it.

    Attributes:
        profiles: Those that there are.
        chosen: The one in use; empty for none.
        cameras: What each camera of the rig is called.
        keeps: Whether rig file and views are written; those of a virtual machine are not.
        colours: Measuring colours.
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
