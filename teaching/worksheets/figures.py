"""What our mathematics finds of puzzles: each answer of a worksheet is asked for here, not kept."""

from functools import cache
from typing import Any

from puzzles.groups.analysis import Analysis
from puzzles.kinds.catalogue import puzzle_named
from teaching.puzzles.words import Word, WordReader
from teaching.worksheets.worksheet import CUBE


@cache
def analysis(puzzle: str = CUBE) -> Analysis[Any]:
    """What can be said of a puzzle."""
    return Analysis(puzzle_named(puzzle))


@cache
def reader(puzzle: str = CUBE) -> WordReader:
    """What reads words of a puzzle's moves."""
    return WordReader(puzzle_named(puzzle))


def word(text: str, puzzle: str = CUBE) -> Word:
    """A word of a puzzle's moves.

    Raises:
        WordError: It is none.
        UsageError: It has moves that the puzzle does not make.
    """
    return reader(puzzle).read(text)


def places(puzzle: str, kind: str) -> int:
    """How many pieces of a kind a puzzle has."""
    return sum(
        len(each.places) for each in analysis(puzzle).pieces.kinds if each.name.startswith(kind)
    )


@cache
def orbit_sizes(puzzle: str) -> tuple[int, ...]:
    """How many states the orbits of a small puzzle have, found by turning alone.

    Every re-assembly that pieces of the puzzle's kinds can make is met: swaps of two pieces and
    turns of one in its place lead from each to all.
    """
    told = analysis(puzzle)
    turns = list(told.pieces.turns.values())
    todo = _reassembled(puzzle)
    sizes = []
    while todo:
        start = next(iter(todo.values()))
        orbit, queue = {start.tobytes()}, [start]
        for here in queue:
            for turn in turns:
                there = here[turn]
                if (code := there.tobytes()) not in orbit:
                    orbit.add(code)
                    queue.append(there)
        sizes.append(len(orbit))
        for code in orbit:
            todo.pop(code, None)
    return tuple(sizes)


def _reassembled(puzzle: str) -> dict[bytes, Any]:
    """All re-assemblies of a small puzzle, by brute force."""
    pieces = analysis(puzzle).pieces
    moves = list(pieces.turns.values())
    for kind in pieces.kinds:
        for rotation in kind.rotations[1:]:
            made = pieces.solved
            made[kind.slots[0]] = kind.slots[0][list(rotation)]
            moves.append(made)
        for row in kind.slots[1:]:
            made = pieces.solved
            made[kind.slots[0]], made[row] = row, kind.slots[0]
            moves.append(made)
    found = {pieces.solved.tobytes(): pieces.solved}
    for here in (queue := [pieces.solved]):
        for move in moves:
            there = here[move]
            if (code := there.tobytes()) not in found:
                found[code] = there
                queue.append(there)
    return found
