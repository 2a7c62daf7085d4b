"""How long a move sequence is: the metrics of the field.

A metric counts a sequence as it stands; simplify it first when neighbouring turns of one face
should merge.
"""

from cube.moves import Move, MoveSequence


def htm(sequence: MoveSequence) -> int:
    """Count in the half-turn metric: every turn of a face is one."""
    return len(sequence)


def qtm(sequence: MoveSequence) -> int:
    """Count in the quarter-turn metric: a half turn is two."""
    return sum(abs(move.quarter_turns) for move in sequence)


def axial_groups(sequence: MoveSequence) -> tuple[tuple[Move, ...], ...]:
    """Group neighbouring turns that can be made at the same time.

    Two turns share a group when they are neighbours and turn opposite faces.
    """
    groups: list[tuple[Move, ...]] = []
    for move in sequence:
        last = groups[-1] if groups else ()
        if len(last) == 1 and last[0].axis == move.axis and last[0].face != move.face:
            groups[-1] = (last[0], move)
        else:
            groups.append((move,))
    return tuple(groups)


def axial_htm(sequence: MoveSequence) -> int:
    """Count in the axial metric: opposite faces turned together are one."""
    return len(axial_groups(sequence))


def axial_qtm(sequence: MoveSequence) -> int:
    """Count in the axial quarter-turn metric: a group costs what its longest turn costs."""
    return sum(max(abs(move.quarter_turns) for move in group) for group in axial_groups(sequence))
