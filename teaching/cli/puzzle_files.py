"""The pictures of the verb `school puzzle`: films of a state or of a path, turn by turn."""

from pathlib import Path
from typing import Any

from documents.files import write_atomically
from puzzles.groups.analysis import Analysis
from puzzles.kinds.puzzle import turned
from teaching.cli.puzzle_text import method_said, names
from teaching.films.way_film import MOST_TURNS, kept_of, still_film, way_film
from teaching.films.writing import write_film
from teaching.puzzles_as_typed import FoundPath
from thistlebot.words.words import Words

_LONGEST = 90


def draw(
    file: Path,
    analysis: Analysis[Any],
    states: tuple[Any, Any],
    connection: FoundPath | None,
    told: tuple[str, str],
    words: Words,
    *,
    apart: bool,
) -> str:
    """Draw a puzzle.

    Args:
        file: The file; its ending determines the format.
        analysis: The analysis of the puzzle.
        states: The ends of the path; None for the solved state in any orientation.
        connection: The path found between them, or None if none was searched for.
        told: Descriptions of both.
        words: The texts of the language.
        apart: Whether no turns are known to connect them.

    Returns:
        A message about it.
    """
    puzzle, (here, there) = analysis.puzzle, states
    one, other = (w if len(w) <= _LONGEST else f"{w[:_LONGEST]}…" for w in told)
    title, subtitle = puzzle.name, words("puzzle.from_to", one=one, other=other)
    wrote = words("lesson.wrote", file=file)
    moves = None if connection is None else connection.moves
    if apart or (connection is not None and connection.differences):
        kept = kept_of(analysis, here, puzzle.solved if there is None else there, words)
        parted = title, subtitle, words("puzzle.apart")
        write_film(file, still_film(puzzle, here, parted, words, kept))
        return wrote
    if connection is not None and moves is not None and len(moves) <= MOST_TURNS:
        key = "puzzle.found_fewest" if connection.shortest else "puzzle.found"
        found = words(key, count=len(moves), method=method_said(connection.method, words))
        kept = kept_of(analysis, here, turned(puzzle, here, names(moves)), words)
        write_film(file, way_film(puzzle, here, moves, (title, subtitle, found), words, kept=kept))
        return wrote
    said = "" if connection is None else words("puzzle.no_path")
    if moves is not None:
        said = words("puzzle.too_long", count=len(moves), limit=MOST_TURNS)
    if file.suffix.lower() == ".svg":
        write_atomically(file, puzzle.drawn(here).svg())
    else:
        write_film(file, still_film(puzzle, here, (title, f"{one}.", said), words))
    return words("puzzle.state_only", wrote=wrote, why=said) if said else wrote
