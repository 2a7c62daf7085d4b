"""All that a front end has to show, as one value: who joins late gets the same as the others.

Where the stickers of a reading are in its pictures, as front ends draw them.
"""

import msgspec

from cube.facelets import facelet_name
from frontends.control.view_model import notices
from frontends.control.view_model.attention import Attention
from frontends.control.view_model.by_hand import HandView
from frontends.control.view_model.calibrate import CalibratePane
from frontends.control.view_model.notices import Mark
from thistlebot.events import Phase
from thistlebot.reading.corrections import Change
from vision.reading import CubeReading


def marks_of(reading: CubeReading) -> tuple[Mark, ...]:
    """Return where the stickers of a reading are in its pictures."""
    names = dict(reading.scheme)
    return tuple(
        Mark(
            sticker.camera,
            facelet_name(number),
            tuple((x, y) for x, y in polygon),
            names.get(sticker.colour, sticker.colour),
            round(sticker.confidence, 3),
        )
        for number, sticker in enumerate(reading.stickers)
        for polygon in sticker.polygons
    )


class ShownCube(msgspec.Struct, frozen=True):
    """The cube in the rig as far as it is known.

    Attributes:
        facelets: 54 letters in the order URFDLB; None as long as nobody knows.
        scheme: Face letter to colour name.
        turned: How many moves of the program the board has acknowledged.
        moves: Those moves.
        sure: The cube was seen so, or turned so from what was seen; else it may stand otherwise.
    """

    facelets: str | None = None
    scheme: dict[str, str] = {}
    turned: int = 0
    moves: tuple[str, ...] = ()
    sure: bool = False


class ShownPlan(msgspec.Struct, frozen=True):
    """What is turned.

    Attributes:
        before: The cube before it; None when that is not known.
        moves: All moves.
        steps: The moves of each step that the board acknowledges.
        stages: Names of the stages and their moves; empty for moves that were given.
        time_s: How long it takes by the model of the rig; 0 when nobody said.
    """

    before: str | None = None
    moves: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    stages: tuple[tuple[str, tuple[str, ...]], ...] = ()
    time_s: float = 0.0


class LastLook(msgspec.Struct, frozen=True):
    """The last reading, and where its stickers are in the pictures.

    Attributes:
        number: Number of the look in the run; its pictures have addresses.
        cameras: How many pictures there are.
        marks: The stickers in them.
        accepted: Whether the reading is trusted.
        facelets: The likeliest legal cube.
        doubtful: Stickers that were repaired or not seen.
        confidence: Of each of the 54 stickers, 0 to 1.
        changes: See `notices.Corrected`.
        corrections: How many corrections can be undone.
        can_correct: Nothing was turned since, so that it may be corrected.
    """

    number: int = -1
    cameras: int = 0
    marks: tuple[Mark, ...] = ()
    accepted: bool = False
    facelets: str = ""
    doubtful: tuple[str, ...] = ()
    confidence: tuple[float, ...] = ()
    changes: tuple[Change, ...] = ()
    corrections: int = 0
    can_correct: bool = False


class Panes(msgspec.Struct, frozen=True, omit_defaults=True):
    """What jobs with a page of their own have to show; what has nothing to show is left out."""

    calibrate: CalibratePane | None = None
    hand: HandView | None = None


class ViewModel(msgspec.Struct, frozen=True):
    """What there is to show.

    Attributes:
        server: Name of this run of the server; another one has other numbers of runs.
        machine: The machine.
        job: What is under way; empty when nothing is.
        last_job: What was under way before.
        run: Number of the job.
        dry_run: Nothing is turned in it.
        phase: Where its session is.
        began_s: When it began, on the server's clock, seconds.
        ended_s: When it ended; None as long as it goes on.
        cube: The cube in the rig.
        plan: What is turned.
        executed: Steps of the plan that the board acknowledged.
        looked: Stops of a scan, done and in all.
        look: The last reading.
        verified: Whether the cube was seen at its target at the end; None before.
        times: What each part of the last solve took, seconds.
        attention: Why a person is needed; None when nobody is.
        noticed: What is known of the cube that would be a reason.
        notes: What a person may want to know, the newest last.
        tables: How much of the solver's tables is built; None when nothing is being built.
        remembered: The cube to copy; empty when none is.
        solved: Cubes that were seen solved since the server was started.
        panes: What jobs with a page of their own have to show.
    """

    server: str
    machine: notices.MachineStatus = notices.MachineStatus()
    job: str = ""
    last_job: str = ""
    run: int = 0
    dry_run: bool = False
    phase: Phase = Phase.IDLE
    began_s: float = 0.0
    ended_s: float | None = 0.0
    cube: ShownCube = ShownCube()
    plan: ShownPlan = ShownPlan()
    executed: int = 0
    looked: tuple[int, int] = (0, 0)
    look: LastLook = LastLook()
    verified: bool | None = None
    times: dict[str, float] = {}
    attention: Attention | None = None
    noticed: Attention | None = None
    notes: tuple[str, ...] = ()
    tables: float | None = None
    remembered: str = ""
    solved: int = 0
    panes: Panes = Panes()
