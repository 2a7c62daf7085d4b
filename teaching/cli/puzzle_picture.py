"""What the verb `puzzle` draws: a state, a way turn by turn, or two states that none connects."""

from pathlib import Path
from typing import Any

from documents.files import write_atomically
from puzzles.groups.analysis import Analysis
from puzzles.kinds.puzzle import turned
from teaching.cli.puzzle_text import names
from teaching.films.way_film import MOST_TURNS, apart_film, ends_of, still_film, way_film
from teaching.films.writing import write_film
from teaching.puzzles.paths import FoundPath

_LONGEST = 90


def draw(
    file: Path,
    analysis: Analysis[Any],
    states: tuple[Any, Any],
    connection: FoundPath | None,
    told: tuple[str, str],
    *,
    apart: bool,
) -> str:
    """Draw a puzzle.

    Args:
        file: Where; its ending says what is written.
        analysis: The puzzle's.
        states: Where a way begins and ends; None for solved, however the puzzle is held.
        connection: What was found between them, or None where no way was looked for.
        told: Both in words.
        apart: Whether it is known that no turns connect them.

    Returns:
        What to say of it.
    """
    puzzle, (here, there) = analysis.puzzle, states
    one, other = (w if len(w) <= _LONGEST else f"{w[:_LONGEST]}…" for w in told)
    title, subtitle, wrote = puzzle.name, f"From {one} to {other}.", f"wrote {file}"
    moves = None if connection is None else connection.moves
    if apart or (connection is not None and connection.differences):
        ends = ends_of(analysis, here, puzzle.solved if there is None else there)
        words = (title, f"{subtitle} No turns lead there: what they cannot change is different.")
        write_film(file, apart_film(puzzle, ends, words))
        return wrote
    if connection is not None and moves is not None and len(moves) <= MOST_TURNS:
        few = ", the fewest" if connection.shortest else ""
        found = f"{len(moves)} moves{few}, found by: {connection.method}."
        ends = ends_of(analysis, here, turned(puzzle, here, names(moves)))
        write_film(file, way_film(puzzle, ends, moves, (title, subtitle, found)))
        return wrote
    said = "" if connection is None else "no way was found within the limit"
    if moves is not None:
        said = f"a way of {len(moves)} turns is too long: at most {MOST_TURNS} are drawn"
    if file.suffix.lower() == ".svg":
        write_atomically(file, puzzle.picture(here))
    else:
        write_film(file, still_film(puzzle, here, (title, f"{one}.", said)))
    return f"{wrote}: the state alone, for {said}" if said else wrote
