"""Runs as rows of a journal, for tests of what looks back."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from thistlebot.history.statistics import COLUMNS, Solves
from thistlebot.journal.rows import Outcome, RunRow, StoredRun
from thistlebot.journal.run_row import journal_size
from thistlebot.journal.store import Store

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
