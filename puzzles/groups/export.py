"""The group of a puzzle's turns as a program for GAP.

Turns become permutations of the stickers that move, numbered from 1, in cycles. A turn is written
as it moves contents: the sticker in place i goes to its image. GAP carries out products from left
to right, like moves.
"""

import numpy as np

from puzzles.kinds.orbits import orbit
from puzzles.kinds.puzzle import Puzzle, State


def exported(puzzle: Puzzle[State]) -> str:
    """Return a program that defines the group of a puzzle and prints its order."""
    turns = single_turns(puzzle)
    made = ",\n".join(f"  {''.join(map(_cycle, cycles))}" for cycles in turns.values())
    lines = [f"# {puzzle.name}: {', '.join(turns)}", "turns := [", made, "];"]
    return "\n".join([*lines, "G := Group(turns);", 'Print(Size(G), "\\n");']) + "\n"


def single_turns(puzzle: Puzzle[State]) -> dict[str, list[tuple[int, ...]]]:
    """Return the first turn of each layer as cycles of stickers, numbered from 1.

    The other turns of a layer are its powers.
    """
    pieces = puzzle.pieces
    first = {turn.layer: turn.name for turn in reversed(puzzle.turns)}
    names = [turn.name for turn in puzzle.turns if first[turn.layer] == turn.name]
    goes = {name: np.argsort(pieces.turns[name]).tolist() for name in names}
    moved = sorted({i for to in goes.values() for i, there in enumerate(to) if there != i})
    numbers = {slot: number for number, slot in enumerate(moved, start=1)}
    return {name: _cycles(to, numbers) for name, to in goes.items()}


def _cycles(goes: list[int], numbers: dict[int, int]) -> list[tuple[int, ...]]:
    found, seen = list[tuple[int, ...]](), set[int]()
    for start in numbers:
        cycle = orbit(start, [goes.__getitem__])
        if start not in seen and len(cycle) > 1:
            found.append(tuple(numbers[slot] for slot in cycle))
        seen.update(cycle)
    return found


def _cycle(cycle: tuple[int, ...]) -> str:
    return f"({','.join(map(str, cycle))})"
