"""The journal of a test as another program finds it; rows of runs, and records in events."""

import os
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from cube.facelets import SOLVED_FACELETS
from cube.net import WESTERN_SCHEME
from thistlebot.config import Folders
from thistlebot.journal.journal import journal_size
from thistlebot.journal.rows import Outcome, RunRow, StoredRun
from thistlebot.journal.statistics import COLUMNS, Solves
from thistlebot.journal.store import Store
from thistlebot.records import ReadingRecord, SolutionRecord, StageRecord, StickerRecord

SIZE = 100_000_000


def folders_in(data: Path) -> Folders:
    """Return folders of which the one of the journal is given, and the others are the same."""
    return Folders(data, data, data, data, data)


def forked(work: Callable[[int], object]) -> tuple[int, int]:
    """Do some work in a copy of this process, given a pipe; return its number and pipe."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            work(writing)
        finally:
            os._exit(1)
    os.close(writing)
    return child, reading


NOON = 1_795_348_800.0
"""Of a day in November 2026, UTC."""


def row(number: int, **fields: Any) -> RunRow:
    """Return a verified run; runs of higher numbers began later."""
    usual = RunRow(
        uid=f"{number:016x}",
        began=NOON + 60 * number,
        verb="solve --wait",
        virtual=False,
        rig="six",
        outcome=Outcome.VERIFIED,
        seconds=1.5,
        turns=20,
        first_right=True,
    )
    return msgspec.structs.replace(usual, **fields)


def solves(*rows: RunRow) -> Solves:
    """Put runs together, numbered from 0."""
    fields = [{"id": number, **msgspec.structs.asdict(each)} for number, each in enumerate(rows)]
    return Solves.of(tuple(each[name] for name in COLUMNS) for each in fields)


def keep(data: Path, rows: Iterable[RunRow]) -> None:
    """Put runs into a journal, without any events."""
    store = Store(data, journal_size())
    for each in rows:
        context = msgspec.Raw(b"{}")
        store.add_run(each, StoredRun(uid=each.uid, began=each.began, context=context, ended=True))
    store.close()


def change(file: Path, *statements: str) -> None:
    """Change a database with statements of SQL."""
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        for each in statements:
            db.execute(each)


_NOTHING = ("reread", "problems", "repairs", "unseen", "alternatives")
READING = ReadingRecord(
    state="sure",
    accepted=True,
    facelets=SOLVED_FACELETS.text,
    best=SOLVED_FACELETS.text,
    proposal=SOLVED_FACELETS.text,
    margin=None,
    suspected=None,
    mistake=None,
    scheme=dict(WESTERN_SCHEME),
    mirrored=False,
    elapsed_ms=12.5,
    stickers=tuple(StickerRecord((), None, 0.0, letter) for letter in SOLVED_FACELETS.text),
    **dict.fromkeys(_NOTHING, ()),
)
"""A solved cube that was read for sure."""
_STAGES = (("G0>G1", ""), ("G1>G2", "U"), ("G2>G3", "R"), ("G3>G4", ""))
_COSTS = {"htm": 2, "qtm": 2, "axial_htm": 2, "axial_qtm": 2, "time_s": 0.25, "cpu_ms": 3.1}
SOLUTION = SolutionRecord(
    facelets="BBBUUUUUUFFURRRRRRLLLFFUFFUDDFDDFDDFDBBLLLLLLRRRDBBDBB",
    moves="U R",
    steps=("U", "R"),
    stages=tuple(StageRecord(*stage) for stage in _STAGES),
    **_COSTS,
)
"""Two turns solve the cube."""
