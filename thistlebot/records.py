"""The machine formats: contents of a session's events, and output of ``--json``, line by line.

The names, their order and their meanings are stable; `docs/formats.md` lists them. A field with its
default value is left out. Records are values: only the journal, the sockets and standard output use
JSON.
"""

import math
from typing import TYPE_CHECKING

import msgspec

from cube.errors import ThistlebotError
from cube.facelets import SOLVED_FACELETS, Facelets, facelet_name
from cube.moves import axial_htm, axial_qtm, htm, qtm
from cube.pieces import Problem
from solver.goal import Goal
from thistlebot.output import CONTROLS

if TYPE_CHECKING:
    from robot.rigs.program import RigProgram
    from solver.stages.solution import Solution, Stage
    from vision.reading import CubeReading, FaceReading, StickerReading


class StickerRecord(msgspec.Struct, frozen=True):
    """A sticker as seen.

    Attributes:
        polygon: Its corners in the picture, pixels; None if no picture shows it.
        lab: CIELAB; None if it was not seen.
        confidence: 0 to 1.
        colour: The letter of a face if a cube was read; the name of a colour if a single face was
            read.
    """

    polygon: tuple[tuple[float, float], ...]
    lab: tuple[float, ...] | None
    confidence: float
    colour: str


class RepairRecord(msgspec.Struct, frozen=True):
    """A sticker with a decided colour that contradicts its appearance.

    Attributes:
        facelet: Its name, such as ``F3``.
        looked: The letter of its apparent colour; None if it was not seen.
        decided: The letter that it must have.
        text: The same for people.
    """

    facelet: str
    looked: str | None
    decided: str
    text: str


class MistakeRecord(msgspec.Struct, frozen=True):
    """A mistake that explains the pictures better than any cube shown as instructed.

    Attributes:
        kind: One of `vision.reading.MistakeKind`.
        faces: Letters of the faces of the pictures concerned.
        turns: Quarter turns clockwise that bring each of them upright; empty unless turned.
        text: The same for people.
        instead: The sure state with the mistake undone, 54 letters, or None.
    """

    kind: str
    faces: tuple[str, ...]
    turns: tuple[int, ...]
    text: str
    instead: str | None


class ReadingRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The reading of a whole cube; states are 54 letters in the order URFDLB.

    Attributes:
        state: One of `vision.reading.ReadingState`.
        accepted: Whether it is trusted.
        facelets: The state; None if it is not trusted.
        best: The likeliest legal state.
        margin: How much likelier that is than any other, nats; None if there is no other.
        reread: Letters of the faces to show again.
        problems: The broken laws.
        repairs: The stickers with decided colours that contradict their appearance.
        unseen: Names of the stickers that were not seen, except centres.
        suspected: A mis-assembled cube that fits better, or None.
        alternatives: Other states with the same colours.
        scheme: Name of each face's colour.
        mirrored: The pictures are mirror images.
        mistake: What went wrong when the faces were shown, or None.
        elapsed_ms: Duration of the reading.
        stickers: All 54; always present in an event.
        proposal: Their apparent colours one by one, before any law; always present in an event.
    """

    state: str
    accepted: bool
    facelets: str | None
    best: str
    margin: float | None
    reread: tuple[str, ...]
    problems: tuple[Problem, ...]
    repairs: tuple[RepairRecord, ...]
    unseen: tuple[str, ...]
    suspected: str | None
    alternatives: tuple[str, ...]
    scheme: dict[str, str]
    mirrored: bool
    mistake: MistakeRecord | None
    elapsed_ms: float
    stickers: tuple[StickerRecord, ...] = ()
    proposal: str = ""


class StageRecord(msgspec.Struct, frozen=True):
    """The moves of one stage.

    Attributes:
        name: Its name, such as `G0>G1`.
        moves: Its moves.
    """

    name: str
    moves: str


class ActionRecord(msgspec.Struct, frozen=True):
    """A step of a machine that handles the cube.

    Attributes:
        does: Its description.
        moves: Its effect on the cube.
        start_s: Start time in the program.
        time_s: Duration.
    """

    does: str
    moves: str
    start_s: float
    time_s: float


class SolutionRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A state and the moves from it to the solved cube, or to another target.

    Attributes:
        facelets: The state, 54 letters.
        target: The other target, 54 letters; empty for the solved cube.
        moves: The moves.
        htm: Their number in face turns.
        qtm: Their number in quarter turns.
        axial_htm: Like `htm`, but opposite faces turned together count once.
        axial_qtm: The same for `qtm`.
        time_s: Modelled time on the rig, in seconds; None if a person turns.
        stages: The moves of each stage, of four stages or of S2's five.
        chain: The axes in the order in which the stages take their quarter turns away.
        of_inverse: Whether the stages are those of the inverse cube, inverted.
        cpu_ms: Processor time of the search.
        actions: The actions of a machine that handles the cube; None for motors on faces.
        five_stages: S2's five stages; always present in an event.
        steps: The moves of each step that the rig will count; None if nobody counts them, as in the
            first journals.
        proven: Whether no solution has fewer face turns.
        excluded: If a proof was stopped, the number of turns up to which there is no solution.
    """

    facelets: str
    target: str = ""
    moves: str
    htm: int
    qtm: int
    axial_htm: int
    axial_qtm: int
    time_s: float | None = None
    stages: tuple[StageRecord, ...]
    chain: str = "FRU"
    of_inverse: bool = False
    cpu_ms: float
    actions: tuple[ActionRecord, ...] | None = None
    five_stages: tuple[StageRecord, ...] = ()
    steps: tuple[str, ...] | None = None
    proven: bool = False
    excluded: int | None = None


