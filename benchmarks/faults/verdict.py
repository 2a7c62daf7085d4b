"""What a program claimed, beside what the cube really is."""

import re
from dataclasses import replace
from pathlib import Path

from benchmarks.faults.case import FaultCase
from benchmarks.faults.ground import Truth
from benchmarks.faults.host import HUNG, WITNESS, ProgramEnd
from cube.moves import MoveSequence
from cube.state import SOLVED
from solver.centres.centre_turns import STRAIGHT
from thistlebot.config import Folders
from thistlebot.journal.centre_log import KEY as CENTRES
from thistlebot.journal.store import Store
from thistlebot.runs.events import Turned
from thistlebot.runs.run_record import events_of
from thistlebot.runs.run_row import journal_size, open_journal

_DETENTS = re.compile(r"(every|all) faces? stands? at a detent|held|at the next detent")
_STOPPED = re.compile(r"stopped after (\d+)(?: of \d+)? steps")
_DOUBT = re.compile(r"align|nobody knows|vanished|may still be turning|did not come back")
_NOT_KEPT = "cannot be written"
_BUGS = (1, HUNG)
_REFUSED = 2


def judge(
    case: FaultCase, said: ProgramEnd, truth: Truth, folder: Path, *, kept: bool = True
) -> list[str]:
    """Say what is wrong with the end of a program; nothing when all that it claims is so.

    Args:
        case: What was to be turned.
        said: How the program ended.
        truth: The cube, at rest.
        folder: Where the program keeps its files.
        kept: Whether there was ever room for its journal.
    """
    text = " ".join(said.text.split())
    found = []
    if text.count(_NOT_KEPT) > 1:
        found.append("said more than once that the journal cannot be written")
    if said.killed:
        return [f"{said.verb}: {each}" for each in found]
    if said.code in _BUGS or "Traceback" in text:
        found.append(f"ended by a bug, code {said.code}")
    if said.code == _REFUSED and said.verb == "solve":
        found.append("did not begin: the campaign asks for something else than the program takes")
    if said.code == 0 and said.verb != "stop":
        if truth.state != SOLVED:
            found.append("wrong cube: claimed solved, and is not")
        if not truth.aligned:
            found.append("claimed solved, and faces stand between detents")
    if not truth.held:
        found.append("the cube was let go")
    if not truth.aligned and (said.code == 0 or not _DOUBT.search(text)):
        found.append("faces stand between detents, and nobody says so")
    if not truth.aligned and _DETENTS.search(text):
        found.append("faces stand between detents, and are said to stand at them")
    stopped = _STOPPED.search(text)
    if stopped and not _DOUBT.search(text) and said.verb == "solve":
        found += _count(case, int(stopped[1]), truth)
    return [f"{said.verb}: {each}" for each in found + (_centres(truth, folder) if kept else [])]


def judge_journal(folder: Path) -> list[str]:
    """Say which acknowledged moves the journal lacks; it takes over what a killed program left.

    Args:
        folder: Where the program keeps its files.
    """
    witness = folder / WITNESS
    turned = [int(line) for line in witness.read_text().split()] if witness.exists() else []
    if not turned:
        return []
    data = folder / "data"
    open_journal(replace(Folders.of_platform({}), data=data)).close()
    store = Store(data, journal_size())
    try:
        rows = [row for _, row in store.rows()]
        run = store.run(rows[-1].uid) if rows else None
    finally:
        store.close()
    if run is None:
        return ["the journal has no such run"]
    kept = [event.done for _, event in events_of(run) if isinstance(event, Turned)]
    if kept[: len(turned)] != turned:
        return [f"the journal has {len(kept)} acknowledged moves, and there were {len(turned)}"]
    return []


def _count(case: FaultCase, steps: int, truth: Truth) -> list[str]:
    """The steps that are said to be turned, or half of the turns of the one after them, too."""
    program = case.program
    possible = [program.moves_of(steps)]
    for step in program.steps[steps : steps + 1]:
        halves = [MoveSequence((move,)) for move in step.moves]
        quarters = [MoveSequence.parse(f"{move.face}{s}") for move in step.moves for s in ("", "'")]
        rests = [*halves, *quarters, *(a + b for a in halves for b in quarters)]
        rests += [a + b for a in quarters for b in quarters]
        possible += [program.moves_of(steps) + rest for rest in rests]
    if truth.state in [case.start.apply(moves) for moves in possible]:
        return []
    return [f"said {steps} steps, and the cube is another one"]


def _centres(truth: Truth, folder: Path) -> list[str]:
    """The record of the centres says the truth, or that it is not known."""
    with open_journal(replace(Folders.of_platform({}), data=folder / "data")) as journal:
        text = journal.kept(CENTRES)
    if text is None:
        return [] if not truth.moves else ["the centres were turned and count as straight"]
    if text == "unknown":
        return []
    really = STRAIGHT.apply(MoveSequence(truth.moves))
    return [] if text == str(really) and truth.aligned else [f"centres {text}, really {really}"]
