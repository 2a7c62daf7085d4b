"""The machine formats: what ``--json`` prints, one record a line.

The names and meanings are stable; `docs/formats.md` lists them.
"""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from cube.facelets import SOLVED_FACELETS, Facelets, facelet_name
from cube.moves import axial_htm, axial_qtm, htm, qtm
from cube.pieces import Problem
from thistlebot.errors import MissingFileError

if TYPE_CHECKING:
    from robot.rigs.program import RigProgram
    from solver.stages.solution import Solution, Stage
    from vision.reading import CubeReading, FaceReading, StickerReading


def read_lines(file: Path) -> list[tuple[int, str]]:
    """Return the lines of a text file that are not empty, with their numbers from 1.

    Raises:
        MissingFileError: The file is missing or unreadable.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise MissingFileError(f"{file} cannot be read: {reason}") from error
    lines = enumerate(text.splitlines(), start=1)
    return [(number, line) for number, line in lines if line.strip()]


def to_line(record: dict[str, Any]) -> str:
    """Write one record as one line of JSON."""
    return msgspec.json.encode(record).decode()


def solve_record(
    facelets: Facelets,
    solution: "Solution",
    program: "RigProgram | None",
    *,
    five_stages: bool = False,
) -> dict[str, Any]:
    """Describe a state and the way from it to the solved cube, or to another target.

    Without a program a person turns, in a time that nobody knows.
    """
    moves = solution.moves
    stages = solution.five_stages if five_stages else solution.stages
    target = solution.target.to_facelets()
    told = {} if target == SOLVED_FACELETS else {"target": target.text}
    return {
        "facelets": facelets.text,
        **told,
        "moves": str(moves),
        "htm": htm(moves),
        "qtm": qtm(moves),
        "axial_htm": axial_htm(moves),
        "axial_qtm": axial_qtm(moves),
        **({} if program is None else {"time_s": round(program.time_s, 6)}),
        "stages": [_stage_record(stage) for stage in stages],
        **({"of_inverse": True} if solution.of_inverse else {}),
        "cpu_ms": round(solution.cpu_ms, 3),
        **({} if program is None else action_records(program)),
    }


def action_records(program: "RigProgram") -> dict[str, Any]:
    """Describe what a machine does that handles the cube; nothing for motors on faces."""
    if not program.handles_cube:
        return {}
    actions = [
        {
            "does": step.does,
            "moves": str(step.moves),
            "start_s": round(step.start_s, 6),
            "time_s": round(step.duration_s, 6),
        }
        for step in program.steps
    ]
    return {"actions": actions}


def full_solve_record(
    facelets: Facelets, solution: "Solution", program: "RigProgram"
) -> dict[str, Any]:
    """Describe a solved state as listeners of a session hear it.

    S2's five stages are told, too, and the steps that the rig will count: the moves of each.
    """
    record = solve_record(facelets, solution, program)
    return record | {
        "five_stages": [_stage_record(stage) for stage in solution.five_stages],
        "steps": [str(step.moves) for step in program.steps],
    }


def _stage_record(stage: "Stage") -> dict[str, str]:
    return {"name": stage.name, "moves": str(stage.moves)}


def problem_record(problem: Problem) -> dict[str, Any]:
    """Describe a broken law."""
    return {"law": problem.law, "pieces": list(problem.pieces), "text": problem.text}


def reading_record(reading: "CubeReading", *, stickers: bool = False) -> dict[str, Any]:
    """Describe the reading of a whole cube."""
    record: dict[str, Any] = {
        "state": reading.state.value,
        "accepted": reading.accepted,
        "facelets": reading.facelets.text if reading.facelets else None,
        "best": reading.best.text,
        "margin": round(reading.margin, 3) if math.isfinite(reading.margin) else None,
        "reread": list(reading.reread),
        "problems": [problem_record(problem) for problem in reading.problems],
        "repairs": [
            {
                "facelet": facelet_name(repair.facelet),
                "looked": repair.looked or None,
                "decided": repair.decided,
                "text": repair.text,
            }
            for repair in reading.repairs
        ],
        "unseen": list(reading.unseen),
        "suspected": reading.suspicion.facelets.text if reading.suspicion else None,
        "alternatives": [facelets.text for facelets in reading.alternatives],
        "scheme": dict(reading.scheme),
        "mirrored": reading.mirrored,
        "mistake": _mistake_record(reading),
        "elapsed_ms": round(reading.elapsed_ms, 3),
    }
    if stickers:
        record["stickers"] = [_sticker_record(sticker) for sticker in reading.stickers]
    return record


def _mistake_record(reading: "CubeReading") -> dict[str, Any] | None:
    mistake, instead = reading.mistake, reading.instead
    if mistake is None:
        return None
    return {
        "kind": mistake.kind.value,
        "faces": list(mistake.faces),
        "turns": list(mistake.turns),
        "text": mistake.text,
        "instead": instead.facelets.text if instead and instead.facelets else None,
    }


def full_reading_record(reading: "CubeReading") -> dict[str, Any]:
    """Describe a reading as listeners of a session hear it: with the stickers one by one."""
    margin = reading.margin if math.isfinite(reading.margin) else None
    record = reading_record(reading, stickers=True)
    return record | {"margin": margin, "proposal": reading.proposal.text}


def face_record(file: str, face: "FaceReading | None", elapsed_ms: float) -> dict[str, Any]:
    """Describe what was found in the picture of one face."""
    return {
        "file": file,
        "found": face is not None,
        "corners": [list(corner) for corner in face.corners] if face else [],
        "stickers": [
            {
                "polygon": [list(point) for point in sticker.polygons[0]],
                "lab": _lab(sticker),
                "confidence": round(sticker.confidence, 4),
                "colour": sticker.colour,
            }
            for sticker in (face.stickers if face else ())
        ],
        "elapsed_ms": round(elapsed_ms, 3),
    }


def _sticker_record(sticker: "StickerReading") -> dict[str, Any]:
    return {
        "polygon": [list(point) for polygon in sticker.polygons[:1] for point in polygon],
        "lab": _lab(sticker),
        "confidence": round(sticker.confidence, 4),
        "colour": sticker.colour,
    }


def _lab(sticker: "StickerReading") -> list[float] | None:
    return [round(channel, 2) for channel in sticker.lab] if sticker.seen else None
