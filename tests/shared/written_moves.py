"""The table of written forms of moves: `written_moves.txt`."""

from pathlib import Path
from typing import NamedTuple

_TABLE = Path(__file__).with_suffix(".txt")


class WrittenMoves(NamedTuple):
    """A text, and the moves that it means in plain notation; None if it must be refused."""

    text: str
    moves: str | None


def written_moves() -> list[WrittenMoves]:
    """Return the rows of the table."""
    rows = []
    for line in _TABLE.read_text(encoding="utf-8").splitlines():
        if " => " not in line:
            continue
        text, moves = line.rsplit(" => ", 1)
        if "\\" in text:
            text = text.encode("latin-1", "backslashreplace").decode("unicode_escape")
        rows.append(WrittenMoves(text, None if moves == "-" else moves.replace("''", "")))
    return rows