class DeviationRecord(msgspec.Struct, frozen=True):
    """A turn that differs from the plan.

    Attributes:
        turn: Its number among the turns of the program, from 1.
        step: Number of its step.
        does: What was planned, such as `R2` or `flip the cube`.
        by: What moves it, such as `motor R`.
        kind: `dropped`, `short` (by a quarter), `doubled` or `reversed`.
    """

    turn: int
    step: int
    does: str
    by: tuple[str, ...]
    kind: str


class ErrorRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An error; fields that do not apply to its kind are None.

    Attributes:
        name: Name of its class; ``type`` in JSON.
        text: Its message.
        exit_code: The program's exit code.
        reread: Letters of the faces to show again, if the cube was misread.
        problems: The broken laws, if the cube is unsolvable.
        executed: The completed steps, if the board stopped the program.
        fault: Why the board stopped.
        parts: The parts whose motors are the cause.
    """

    name: str = msgspec.field(name="type")
    text: str
    exit_code: int
    reread: tuple[str, ...] | None = None
    problems: tuple[Problem, ...] | None = None
    executed: int | None = None
    fault: str | None = None
    parts: tuple[str, ...] | None = None

    @property
    def kind(self) -> type[ThistlebotError]:
        """The class with this name; the base class if this program does not know the name."""
        kinds = [ThistlebotError]
        for kind in kinds:
            if kind.__name__ == self.name:
                return kind
            kinds += kind.__subclasses__()
        return ThistlebotError


class ErrorLine(msgspec.Struct, frozen=True):
    """An error in place of a record; its only key identifies it."""

    error: ErrorRecord


_ESCAPED = {number: f"\\u{number:04x}" for number in CONTROLS if number > ord("~")}


def to_line(record: object, **more: object) -> str:
    """Write one record as one line of JSON, with additional fields at its end.

    Characters that control a terminal are escaped; they can only be in strings.
    """
    if more:
        record = msgspec.to_builtins(record) | more
    return msgspec.json.encode(record).decode().translate(_ESCAPED)


def solve_record(
    facelets: Facelets,
    solution: "Solution",
    program: "RigProgram | None",
) -> SolutionRecord:
    """Describe a state and the moves from it to the solved cube, or to another target.

    Without a program, a person turns, and the time is unknown.
    """
    moves = solution.moves
    target = solution.target.to_facelets()
    return SolutionRecord(
        facelets=facelets.text,
        target="" if target == SOLVED_FACELETS else target.text,
        moves=str(moves),
        htm=htm(moves),
        qtm=qtm(moves),
        axial_htm=axial_htm(moves),
        axial_qtm=axial_qtm(moves),
        time_s=None if program is None else round(program.time_s, 6),
        stages=_stage_records(solution.stages),
        chain=solution.chain.axes,
        of_inverse=solution.of_inverse,
        cpu_ms=round(solution.cpu_ms, 3),
        actions=action_records(program) if program and program.handles_cube else None,
        proven=(proven := solution.proven_optimal and solution.objective == Goal.HTM),
        excluded=None if proven or solution.excluded < 0 else solution.excluded,
    )


def action_records(program: "RigProgram") -> tuple[ActionRecord, ...]:
    """Describe the actions of a machine that handles the cube."""
    return tuple(
        ActionRecord(step.does, str(step.moves), round(step.start_s, 6), round(step.duration_s, 6))
        for step in program.steps
    )


def full_solve_record(
    facelets: Facelets, solution: "Solution", program: "RigProgram"
) -> SolutionRecord:
    """Describe a solved state for listeners of a session.

    This includes S2's five stages, and the moves of each step that the rig will count.
    """
    return msgspec.structs.replace(
        solve_record(facelets, solution, program),
        five_stages=_stage_records(solution.five_stages),
        steps=tuple(str(step.moves) for step in program.steps),
    )


def _stage_records(stages: "tuple[Stage, ...]") -> tuple[StageRecord, ...]:
    return tuple(StageRecord(stage.name, str(stage.moves)) for stage in stages)


def reading_record(reading: "CubeReading", *, stickers: bool = False) -> ReadingRecord:
    """Describe the reading of a whole cube."""
    return ReadingRecord(
        state=reading.state.value,
        accepted=reading.accepted,
        facelets=reading.facelets.text if reading.facelets else None,
        best=reading.best.text,
        margin=round(reading.margin, 3) if math.isfinite(reading.margin) else None,
        reread=reading.reread,
        problems=reading.problems,
        repairs=tuple(
            RepairRecord(
                facelet_name(repair.facelet), repair.looked or None, repair.decided, repair.text
            )
            for repair in reading.repairs
        ),
        unseen=reading.unseen,
        suspected=reading.suspicion.facelets.text if reading.suspicion else None,
        alternatives=tuple(facelets.text for facelets in reading.alternatives),
        scheme=dict(reading.scheme),
        mirrored=reading.mirrored,
        mistake=_mistake_record(reading),
        elapsed_ms=round(reading.elapsed_ms, 3),
        stickers=tuple(map(_sticker_record, reading.stickers)) if stickers else (),
    )


def _mistake_record(reading: "CubeReading") -> MistakeRecord | None:
    mistake, instead = reading.mistake, reading.instead
    if mistake is None:
        return None
    sure = instead.facelets.text if instead and instead.facelets else None
    return MistakeRecord(mistake.kind.value, mistake.faces, mistake.turns, mistake.text, sure)


def full_reading_record(reading: "CubeReading") -> ReadingRecord:
    """Describe a reading for listeners of a session, including the single stickers."""
    return msgspec.structs.replace(
        reading_record(reading, stickers=True),
        margin=reading.margin if math.isfinite(reading.margin) else None,
        proposal=reading.proposal.text,
    )


def face_record(file: str, face: "FaceReading | None", elapsed_ms: float) -> dict[str, object]:
    """Describe the result of searching the picture of one face."""
    return {
        "file": file,
        "found": face is not None,
        "corners": face.corners if face else (),
        "stickers": [_sticker_record(sticker) for sticker in (face.stickers if face else ())],
        "elapsed_ms": round(elapsed_ms, 3),
    }


def _sticker_record(sticker: "StickerReading") -> StickerRecord:
    return StickerRecord(
        sticker.polygons[0] if sticker.polygons else (),
        tuple(round(channel, 2) for channel in sticker.lab) if sticker.seen else None,
        round(sticker.confidence, 4),
        sticker.colour,
    )
