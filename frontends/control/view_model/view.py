"""Everything that a front end shows, as one value: a late viewer gets the same as others."""

import msgspec

from frontends.control.assistant_commands import AssistantStep
from frontends.control.view_model.attention import Attention
from frontends.control.view_model.by_hand import HandView
from frontends.control.view_model.calibrate import CalibratePane
from frontends.control.view_model.notices import Mark
from thistlebot.events import Mishap, Phase
from thistlebot.reading.corrections import Change


class MachineStatus(msgspec.Struct, frozen=True):
    """The machine, and its available parts.

    Attributes:
        rig: Name of the rig.
        virtual: Whether rig and cameras are virtual.
        board: Description of the board; empty if none is connected.
        port: Its port.
        cameras: Names of the open cameras of the rig.
        faces: The faces that can be turned.
    """

    rig: str = ""
    virtual: bool = False
    board: str = ""
    port: str = ""
    cameras: tuple[str, ...] = ()
    faces: str = "URFDLB"


class ShownCube(msgspec.Struct, frozen=True):
    """The cube in the rig as far as known.

    Attributes:
        facelets: 54 letters in the order URFDLB; None if unknown.
        scheme: Colour name of each face.
        turned: Number of the program's moves that the board has acknowledged.
        moves: Those moves.
        sure: The cube was seen like this, or turned to this from a reading; otherwise it may
            differ.
    """

    facelets: str | None = None
    scheme: dict[str, str] = {}
    turned: int = 0
    moves: tuple[str, ...] = ()
    sure: bool = False


class ShownPlan(msgspec.Struct, frozen=True):
    """The program.

    Attributes:
        before: The cube before it; None if unknown.
        moves: All moves.
        steps: The moves of each step that the board acknowledges.
        stages: Names of the stages and their moves; empty for given moves.
        chain: Their orientation; see `thistlebot.records.SolutionRecord`.
        time_s: Duration in the model of the rig; 0 if unknown.
    """

    before: str | None = None
    moves: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    stages: tuple[tuple[str, tuple[str, ...]], ...] = ()
    chain: str = "FRU"
    time_s: float = 0.0


class LastLook(msgspec.Struct, frozen=True):
    """The last reading, and the places of its stickers in the pictures.

    Attributes:
        number: Number of the look in the run, which is part of its pictures' addresses.
        cameras: Number of pictures.
        marks: The stickers in them.
        accepted: Whether the reading is trusted.
        facelets: The likeliest legal cube.
        doubtful: Stickers that were repaired or not seen.
        confidence: Confidence of each of the 54 stickers, 0 to 1.
        changes: See `notices.Corrected`.
        corrections: Number of corrections that can be undone.
        can_correct: Whether it may be corrected: nothing was turned since.
        glimpsed: Colours of the stickers seen so far, while the cube is being looked at; see
            `notices.Glimpsed`.
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
    glimpsed: tuple[str, ...] = ()


class AssistantPane(msgspec.Struct, frozen=True):
    """The contents of the assistant.

    Attributes:
        step: The current step.
        rig: The chosen built-in rig; empty if there is none.
        virtual: Whether it is used virtually.
        file: The user's rig file; empty if there is none.
        backup: The copy of the previous rig file; empty if there was none.
        opening: Whether the machine is being opened with new settings.
        board_trouble: Why no board answered, in English; empty if one did.
        cameras: The names of this computer's cameras, by their sources, as for ``--camera``.
        sources: The source of each of the rig's cameras.
        camera_trouble: Why the rig's cameras cannot be used, in English; empty if they can.
        unseen: Which stickers no camera sees, in English; empty if enough are seen.
        tried: The part that was moved last, whose direction is asked for; empty if there is none.
        checked: The parts that moved as they should.
        skipped: The steps that were skipped.
    """

    step: AssistantStep = AssistantStep.RIG
    rig: str = ""
    virtual: bool = False
    file: str = ""
    backup: str = ""
    opening: bool = False
    board_trouble: str = ""
    cameras: dict[str, str] = msgspec.field(default_factory=dict)
    sources: tuple[str, ...] = ()
    camera_trouble: str = ""
    unseen: str = ""
    tried: str = ""
    checked: tuple[str, ...] = ()
    skipped: tuple[AssistantStep, ...] = ()


class BoardPane(msgspec.Struct, frozen=True):
    """What was done to the board and the rig file last.

    Attributes:
        findings: Part, health (``good``, ``absent`` or ``bad``) and what was found, in English.
        flashed: The port of the board that got the firmware; empty if none did.
        saved: The rig file that was written; empty if none was.
        backup: The copy of the previous one.
    """

    findings: tuple[tuple[str, str, str], ...] = ()
    flashed: str = ""
    saved: str = ""
    backup: str = ""


class Panes(msgspec.Struct, frozen=True, omit_defaults=True):
    """The panes of jobs with their own page; empty panes are left out."""

    calibrate: CalibratePane | None = None
    hand: HandView | None = None
    assistant: AssistantPane | None = None
    board: BoardPane | None = None


class ShownNote(msgspec.Struct, frozen=True):
    """A message for the user.

    Attributes:
        text: The message.
        job: The job that it is about; empty if it concerns the machine.
    """

    text: str
    job: str = ""


class ViewModel(msgspec.Struct, frozen=True):
    """Everything to show.

    Attributes:
        server: Identifier of this run of the server; another one has other numbers of runs.
        machine: The machine.
        job: The current job; empty if there is none.
        last_job: The previous job.
        run: Number of the job.
        dry_run: Whether it turns nothing.
        phase: Phase of its session.
        began_s: Its start, on the server's clock, seconds.
        ended_s: Its end; None while it runs.
        cube: The cube in the rig.
        plan: The program.
        executed: Steps of the plan that the board acknowledged.
        looked: Stops of a scan, done and in total.
        look: The last reading.
        verified: Whether the cube was seen at its target at the end; None before.
        mishaps: What went wrong with the turns of the job.
        times: Times of the last solve's parts, seconds.
        attention: Why the user must act; None for no reason.
        noticed: Knowledge about the cube that could be a reason.
        notes: Messages for the user, the newest last.
        tables: Progress of building the solver's tables; None if nothing is being built.
        remembered: The cube to copy; empty if there is none.
        solved: Number of cubes seen solved since the server was started.
        panes: The panes of jobs with their own page.
    """

    server: str
    machine: MachineStatus = MachineStatus()
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
    mishaps: tuple[Mishap, ...] = ()
    times: dict[str, float] = {}
    attention: Attention | None = None
    noticed: Attention | None = None
    notes: tuple[ShownNote, ...] = ()
    tables: float | None = None
    remembered: str = ""
    solved: int = 0
    panes: Panes = Panes()
