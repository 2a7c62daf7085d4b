"""Solves in the format of csTimer, the timer that speedcubers use."""

import csv
import io
from collections.abc import Iterable

from cube.moves import MoveSequence
from cube.state import SOLVED
from thistlebot.journal.rows import Outcome, RunRow

_HEAD = ("No.", "Time", "Comment", "Scramble", "Date", "P.1")
_LONGEST_S = 1e9
"""A damaged time may be infinite in milliseconds."""
_UNTIMED = (Outcome.PLANNED, Outcome.TURNED)


def cstimer_csv(rows: Iterable[RunRow]) -> str:
    """Write solves in csTimer's format: a header, and one line for each.

    Args:
        rows: The oldest first; those without a time are left out.
    """
    text = io.StringIO()
    lines = csv.writer(text, delimiter=";", lineterminator="\n")
    lines.writerow(_HEAD)
    timed = (row for row in rows if row.outcome not in _UNTIMED)
    for number, row in enumerate(timed, start=1):
        verified = row.outcome is Outcome.VERIFIED
        passed = _clock(row.seconds or 0.0)
        told = (*(() if verified else (row.outcome.value,)), *((row.told,) if row.told else ()))
        time = passed if verified else f"DNF({passed})"
        lines.writerow((number, time, ": ".join(told), scramble_of(row), row.when, passed))
    return text.getvalue()


def scramble_of(row: RunRow) -> str:
    """Return moves that make the cube that was read; empty if unknown.

    A machine that turns layers for its cameras plans from another cube than it read.
    """
    if not row.facelets or not row.moves:
        return ""
    scramble = MoveSequence.parse(row.moves).inverse()
    return str(scramble) if SOLVED.apply(scramble).to_facelets().text == row.facelets else ""


def _clock(seconds: float) -> str:
    """Write seconds with thousandths, such as 1:02.345 or 1.230."""
    minutes, milliseconds = divmod(round(1000 * min(max(seconds, 0.0), _LONGEST_S)), 60_000)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02}:{milliseconds / 1000:06.3f}"
    rest = milliseconds / 1000
    return f"{minutes}:{rest:06.3f}" if minutes else f"{rest:.3f}"
