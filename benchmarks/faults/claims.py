"""What a program claims after a fault, compared with the real cube and its journal."""

import re
from dataclasses import replace
from pathlib import Path

from benchmarks.faults.case import FaultCase
from benchmarks.faults.ground import Truth
from benchmarks.faults.host import HUNG, WITNESS, ProgramEnd
from cube.moves import MoveSequence
from cube.state import SOLVED
from thistlebot.config import Folders
from thistlebot.events import Turned
from thistlebot.journal.past_runs import past_runs
from thistlebot.journal.rows import EVERY_RUN
from thistlebot.journal.run_record import events_of

DETENTS = re.compile(r"(every|all) faces? stands? at a detent|held|at the next detent")
_STOPPED = re.compile(r"stopped after (\d+)(?: of \d+)? steps")
DOUBT = re.compile(r"align|nobody knows|vanished|may still be turning|did not come back")
BUGS = (1, HUNG)
_REFUSED = 2


def judge(case: FaultCase, said: ProgramEnd, truth: Truth) -> list[str]:
    """Return the errors in the claims of a program; empty if they are all true."""
    text = " ".join(said.text.split())
    found = []
    if said.killed:
        return []
    if said.code in BUGS or "Traceback" in text:
        found.append(f"ended by a bug, code {said.code}")
    if said.code == _REFUSED and said.verb in {"solve", "again", "align"}:
        found.append("did not begin: the campaign asks for something else than the program takes")
    if said.code == 0 and said.verb not in {"stop", "run", "align"}:
        if truth.state != SOLVED:
            found.append("wrong cube: claimed solved, and is not")
        if not truth.aligned:
            found.append("claimed solved, and faces stand between detents")
    if not truth.aligned and (said.code == 0 or not DOUBT.search(text)):
        found.append("faces stand between detents, and nobody says so")
    if not truth.aligned and DETENTS.search(text):
        found.append("faces stand between detents, and are said to stand at them")
    stopped = _STOPPED.search(text)
    if stopped and not DOUBT.search(text) and said.verb == "solve":
        found += _count(case, int(stopped[1]), truth)
    return [f"{said.verb}: {each}" for each in found]


def judge_journal(folder: Path) -> list[str]:
    """Return which acknowledged moves the journal lacks, after it took over a killed program's."""
    witness = folder / WITNESS
    turned = [int(line) for line in witness.read_text().split()] if witness.exists() else []
    if not turned:
        return []
    with past_runs(replace(Folders.of_platform({}), data=folder / "data")) as store:
        rows = store.latest(EVERY_RUN, 1)
        run = store.run(rows[0][1].uid) if rows else None
    if run is None:
        return ["the journal has no such run"]
    kept = [event.done for _, event in events_of(run) if isinstance(event, Turned)]
    if kept[: len(turned)] != turned:
        return [f"the journal has {len(kept)} acknowledged moves, and there were {len(turned)}"]
    return []


def _count(case: FaultCase, steps: int, truth: Truth) -> list[str]:
    """Return the turns of the completed steps, and optionally half of the next step's."""
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
