"""The group of a puzzle's turns as a program for GAP or SageMath.

Turns become permutations of the stickers that move, numbered from 1, in cycles. A turn is written
as it moves contents: the sticker in place i goes to its image. Both systems carry out products from
left to right, like moves.
"""

from pathlib import Path

import numpy as np

from puzzles.kinds.pieces import Arrangement
from puzzles.kinds.puzzle import Puzzle, State
from solver.errors import SolverError

ENDINGS = {".g": "GAP", ".sage": "SageMath"}


def exported(puzzle: Puzzle[State], file: Path) -> str:
    """Return the text of a file with the group of a puzzle.

    Args:
        puzzle: The puzzle.
        file: The file; its ending determines the system.

    Raises:
        SolverError: The ending is not in `ENDINGS`.
    """
    turns = single_turns(puzzle)
    if file.suffix == ".g":
        names = [f"# {puzzle.name}: {', '.join(turns)}", "turns := ["]
        made = ",\n".join(f"  {''.join(map(_cycle, cycles))}" for cycles in turns.values())
        ends = ["];", "G := Group(turns);", 'Print(Size(G), "\\n");']
    elif file.suffix == ".sage":
        names = [f"# {puzzle.name}: {', '.join(turns)}", "turns = ["]
        made = ",\n".join(f"  [{', '.join(map(_cycle, cycles))}]" for cycles in turns.values())
        ends = ["]", "G = PermutationGroup(turns)", "print(G.order())"]
    else:
        known = " or ".join(f"{ending} for {name}" for ending, name in ENDINGS.items())
        raise SolverError(f"{file}: the name of a group's file must end in {known}")
    return "\n".join([*names, made, *ends]) + "\n"


def single_turns(puzzle: Puzzle[State]) -> dict[str, list[tuple[int, ...]]]:
    """Return the first turn of each layer as cycles of stickers, numbered from 1.

    The other turns of a layer are its powers.
    """
    pieces = puzzle.pieces
    first = {turn.layer: turn.name for turn in reversed(puzzle.turns)}
    names = [turn.name for turn in puzzle.turns if first[turn.layer] == turn.name]
    goes = {name: np.argsort(pieces.turns[name]) for name in names}
    moved = sorted(
        {int(i) for to in goes.values() for i in np.flatnonzero(to != np.arange(len(to)))}
    )
    numbers = {slot: number for number, slot in enumerate(moved, start=1)}
    return {name: _cycles(to, numbers) for name, to in goes.items()}


def _cycles(goes: Arrangement, numbers: dict[int, int]) -> list[tuple[int, ...]]:
    todo, found = list(numbers), list[tuple[int, ...]]()
    seen = set[int]()
    for start in todo:
        cycle, here = list[int](), start
        while here not in seen:
            seen.add(here)
            cycle.append(numbers[here])
            here = int(goes[here])
        if len(cycle) > 1:
            found.append(tuple(cycle))
    return found


def _cycle(cycle: tuple[int, ...]) -> str:
    return f"({','.join(map(str, cycle))})"
